"""Addresses of the platform's first page, of review, agreement and release."""

from django.urls import path

from . import agreement_api
from .views.agreement import agreement, agreement_csv, agreement_json, agreement_questions, agreement_table
from .views.home import home
from .views.release import release, release_file
from .views.review import review_approve_many, review_assignment, review_decide, review_queue, review_verdict

urlpatterns = [
    path("", home, name="home"),
    path("review/<slug:slug>/", review_queue, name="review_queue"),
    path("review/<slug:slug>/approve/", review_approve_many, name="review_approve_many"),
    path("review/<slug:slug>/assignments/<int:pk>/", review_assignment, name="review_assignment"),
    path("review/<slug:slug>/assignments/<int:pk>/decide/", review_decide, name="review_decide"),
    path("review/<slug:slug>/assignments/<int:pk>/verdict/", review_verdict, name="review_verdict"),
    path("api/v1/agreement/<slug:slug>", agreement_api.AgreementView.as_view(), name="api_agreement"),
    path("agreement/<slug:slug>/", agreement, name="agreement"),
    path("agreement/<slug:slug>/figures.csv", agreement_csv, name="agreement_csv"),
    path("agreement/<slug:slug>/figures.json", agreement_json, name="agreement_json"),
    path("agreement/<slug:slug>/questions/", agreement_questions, name="agreement_questions"),
    path("agreement/<slug:slug>/tables/<slug:table>.csv", agreement_table, name="agreement_table"),
    path("release/<slug:slug>/", release, name="release"),
    path("release/<slug:slug>/<str:name>", release_file, name="release_file"),
]
