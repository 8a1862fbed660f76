"""Addresses of the API about batches and money. The pages are the admin's."""

from django.urls import path

from hits import api

app_name = "hits"
urlpatterns = [
    path("api/v1/batches", api.BatchesView.as_view(), name="batches"),
    path("api/v1/batches/<int:pk>", api.BatchView.as_view(), name="batch"),
    path("api/v1/batches/<int:pk>/<slug:action>", api.BatchActView.as_view(), name="batch-act"),
    path("api/v1/hits", api.HITsView.as_view(), name="hits"),
    path("api/v1/hits/<int:pk>", api.HITView.as_view(), name="hit"),
    path("api/v1/assignments", api.AssignmentsView.as_view(), name="assignments"),
    path("api/v1/assignments/<int:pk>", api.AssignmentView.as_view(), name="assignment"),
    path("api/v1/ledger", api.LedgerView.as_view(), name="ledger"),
    path("api/v1/bonuses", api.BonusesView.as_view(), name="bonuses"),
    path("api/v1/bonuses/<int:pk>", api.BonusView.as_view(), name="bonus"),
]
