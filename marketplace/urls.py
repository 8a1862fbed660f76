"""Addresses of the marketplace: the API and the workers' site."""

from django.conf import settings
from django.urls import include, path

from . import (
    converters,  # noqa: F401  # registers <id:...>
    hooks,
    qualification_views,
    question_views,
    sign_in_views,
    views,
)

urlpatterns = [
    path("", views.home, name="home"),
    path("signin/", views.SignIn.as_view(), name="signin"),
    path("signin/link/<str:token>/", sign_in_views.choose_password, name="sign-in-link"),
    path("signout/", views.SignOut.as_view(), name="signout"),
    path("projects/", views.projects, name="projects"),
    path("projects/<id:group_id>/tasks", views.preview, name="preview"),
    path("projects/<id:group_id>/tasks/accept_random", views.accept, name="accept"),
    path("projects/<id:group_id>/tasks/<id:hit_id>", views.work, name="work"),
    path("projects/<id:group_id>/tasks/<id:hit_id>/answers", views.answer, name="answer"),
    path("tasks/", views.your_work, name="your-work"),
    path("qualifications/", qualification_views.overview, name="qualifications"),
    path("qualifications/<id:type_id>/", qualification_views.detail, name="qualification"),
    path("qualifications/<id:type_id>/ask", qualification_views.ask, name="qualification-ask"),
    path("qualifications/<id:type_id>/test", qualification_views.test, name="qualification-test"),
    path("earnings/", views.earnings, name="earnings"),
    path("mturk/html/<id:hit_id>/<str:signature>", question_views.html_question, name="html-question"),
    path("mturk/externalSubmit", views.external_submit, name="external-submit"),
    path("", include("marketplace.worker.urls")),
    path("requester/", include("marketplace.requester.urls")),
    path("operator/", include("marketplace.operator.urls")),
]

if settings.MARKETPLACE_TEST_HOOKS:
    urlpatterns += [
        path("_test/requester", hooks.make_requester),
        path("_test/worker", hooks.make_worker),
        path("_test/clock", hooks.move_clock),
        path("_test/faults", hooks.order_faults),
        path("_test/rate", hooks.set_rate),
        path("_test/funds", hooks.add_funds),
        path("_test/key", hooks.set_key),
    ]
