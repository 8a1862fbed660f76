"""Qualification types and who holds them."""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from ... import questions
from ...errors import Refused, invalid_value
from ...models import QualificationGrant, QualificationRequest, QualificationType, WorkerProfile
from ...questions import answer_key, patterns
from ...services import qualifying
from .. import paging
from .call import Call
from .limits import check_length, check_prose, check_range

NAME, DESCRIPTION, KEYWORDS, REASON = 200, 2000, 1000, 1024  # characters; name and reason are our choice
LONGEST_RETRY_DELAY = 31_536_000  # seconds; ours
LONGEST_TEST = 31_536_000  # seconds; ours


def create_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    check_length("Name", params["Name"], NAME, least=1)
    check_length("Keywords", params.get("Keywords", ""), KEYWORDS)
    values = _values(params, QualificationType(requester=call.requester))
    try:
        with transaction.atomic():
            made = QualificationType.objects.create(
                requester=call.requester,
                name=params["Name"],
                keywords=params.get("Keywords", ""),
                created_at=call.now,
                **values,
            )
    except IntegrityError:
        raise Refused(
            "QualificationTypeAlreadyExists", "You have already created a QualificationType with this name."
        ) from None
    return {"QualificationType": described_type(made)}


def update_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Change what is given; the name, the keywords and a test once there stay."""
    found = _type(call, params["QualificationTypeId"])
    values = _values(params, found)
    # Only what changes, and only while the type is there: another call may have deleted it since it was read.
    if values and not QualificationType.objects.standing().filter(pk=found.pk).update(**values):
        raise _no_such_type(found.type_id)
    return {"QualificationType": described_type(_type(call, found.type_id))}


def delete_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    qualifying.delete_type(_type(call, params["QualificationTypeId"]), call.now)
    return {}


def _values(params: dict[str, Any], before: QualificationType) -> dict[str, Any]:
    """The fields that ``params`` set on a type that is ``before`` now. Raises Refused."""
    values: dict[str, Any] = {}
    if "Description" in params:
        check_length("Description", params["Description"], DESCRIPTION, least=1)
        values["description"] = params["Description"]
    if "QualificationTypeStatus" in params:
        values["status"] = params["QualificationTypeStatus"]
    if "RetryDelayInSeconds" in params:
        check_range("RetryDelayInSeconds", params["RetryDelayInSeconds"], 0, LONGEST_RETRY_DELAY)
        values["retry_delay_seconds"] = params["RetryDelayInSeconds"]
    values |= _test_values(params)
    return values | _granted_values(params, before, has_test=bool(values.get("test") or before.test))


def _test_values(params: dict[str, Any]) -> dict[str, Any]:
    """Test, answer key and duration, which are given together: a new test without a key is scored by hand."""
    if "Test" not in params:
        for name in ("AnswerKey", "TestDurationInSeconds"):
            if name in params:
                raise invalid_value(name, "It needs the Test, also where the questions stay as they are.")
        return {}
    if "TestDurationInSeconds" not in params:
        raise invalid_value("TestDurationInSeconds", "A Test needs it.")
    check_range("TestDurationInSeconds", params["TestDurationInSeconds"], 1, LONGEST_TEST)
    test = questions.parse_test(params["Test"])
    patterns.check(test, "Test")
    if "AnswerKey" in params:
        answer_key.parse(params["AnswerKey"], test)
    return {
        "test": params["Test"],
        "answer_key": params.get("AnswerKey", ""),
        "test_duration_seconds": params["TestDurationInSeconds"],
    }


def _granted_values(params: dict[str, Any], before: QualificationType, *, has_test: bool) -> dict[str, Any]:
    auto_granted = params.get("AutoGranted", before.auto_granted)
    if auto_granted and has_test:
        raise invalid_value("AutoGranted", "A type with a Test cannot be granted at once.")
    if "AutoGrantedValue" in params and not auto_granted:
        raise invalid_value("AutoGrantedValue", "It needs AutoGranted.")
    standing = before.auto_granted_value if before.auto_granted_value is not None else 1
    value = params.get("AutoGrantedValue", standing)
    return {"auto_granted": auto_granted, "auto_granted_value": value if auto_granted else None}


def get_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    return {"QualificationType": described_type(_type(call, params["QualificationTypeId"], with_system=True))}


def list_types(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """The caller's types, and the system's unless MustBeOwnedByCaller; other requesters' types are not shown."""
    query, owned = params.get("Query", ""), params.get("MustBeOwnedByCaller", False)
    requestable = params["MustBeRequestable"]
    types = QualificationType.objects.standing().filter(Q(requester=call.requester) | Q(requester=None))
    if owned:
        types = types.filter(requester=call.requester)
    if requestable:
        types = types.requestable()
    if query:
        types = types.filter(Q(name__icontains=query) | Q(description__icontains=query) | Q(keywords__icontains=query))
    scope = call.scope(owned, requestable, query)
    shown, numbers = paging.page(types, params, scope=scope, order=("id",))
    return {"QualificationTypes": [described_type(row) for row in shown], **numbers}


