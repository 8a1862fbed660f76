"""Addresses of the doors, and of the operator's pages about them."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from .views import joining, operator_invitations, studies


class TokenConverter(StringConverter):
    """An invitation's token: URL-safe base64."""

    regex = "[A-Za-z0-9_-]{20,100}"


register_converter(TokenConverter, "token")

operator_patterns = [
    path("", operator_invitations.invitations, name="recruiting"),
    path("invitations/new/", operator_invitations.new_invitation, name="recruiting-invite"),
    path("invitations/<int:pk>/revoke/", operator_invitations.revoke, name="recruiting-revoke"),
    path("terms/", operator_invitations.terms, name="recruiting-terms"),
]

urlpatterns = [
    path("join/<token:token>/", joining.join, name="join"),
    path("study/visit/", studies.visit, name="visit"),
    path("study/<slug:key>/", studies.study, name="study"),
    path("operator/recruiting/", include(operator_patterns)),
]
