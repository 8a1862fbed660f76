"""Addresses of the worker's page and of its API."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import IsAdminUser

from annotation import api, bundle_views, guide_views, views
from annotation.styleguide import views as styleguide

app_name = "annotation"
urlpatterns = [
    path("work/<uuid:key>/", views.work, name="work"),
    path("work/<uuid:key>/guide/", guide_views.guide, name="guide"),
    path("work/code/<slug:digest>/<str:name>", bundle_views.code, name="code"),
    path("api/v1/work/draft", api.DraftView.as_view(), name="work-draft"),
    path("api/v1/work/finish", api.FinishView.as_view(), name="work-finish"),
    path("api/v1/work/quiz", api.QuizView.as_view(), name="work-quiz"),
    path("styleguide/", styleguide.index, name="styleguide"),
    path("styleguide/<slug:name>/", styleguide.state, name="styleguide-state"),
    path("api/v1/schema", SpectacularAPIView.as_view(permission_classes=[IsAdminUser]), name="schema"),
]
