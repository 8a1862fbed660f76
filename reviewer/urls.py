"""Addresses of the platform's first page, of review, agreement and release."""

from django.urls import path

from . import aggregation_api, agreement_api, dashboard_api, personal_api, reasoning_api, release_api, review_api
from .views import releases
from .views.agreement import agreement, agreement_csv, agreement_json, agreement_questions, agreement_table
from .views.dashboard import dashboard, dashboard_report, dashboard_standing
from .views.history import project_changes, user_changes
from .views.home import home
from .views.more import more
from .views.personal import looked_at, personal_data, worker_data, worker_record
from .views.reasoning import (
    reasoning,
    reasoning_csv,
    reasoning_json,
    reasoning_label,
    reasoning_labels,
    reasoning_sample,
)
from .views.release import release, release_file
from .views.review import review_many, review_many_tell, review_many_undo, review_next, review_queue
from .views.rules import gold_questions, gold_retire, review_rules
from .views.second import second_look, second_looks, second_withdraw
from .views.work import (
    review_assignment,
    review_decide,
    review_fix,
    review_let_on,
    review_look,
    review_note,
    review_undo,
    review_verdict,
)

urlpatterns = [
    path("", home, name="home"),
    path("dashboard/<slug:slug>/", dashboard, name="dashboard"),
    path("dashboard/<slug:slug>/standing/", dashboard_standing, name="dashboard_standing"),
    path("dashboard/<slug:slug>/report.html", dashboard_report, {"kind": "html"}, name="dashboard_html"),
    path("dashboard/<slug:slug>/report.pdf", dashboard_report, {"kind": "pdf"}, name="dashboard_pdf"),
    path("api/v1/dashboard/<slug:slug>", dashboard_api.DashboardView.as_view(), name="api_dashboard"),
    path("review/<slug:slug>/", review_queue, name="review_queue"),
    path("review/<slug:slug>/next/", review_next, name="review_next"),
    path("review/<slug:slug>/many/", review_many, name="review_many"),
    path("review/<slug:slug>/many/<int:act_pk>/undo/", review_many_undo, name="review_many_undo"),
    path("review/<slug:slug>/many/<int:act_pk>/tell/", review_many_tell, name="review_many_tell"),
    path("review/<slug:slug>/assignments/<int:pk>/", review_assignment, name="review_assignment"),
    path("review/<slug:slug>/assignments/<int:pk>/decide/", review_decide, name="review_decide"),
    path("review/<slug:slug>/assignments/<int:pk>/undo/", review_undo, name="review_undo"),
    path("review/<slug:slug>/assignments/<int:pk>/fix/", review_fix, name="review_fix"),
    path("review/<slug:slug>/assignments/<int:pk>/look/", review_look, name="review_look"),
    path("review/<slug:slug>/assignments/<int:pk>/let-on/", review_let_on, name="review_let_on"),
    path("review/<slug:slug>/assignments/<int:pk>/note/", review_note, name="review_note"),
    path("review/<slug:slug>/assignments/<int:pk>/verdict/", review_verdict, name="review_verdict"),
    path("api/v1/agreement/<slug:slug>", agreement_api.AgreementView.as_view(), name="api_agreement"),
    path("api/v1/agreement/<slug:slug>/more", agreement_api.MoreView.as_view(), name="api_agreement_more"),
    path(
        "api/v1/agreement/<slug:slug>/questions",
        agreement_api.AgreementQuestionsView.as_view(),
        name="api_agreement_questions",
    ),
    path("api/v1/agreement/<slug:slug>/aggregation", aggregation_api.AggregationView.as_view(), name="api_aggregation"),
    path(
        "api/v1/agreement/<slug:slug>/aggregation/questions",
        aggregation_api.AggregationQuestionsView.as_view(),
        name="api_aggregation_questions",
    ),
    path("review/<slug:slug>/second/", second_looks, name="second_looks"),
    path("review/<slug:slug>/second/<int:look_pk>/", second_look, name="second_look"),
    path("review/<slug:slug>/second/<int:look_pk>/withdraw/", second_withdraw, name="second_withdraw"),
    path("review/<slug:slug>/rules/", review_rules, name="review_rules"),
    path("review/<slug:slug>/gold/", gold_questions, name="gold_questions"),
    path("review/<slug:slug>/gold/<int:gold_pk>/retire/", gold_retire, name="gold_retire"),
    path("api/v1/reviews", review_api.QueueView.as_view(), name="api_reviews"),
    path("api/v1/reviews/many", review_api.ManyView.as_view(), name="api_reviews_many"),
    path("api/v1/reviews/many/<int:act_pk>/undo", review_api.ManyUndoView.as_view(), name="api_reviews_undo"),
    path("api/v1/reviews/<int:pk>", review_api.WorkView.as_view(), name="api_review"),
    path("api/v1/reviews/<int:pk>/<slug:action>", review_api.DecideView.as_view(), name="api_review_decide"),
    path(
        "api/v1/reviews/<int:pk>/questions/<int:question_pk>/<slug:action>",
        review_api.QuestionView.as_view(),
        name="api_review_question",
    ),
    path("history/", user_changes, name="user_changes"),
    path("history/<slug:slug>/", project_changes, name="project_changes"),
    path("privacy/<slug:slug>/", personal_data, name="personal_data"),
    path("privacy/<slug:slug>/looked/", looked_at, name="looked_at"),
    path("privacy/<slug:slug>/workers/<int:pk>/", worker_data, name="worker_data"),
    path("privacy/<slug:slug>/workers/<int:pk>/record.json", worker_record, name="worker_record"),
    path("api/v1/workers/find", personal_api.FindWorkerView.as_view(), name="api_find_worker"),
    path("api/v1/workers/<int:pk>/record", personal_api.WorkerRecordView.as_view(), name="api_worker_record"),
    path("api/v1/workers/<int:pk>/erasure", personal_api.WorkerErasureView.as_view(), name="api_worker_erasure"),
    path("agreement/<slug:slug>/", agreement, name="agreement"),
    path("agreement/<slug:slug>/figures.csv", agreement_csv, name="agreement_csv"),
    path("agreement/<slug:slug>/figures.json", agreement_json, name="agreement_json"),
    path("agreement/<slug:slug>/more/", more, name="agreement_more"),
    path("agreement/<slug:slug>/questions/", agreement_questions, name="agreement_questions"),
    path("agreement/<slug:slug>/tables/<slug:table>.csv", agreement_table, name="agreement_table"),
    path("reasoning/<slug:slug>/", reasoning, name="reasoning"),
    path("reasoning/<slug:slug>/<int:sample_pk>/", reasoning_sample, name="reasoning_sample"),
    path("reasoning/<slug:slug>/<int:sample_pk>/table.csv", reasoning_csv, name="reasoning_csv"),
    path("reasoning/<slug:slug>/<int:sample_pk>/table.json", reasoning_json, name="reasoning_json"),
    path("reasoning/<slug:slug>/<int:sample_pk>/labels.json", reasoning_labels, name="reasoning_labels"),
    path("reasoning/<slug:slug>/<int:sample_pk>/label/", reasoning_label, name="reasoning_label"),
    path("api/v1/reasoning/<slug:slug>", reasoning_api.SamplesView.as_view(), name="api_reasoning"),
    path("api/v1/reasoning/<slug:slug>/<int:sample_pk>", reasoning_api.SampleView.as_view(), name="api_reasoning_one"),
    path("release/<slug:slug>/", release, name="release"),
    path("release/<slug:slug>/<str:name>", release_file, name="release_file"),
    path("api/v1/releases", release_api.ReleasesView.as_view(), name="api_releases"),
    path("api/v1/releases/<int:pk>", release_api.OneReleaseView.as_view(), name="api_release"),
    path("api/v1/releases/<int:pk>/files/<path:name>", release_api.ReleaseFileView.as_view(), name="api_release_file"),
    path("api/v1/releases/<int:pk>/key", release_api.ReleaseKeyView.as_view(), name="api_release_key"),
    path("api/v1/releases/<int:pk>/changes", release_api.ReleaseChangesView.as_view(), name="api_release_changes"),
    path(
        "api/v1/releases/<int:pk>/verification",
        release_api.ReleaseVerificationView.as_view(),
        name="api_release_verification",
    ),
    path("api/v1/release-runs/<int:pk>", release_api.ReleaseRunView.as_view(), name="api_release_run"),
    path("releases/<slug:slug>/", releases.releases, name="releases"),
    path("releases/<slug:slug>/<int:number>/", releases.version, name="release_version"),
    path("releases/<slug:slug>/<int:number>/files/<path:name>", releases.version_file, name="release_version_file"),
    path("releases/<slug:slug>/<int:number>/all.zip", releases.version_zip, name="release_version_zip"),
    path("releases/<slug:slug>/<int:number>/key/", releases.version_key, name="release_version_key"),
    path("releases/<slug:slug>/<int:number>/changes/", releases.version_changes, name="release_version_changes"),
    path("releases/<slug:slug>/<int:number>/check/", releases.version_check, name="release_version_check"),
    path("releases/<slug:slug>/runs/<int:pk>/", releases.run, name="release_run"),
    path("releases/<slug:slug>/runs/<int:pk>/standing/", releases.run_standing, name="release_run_standing"),
    path("releases/<slug:slug>/runs/<int:pk>/give-up/", releases.run_give_up, name="release_run_give_up"),
]
