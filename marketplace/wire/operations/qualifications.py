"""Qualification types and who holds them."""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from ...errors import Refused, invalid_value
from ...models import QualificationGrant, QualificationType, WorkerProfile
from .. import paging
from .call import Call
from .limits import check_length, check_prose, check_range

NAME, DESCRIPTION, KEYWORDS, REASON = 200, 2000, 1000, 1024  # characters; name and reason are our choice
LONGEST_RETRY_DELAY = 31_536_000  # seconds; ours
NOT_SERVED = ("Test", "AnswerKey", "TestDurationInSeconds")


def create_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    for name in NOT_SERVED:
        if name in params:
            raise invalid_value(name, "This marketplace does not serve qualification tests.")
    check_length("Name", params["Name"], NAME, least=1)
    check_length("Description", params["Description"], DESCRIPTION, least=1)
    check_length("Keywords", params.get("Keywords", ""), KEYWORDS)
    if "RetryDelayInSeconds" in params:
        check_range("RetryDelayInSeconds", params["RetryDelayInSeconds"], 0, LONGEST_RETRY_DELAY)
    auto_granted = params.get("AutoGranted", False)
    if "AutoGrantedValue" in params and not auto_granted:
        raise invalid_value("AutoGrantedValue", "It needs AutoGranted.")
    try:
        with transaction.atomic():
            made = QualificationType.objects.create(
                requester=call.requester,
                name=params["Name"],
                description=params["Description"],
                keywords=params.get("Keywords", ""),
                status=params["QualificationTypeStatus"],
                retry_delay_seconds=params.get("RetryDelayInSeconds"),
                auto_granted=auto_granted,
                auto_granted_value=params.get("AutoGrantedValue", 1) if auto_granted else None,
                created_at=call.now,
            )
    except IntegrityError:
        raise Refused(
            "QualificationTypeAlreadyExists", "You have already created a QualificationType with this name."
        ) from None
    return {"QualificationType": described_type(made)}


def get_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    return {"QualificationType": described_type(_type(call, params["QualificationTypeId"], with_system=True))}


def list_types(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """The caller's types, and the system's unless MustBeOwnedByCaller; other requesters' types are not shown."""
    query, owned = params.get("Query", ""), params.get("MustBeOwnedByCaller", False)
    requestable = params["MustBeRequestable"]
    types = QualificationType.objects.filter(Q(requester=call.requester) | Q(requester=None))
    if owned:
        types = types.filter(requester=call.requester)
    if requestable:
        types = types.filter(requester__isnull=False, status=QualificationType.Status.ACTIVE)
    if query:
        types = types.filter(Q(name__icontains=query) | Q(description__icontains=query) | Q(keywords__icontains=query))
    scope = call.scope(owned, requestable, query)
    shown, numbers = paging.page(types, params, scope=scope, order=("id",))
    return {"QualificationTypes": [described_type(row) for row in shown], **numbers}


def associate(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Grant, or grant again with another value; the value is 1 unless given."""
    QualificationGrant.objects.update_or_create(
        qualification_type=_type(call, params["QualificationTypeId"]),
        worker=_worker(params["WorkerId"]),
        defaults={
            "integer_value": params.get("IntegerValue", 1),
            "status": QualificationGrant.Status.GRANTED,
            "granted_at": call.now,
        },
    )
    return {}


def disassociate(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    check_prose("Reason", params.get("Reason", ""), REASON)
    grant = _grant(call, params)
    if grant.status != QualificationGrant.Status.GRANTED:
        raise _revoked()
    QualificationGrant.objects.filter(pk=grant.pk).update(status=QualificationGrant.Status.REVOKED)
    return {}


def score(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    grant = _grant(call, params)
    if grant.status != QualificationGrant.Status.GRANTED:
        raise _revoked()
    return {"Qualification": described_grant(grant)}


def list_workers(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Grants of one status (Granted unless said), in the order in which they were first made."""
    qualification_type = _type(call, params["QualificationTypeId"])
    status = params.get("Status", QualificationGrant.Status.GRANTED.value)
    grants = QualificationGrant.objects.filter(qualification_type=qualification_type, status=status)
    grants = grants.select_related("worker", "qualification_type")
    scope = call.scope(qualification_type.type_id, status)
    shown, numbers = paging.page(grants, params, scope=scope, order=("id",))
    return {"Qualifications": [described_grant(row) for row in shown], **numbers}


def _type(call: Call, type_id: str, *, with_system: bool = False) -> QualificationType:
    owners = Q(requester=call.requester)
    if with_system:
        owners |= Q(requester=None)
    found = QualificationType.objects.filter(owners, type_id=type_id).first()
    if found is None:
        raise Refused("QualificationTypeDoesNotExist", f"QualificationType {type_id} does not exist.")
    return found


def _worker(worker_id: str) -> WorkerProfile:
    worker = WorkerProfile.objects.filter(worker_id=worker_id).first()
    if worker is None:
        raise invalid_value("WorkerId", f"There is no worker {worker_id}.")
    return worker


def _grant(call: Call, params: dict[str, Any]) -> QualificationGrant:
    qualification_type = _type(call, params["QualificationTypeId"])
    rows = QualificationGrant.objects.select_related("worker", "qualification_type")
    grant = rows.filter(qualification_type=qualification_type, worker__worker_id=params["WorkerId"]).first()
    if grant is None:
        raise Refused(
            "QualificationDoesNotExist",
            f"Qualification {params['QualificationTypeId']} of worker {params['WorkerId']} does not exist.",
        )
    return grant


def _revoked() -> Refused:
    return Refused(
        "InvalidQualificationState",
        "This Qualification is currently in the state 'Revoked'. "
        "This operation can be called with a status of: Granted",
    )


def described_type(row: QualificationType) -> dict[str, Any]:
    is_custom = row.requester_id is not None
    return {
        "QualificationTypeId": row.type_id,
        "CreationTime": row.created_at,
        "Name": row.name,
        "Description": row.description,
        "Keywords": row.keywords or None,
        "QualificationTypeStatus": row.status,
        "RetryDelayInSeconds": row.retry_delay_seconds,
        "IsRequestable": is_custom and row.status == QualificationType.Status.ACTIVE,
        "AutoGranted": row.auto_granted if is_custom else None,
        "AutoGrantedValue": row.auto_granted_value,
    }


def described_grant(grant: QualificationGrant) -> dict[str, Any]:
    return {
        "QualificationTypeId": grant.qualification_type.type_id,
        "WorkerId": grant.worker.worker_id,
        "GrantTime": grant.granted_at,
        "IntegerValue": grant.integer_value,
        "Status": grant.status,
    }
