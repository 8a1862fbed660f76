"""All that is kept about a worker, for the worker alone."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from .. import doors
from ..models import (
    Assignment,
    Bonus,
    Message,
    PaymentDetails,
    Payout,
    QualificationGrant,
    QualificationRequest,
    Rating,
    Report,
    WorkerProfile,
)

READ_AT_ONCE = 200  # rows; an answer may have a megabyte


def of_worker(worker: WorkerProfile) -> Iterator[tuple[str, Any]]:
    """The parts of the record by name: a dict, or an iterator of dicts. Requesters stand in it by name alone."""
    user = worker.user
    yield (
        "account",
        {
            "user_name": user.username,
            "e_mail": user.email,
            "worker_id": worker.worker_id,
            "joined_at": user.joined_at,
            "last_signed_in_at": user.last_login,
        },
    )
    yield "assignments", _rows(Assignment.objects.of_worker(worker), ASSIGNMENT)
    yield "bonuses", _rows(Bonus.objects.filter(worker=worker), BONUS)
    yield "qualifications", _rows(QualificationGrant.objects.filter(worker=worker), QUALIFICATION)
    yield "qualification_requests", _rows(QualificationRequest.objects.of_worker(worker), QUALIFICATION_REQUEST)
    yield "messages", _rows(Message.objects.filter(worker=worker), MESSAGE)
    yield "ratings", _rows(Rating.objects.filter(worker=worker), RATING)
    yield "payment_details", _rows(PaymentDetails.objects.filter(worker=worker), PAYMENT_DETAILS)
    yield "payouts", _rows(Payout.objects.filter(worker=worker), PAYOUT)
    yield "reports", _rows(Report.objects.filter(worker=worker), REPORT)
    yield from doors.own_data(worker)


# What each row is told by: the name in the file, and where the value stands.
ASSIGNMENT = {
    "assignment_id": "assignment_id",
    "hit_id": "hit__hit_id",
    "title": "hit__hit_type__title",
    "requester": "hit__requester__name",
    "reward_usd": "hit__hit_type__reward_usd",
    "status": "status",
    "accepted_at": "accepted_at",
    "deadline": "deadline",
    "submitted_at": "submitted_at",
    "approved_at": "approved_at",
    "rejected_at": "rejected_at",
    "ended_at": "ended_at",
    "feedback": "feedback",
    "answer": "answer",
}
BONUS = {
    "assignment_id": "assignment__assignment_id",
    "amount_usd": "amount_usd",
    "reason": "reason",
    "granted_at": "granted_at",
}
QUALIFICATION = {
    "name": "qualification_type__name",
    "status": "status",
    "integer_value": "integer_value",
    "country": "country",
    "subdivision": "subdivision",
    "granted_at": "granted_at",
    "revoked_at": "revoked_at",
    "reason": "reason",
}
QUALIFICATION_REQUEST = {
    "name": "qualification_type__name",
    "status": "status",
    "started_at": "started_at",
    "submitted_at": "submitted_at",
    "decided_at": "decided_at",
    "value": "value",
    "reason": "reason",
    "answer": "answer",
}
MESSAGE = {
    "requester": "requester__name",
    "direction": "direction",
    "subject": "subject",
    "text": "text",
    "assignment_id": "assignment__assignment_id",
    "sent_at": "sent_at",
    "read_at": "read_at",
}
RATING = {
    "assignment_id": "assignment__assignment_id",
    "pay": "pay",
    "clarity": "clarity",
    "fairness": "fairness",
    "comment": "comment",
    "created_at": "created_at",
    "changed_at": "changed_at",
    "earlier_pay": "earlier_pay",
    "earlier_clarity": "earlier_clarity",
    "earlier_fairness": "earlier_fairness",
    "earlier_comment": "earlier_comment",
}
PAYMENT_DETAILS = {"payee_name": "payee_name", "how_to_pay": "note", "changed_at": "changed_at"}
PAYOUT = {
    "batch": "batch_id",
    "number": "number",
    "amount_usd": "amount_usd",
    "state": "batch__status",
    "made_at": "batch__made_at",
    "settled_at": "batch__settled_at",
}
REPORT = {
    "title": "hit_type__title",
    "kind": "kind",
    "text": "text",
    "created_at": "created_at",
    "changed_at": "changed_at",
    "earlier_text": "earlier_text",
}


def _rows(rows: QuerySet[Any], told: dict[str, str]) -> Iterator[dict[str, Any]]:
    """``rows`` by key, oldest first, as dicts of what is ``told``; read in parts."""
    last = 0
    while True:
        found = list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", *told.values())[:READ_AT_ONCE])
        yield from (dict(zip(told, row[1:], strict=True)) for row in found)
        if len(found) < READ_AT_ONCE:
            return
        last = found[-1][0]


def dump(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