def associate(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Grant, or grant again with another value; the value is 1 unless given."""
    qualifying.associate(
        _type(call, params["QualificationTypeId"]),
        _worker(params["WorkerId"]),
        params.get("IntegerValue", 1),
        call.now,
        notify=params.get("SendNotification", True),
    )
    return {}


def disassociate(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    check_prose("Reason", params.get("Reason", ""), REASON)
    if not qualifying.revoke(_grant(call, params), params.get("Reason", ""), call.now):
        raise _revoked()
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


def list_requests(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Requests that wait for the caller, in the order in which they came."""
    type_id = params.get("QualificationTypeId")
    rows = QualificationRequest.objects.filter(
        qualification_type__requester=call.requester, status=QualificationRequest.Status.SUBMITTED
    ).select_related("qualification_type", "worker")
    if type_id is not None:
        rows = rows.filter(qualification_type=_type(call, type_id))
    shown, numbers = paging.page(rows, params, scope=call.scope(type_id), order=("submitted_at", "id"))
    return {"QualificationRequests": [described_request(row) for row in shown], **numbers}


def accept_request(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Grant with the value given, or 1."""
    qualifying.accept(call.requester, params["QualificationRequestId"], params.get("IntegerValue", 1), call.now)
    return {}


def reject_request(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    reason = params.get("Reason", "")
    check_prose("Reason", reason, REASON)
    qualifying.decline(call.requester, params["QualificationRequestId"], reason, call.now)
    return {}


def _type(call: Call, type_id: str, *, with_system: bool = False) -> QualificationType:
    owners = Q(requester=call.requester)
    if with_system:
        owners |= Q(requester=None)
    found = QualificationType.objects.standing().filter(owners, type_id=type_id).select_related("requester").first()
    if found is None:
        raise _no_such_type(type_id)
    return found


def _no_such_type(type_id: str) -> Refused:
    return Refused("QualificationTypeDoesNotExist", f"QualificationType {type_id} does not exist.")


def _worker(worker_id: str) -> WorkerProfile:
    worker = WorkerProfile.objects.filter(worker_id=worker_id).first()
    if worker is None:
        raise invalid_value("WorkerId", f"There is no worker {worker_id}.")
    return worker


def _grant(call: Call, params: dict[str, Any]) -> QualificationGrant:
    qualification_type = _type(call, params["QualificationTypeId"])
    rows = QualificationGrant.objects.select_related("worker", "qualification_type__requester")
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
        "Test": row.test or None,
        "TestDurationInSeconds": row.test_duration_seconds,
        "AnswerKey": row.answer_key or None,
        "IsRequestable": row.is_requestable,
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


def described_request(request: QualificationRequest) -> dict[str, Any]:
    return {
        "QualificationRequestId": request.request_id,
        "QualificationTypeId": request.qualification_type.type_id,
        "WorkerId": request.worker.worker_id,
        "Test": request.test or None,
        "Answer": request.answer or None,
        "SubmitTime": request.submitted_at,
    }
