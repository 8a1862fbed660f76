"""Addresses of the marketplace: the API and the workers' site."""

from django.conf import settings
from django.urls import path

from . import hooks, views

urlpatterns = [
    path("", views.home, name="home"),
    path("signin/", views.SignIn.as_view(), name="signin"),
    path("signout/", views.SignOut.as_view(), name="signout"),
    path("projects/", views.projects, name="projects"),
    path("projects/<str:group_id>/tasks", views.preview, name="preview"),
    path("projects/<str:group_id>/tasks/accept_random", views.accept, name="accept"),
    path("projects/<str:group_id>/tasks/<str:hit_id>", views.work, name="work"),
    path("tasks/", views.your_work, name="your-work"),
    path("earnings/", views.earnings, name="earnings"),
    path("mturk/externalSubmit", views.external_submit, name="external-submit"),
]

if settings.MARKETPLACE_TEST_HOOKS:
    urlpatterns += [
        path("_test/requester", hooks.make_requester),
        path("_test/worker", hooks.make_worker),
        path("_test/clock", hooks.move_clock),
        path("_test/faults", hooks.order_faults),
    ]
