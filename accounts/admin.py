"""Logins, for superusers. What a person may do in a project is a membership, on the project's page."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from accounts import token_page
from accounts.models import User

# Roles are memberships of projects; Django's groups would be a second answer to the same question.
admin.site.unregister(Group)


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "is_active", "is_staff", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_staff", "is_superuser"]
    filter_horizontal = ()
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (_("Person"), {"fields": [("first_name", "last_name"), "email"]}),
        (
            _("Access"),
            {
                "fields": ["is_active", "is_staff", "is_superuser"],
                "description": _(
                    "Staff may sign in here and see the projects they are members of; superusers see everything."
                ),
            },
        ),
        (_("Dates"), {"fields": [("last_login", "date_joined")]}),
    ]
    add_fieldsets = [(None, {"fields": ["username", "usable_password", "password1", "password2", "is_staff"]})]
    readonly_fields = ["last_login", "date_joined"]

    # By being a superuser alone: Django's permissions play no part, and are not looked up for every page's sidebar.
    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def get_urls(self) -> list[URLPattern]:
        tokens = self.admin_site.admin_view(partial(token_page.tokens, site=self.admin_site))
        return [path("tokens/", tokens, name="accounts_tokens"), *super().get_urls()]
