"""Addresses of the worker's page and of its API."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import IsAdminUser

from annotation import api, bundle_views, curation_api, guide_views, passage_api, views
from annotation.styleguide import views as styleguide

app_name = "annotation"
PROJECT = "api/v1/projects/<slug:slug>/"
urlpatterns = [
    path("work/<uuid:key>/", views.work, name="work"),
    path("work/<uuid:key>/guide/", guide_views.guide, name="guide"),
    path("work/code/<slug:digest>/<str:name>", bundle_views.code, name="code"),
    path("api/v1/work/draft", api.DraftView.as_view(), name="work-draft"),
    path("api/v1/work/finish", api.FinishView.as_view(), name="work-finish"),
    path("api/v1/work/notes", api.NotesView.as_view(), name="work-notes"),
    path("api/v1/work/quiz", api.QuizView.as_view(), name="work-quiz"),
    path("styleguide/", styleguide.index, name="styleguide"),
    path("styleguide/<slug:name>/", styleguide.state, name="styleguide-state"),
    path(f"{PROJECT}passages", passage_api.GlanceView.as_view(), name="passages"),
    path(f"{PROJECT}articles", passage_api.ArticlesView.as_view(), name="articles"),
    path(f"{PROJECT}paragraphs", passage_api.ParagraphsView.as_view(), name="paragraphs"),
    path(f"{PROJECT}paragraphs/<int:pk>", passage_api.ParagraphView.as_view(), name="paragraph"),
    path(f"{PROJECT}paragraphs/<int:pk>/repair", passage_api.RepairView.as_view(), name="repair"),
    path(f"{PROJECT}repairs", passage_api.RepairsView.as_view(), name="repairs"),
    path(f"{PROJECT}decisions", passage_api.DecisionsView.as_view(), name="decisions"),
    path(f"{PROJECT}decisions/<int:pk>/undo", passage_api.UndoView.as_view(), name="undo"),
    path(f"{PROJECT}splits", passage_api.SplitsView.as_view(), name="splits"),
    path(f"{PROJECT}curations", curation_api.CurationsView.as_view(), name="curations"),
    path(f"{PROJECT}curations/<int:pk>", curation_api.OneCurationView.as_view(), name="curation"),
    path(f"{PROJECT}curations/<int:pk>/<slug:action>", curation_api.CurationActView.as_view(), name="curation-act"),
    path(
        f"{PROJECT}curations/<int:pk>/files/<str:name>", curation_api.CurationFileView.as_view(), name="curation-file"
    ),
    path("api/v1/schema", SpectacularAPIView.as_view(permission_classes=[IsAdminUser]), name="schema"),
]
