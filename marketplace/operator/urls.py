"""Addresses of the operator's area, all behind ``auth.operator_view``."""

from django.urls import path

from .. import converters  # noqa: F401  # registers <id:...>
from . import faults, overview, payments, reports, requesters, sign_in_links, workers

urlpatterns = [
    path("", overview.overview, name="operator"),
    path("log/", overview.log, name="operator-log"),
    path("workers/", workers.listing, name="operator-workers"),
    path("workers/<id:worker_id>/", workers.worker, name="operator-worker"),
    path("workers/<id:worker_id>/standing/", workers.set_standing, name="operator-set-standing"),
    path("workers/<id:worker_id>/deactivate/", workers.deactivate, name="operator-deactivate"),
    path("workers/<id:worker_id>/reactivate/", workers.reactivate, name="operator-reactivate"),
    path("workers/<id:worker_id>/erase/", workers.erase, name="operator-erase"),
    path("workers/<id:worker_id>/sign-in-link/", sign_in_links.for_worker, name="operator-worker-link"),
    path("requesters/", requesters.listing, name="operator-requesters"),
    path("requesters/new/", requesters.new, name="operator-new-requester"),
    path("requesters/<id:customer_id>/", requesters.requester, name="operator-requester"),
    path("requesters/<id:customer_id>/funds/", requesters.add_funds, name="operator-add-funds"),
    path("requesters/<id:customer_id>/keys/", requesters.add_key, name="operator-add-key"),
    path("requesters/<id:customer_id>/keys/<int:pk>/revoke/", requesters.revoke_key, name="operator-revoke-key"),
    path("requesters/<id:customer_id>/name/", requesters.rename, name="operator-rename"),
    path("requesters/<id:customer_id>/rate/", requesters.set_rate, name="operator-set-rate"),
    path("requesters/<id:customer_id>/sign-in-link/", sign_in_links.for_requester, name="operator-requester-link"),
    path("payments/", payments.listing, name="operator-payments"),
    path("payments/new/", payments.make, name="operator-make-payout"),
    path("payments/<int:pk>/", payments.batch, name="operator-payout"),
    path("payments/<int:pk>/payout.csv", payments.download, name="operator-payout-csv"),
    path("payments/<int:pk>/paid/", payments.mark_paid, name="operator-pay-payout"),
    path("payments/<int:pk>/cancel/", payments.cancel, name="operator-cancel-payout"),
    path("reports/", reports.listing, name="operator-reports"),
    path("reports/<int:pk>/settle/", reports.settle, name="operator-settle-report"),
    path("faults/", faults.listing, name="operator-faults"),
    path("faults/off/", faults.switch_all_off, name="operator-faults-off"),
    path("faults/<int:pk>/off/", faults.switch_off, name="operator-fault-off"),
]
