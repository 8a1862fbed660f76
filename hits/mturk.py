"""The only module that talks to a crowd endpoint, through boto3's ``mturk`` client.

Durations go out in seconds, rewards as decimal strings. The endpoint's errors become ``Unavailable`` (try again
later) or ``Rejected`` (ours, or the requester's, to fix). Nothing here knows which endpoint it talks to.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import boto3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    ProfileNotFound,
    ProxyConnectionError,
    SSLError,
    UnknownServiceError,
)
from django.utils import timezone
from django.utils.translation import gettext as _

from . import endpoints, pace

if TYPE_CHECKING:
    from hits.models import HIT, Bonus, HITType, Qualification

REGION = "us-east-1"  # the API exists in this region alone: AWS, Mechanical Turk API reference
EXTERNAL_QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>{url}</ExternalURL><FrameHeight>0</FrameHeight></ExternalQuestion>'
)
# One attempt a call: what is retried, and when, is decided by the rows, not inside the library.
CALLS = Config(connect_timeout=5, read_timeout=20, retries={"total_max_attempts": 1}, region_name=REGION)
PAGE = 100  # the most that a list call returns
MOST_WAIT_SECONDS = 10.0  # for a call's turn
# How long a job holds a row for one call: longer than its turn, connecting and the answer may take (see CALLS), short
# enough that a killed worker's rows are taken up again soon. Before any further call the claim is made anew.
CLAIM = timedelta(seconds=45)
MOST_SKEW_SECONDS = 5 * 60  # signatures are refused from 5 to 15 minutes on: AWS, Signature Version 4

THROTTLED = {
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "SlowDown",
}
NEVER_CONNECTED = (EndpointConnectionError, ConnectTimeoutError, ProxyConnectionError, SSLError)
NO_ACCESS = {
    "UnrecognizedClientException",
    "InvalidSignatureException",
    "AccessDeniedException",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
    "RequestExpired",
    "IncompleteSignatureException",
    "InvalidClientTokenId",
}
TURK = "AWS.MechanicalTurk."


class MissingClient(Exception):
    """The installed boto3 has no ``mturk`` client."""


class Unavailable(Exception):
    """The endpoint did not answer, or asked to be called later. Whether it did the work is unknown."""


class NothingDone(Unavailable):
    """The call was put off or never reached the endpoint: it is certain that nothing was done."""


class Rejected(Exception):
    """The endpoint understood and said no. ``code`` is its own, without the ``AWS.MechanicalTurk.`` in front."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NoAccess(Rejected):
    """The endpoint does not take our credentials."""


@cache
def client(endpoint_key: str) -> Any:
    """The boto3 client of an endpoint; one a process, as clients are safe to share between threads."""
    endpoint = endpoints.get(endpoint_key)
    # The address is always given, so that AWS_ENDPOINT_URL_MTURK of the environment leads nobody elsewhere.
    try:
        if endpoint.profile:
            session = boto3.Session(profile_name=endpoint.profile)
            if session.get_credentials() is None:
                raise NoAccess("NoCredentials", _no_key(endpoint))
            return session.client("mturk", endpoint_url=endpoint.url, config=CALLS)
        if not endpoint.access_key:
            # boto3 would look for keys by itself, and send those of one endpoint to another.
            raise NoAccess("NoCredentials", _no_key(endpoint))
        return boto3.client(
            "mturk",
            endpoint_url=endpoint.url,
            config=CALLS,
            aws_access_key_id=endpoint.access_key,
            aws_secret_access_key=endpoint.secret_key,
        )
    except ProfileNotFound as error:
        sentence = _("{endpoint} is set to the AWS profile {profile}, which is not there.")
        raise NoAccess("NoProfile", sentence.format(endpoint=endpoint.label, profile=endpoint.profile)) from error
    except UnknownServiceError as error:
        raise MissingClient(missing_client()) from error


def _no_key(endpoint: endpoints.Endpoint) -> str:
    return _("No access key is set for {endpoint}.").format(endpoint=endpoint.label)


def missing_client() -> str:
    """What to tell a person whose boto3 has dropped the client; empty if it is there."""
    if "mturk" in boto3.Session().get_available_services():
        return ""
    return _(
        "boto3 {version} has no 'mturk' client: it left with Mechanical Turk. Install the pinned version: "
        "pip install -r requirements.txt."
    ).format(version=boto3.__version__)


def _call(endpoint_key: str, operation: str, **parameters: Any) -> dict[str, Any]:
    """Call ``operation``, at the account's pace. Raises Unavailable, Rejected or NoAccess.

    A call that the endpoint refuses as one too many is made again when its turn comes: nothing was done by it.
    """
    endpoint = endpoints.get(endpoint_key)
    label, account = endpoint.label, pace.account(endpoint.url, endpoint.credentials)
    called = getattr(client(endpoint_key), operation)
    until = time.monotonic() + MOST_WAIT_SECONDS
    while True:
        wait = pace.turn(account, until - time.monotonic())
        if wait is None:
            sentence = _("{endpoint} is called as often as it allows; this call has to wait.")
            raise NothingDone(sentence.format(endpoint=label))
        time.sleep(wait)
        try:
            answer: dict[str, Any] = called(**parameters)
            break
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLED:
                raise _as_ours(error, label) from error
            pace.slower(account)
            if time.monotonic() > until:
                raise _as_ours(error, label) from error
        except BotoCoreError as error:  # no answer, a broken one, or no credentials to sign with
            sentence = _("{endpoint} does not answer at {url}.").format(endpoint=label, url=endpoint.url)
            raise (NothingDone if isinstance(error, NEVER_CONNECTED) else Unavailable)(sentence) from error
    if _broke_off(operation, answer, client(endpoint_key)):
        raise Unavailable(_("The answer of {endpoint} broke off.").format(endpoint=label))
    return answer


def _as_ours(error: ClientError, label: str) -> Unavailable | Rejected:
    code, message = error.response["Error"]["Code"], error.response["Error"].get("Message", "")
    answer = error.response["ResponseMetadata"]
    busy = _("{endpoint} is busy: {message}").format(endpoint=label, message=message)
    if code in THROTTLED:
        return NothingDone(busy)
    if code == "ServiceFault" or answer["HTTPStatusCode"] >= 500:
        return Unavailable(busy)
    if code in NO_ACCESS:
        off = clock_difference_seconds(answer["HTTPHeaders"].get("date", ""))
        if abs(off) >= MOST_SKEW_SECONDS:
            sentence = _(
                "{endpoint} refuses our signatures because the clocks differ by {minutes} min. Set the clock of "
                "this machine right."
            )
            return NoAccess(code, sentence.format(endpoint=label, minutes=round(abs(off) / 60)))
        sentence = _("{endpoint} does not accept our access key. Check the key pair in its settings.")
        return NoAccess(code, sentence.format(endpoint=label))
    turk_code = error.response.get("TurkErrorCode", code).removeprefix(TURK)
    return Rejected(turk_code, _("{endpoint} says: {message}").format(endpoint=label, message=message))


def clock_difference_seconds(date: str) -> float:
    """By how much the clock behind an HTTP ``Date`` header is ahead of ours; 0 where it cannot be read."""
    try:
        return (parsedate_to_datetime(date) - timezone.now()).total_seconds()
    except (TypeError, ValueError):
        return 0.0


def _broke_off(operation: str, answer: dict[str, Any], mturk: Any) -> bool:
    """Whether the connection was cut after the headers, which looks like an empty answer to the library.

    Then nothing is known about whether the work was done.
    """
    if len(answer) > 1:  # more than ResponseMetadata
        return False
    name = mturk.meta.method_to_api_mapping[operation]
    announced = int(answer["ResponseMetadata"]["HTTPHeaders"].get("content-length", 0))
    return bool(mturk.meta.service_model.operation_model(name).output_shape.members) or announced > len("{}")


def _pages(endpoint_key: str, operation: str, result: str, **parameters: Any) -> Iterator[dict[str, Any]]:
    """Every item of a list call. A page may be empty and still have another after it; only the token ends the list."""
    token: dict[str, str] = {}
    while True:
        page = _call(endpoint_key, operation, MaxResults=PAGE, **parameters, **token)
        yield from page.get(result, [])
        if not page.get("NextToken"):
            return
        token = {"NextToken": page["NextToken"]}


def probe(endpoint_key: str) -> tuple[str, float]:
    """The available balance, and by how many seconds the endpoint's clock is ahead of ours. Costs nothing."""
    answer = _call(endpoint_key, "get_account_balance")
    headers = answer["ResponseMetadata"]["HTTPHeaders"]
    return str(answer["AvailableBalance"]), clock_difference_seconds(headers.get("date", ""))


def may_create_qualification_types(endpoint_key: str) -> None:
    """Whether our key may create qualification types, without creating one: a test without its time is refused as such
    only to those who may. Raises mturk's errors where they may not, or nobody can tell."""
    try:
        _call(
            endpoint_key,
            "create_qualification_type",
            Name="A question whether this is allowed",
            Description="Never made: a test needs its time.",
            QualificationTypeStatus="Active",
            Test="<QuestionForm/>",
        )
    except NoAccess:
        raise
    except Rejected as refusal:
        if "denied" in refusal.code.lower() or "authorized" in refusal.code.lower():
            raise


def account_balance(endpoint_key: str) -> str:
    """The available balance, as the decimal string that the endpoint gives."""
    return str(_call(endpoint_key, "get_account_balance")["AvailableBalance"])


def balances(endpoint_key: str) -> tuple[str, str]:
    """The available and the on-hold balance, as decimal strings; the second is "0.00" where none is given."""
    answer = _call(endpoint_key, "get_account_balance")
    return str(answer["AvailableBalance"]), str(answer.get("OnHoldBalance") or "0.00")


def create_hit_type(hit_type: HITType) -> str:
    """Create ``hit_type`` and return its id; equal values give the same id again, so a repeat is harmless."""
    created = _call(
        hit_type.batch.endpoint,
        "create_hit_type",
        Title=hit_type.title,
        Description=hit_type.description,
        Keywords=hit_type.keywords,
        Reward=str(hit_type.reward_usd),
        AssignmentDurationInSeconds=hit_type.allowed_seconds,
        AutoApprovalDelayInSeconds=hit_type.auto_approval_seconds,
        QualificationRequirements=hit_type.requirements,
    )
    return str(created["HITTypeId"])


def create_hit(hit: HIT, url: str) -> str:
    """Create ``hit``, showing workers ``url``; return its id, also where an earlier attempt created it.

    A request token that was used before is refused with the first HIT's id in the message: that is a success.
    """
    try:
        created = _call(
            hit.batch.endpoint,
            "create_hit_with_hit_type",
            HITTypeId=hit.hit_type.mturk_hit_type_id,
            MaxAssignments=hit.max_assignments,
            LifetimeInSeconds=hit.lifetime_seconds,
            Question=EXTERNAL_QUESTION.format(url=escape(url)),
            RequesterAnnotation=hit.annotation,
            UniqueRequestToken=str(hit.token),
        )
    except Rejected as refusal:
        existing = re.search(r'"(\w+)" already exists', str(refusal))
        if refusal.code.lower() != "hitalreadyexists" or existing is None:
            raise
        return existing[1]
    return str(created["HIT"]["HITId"])


def notify_queue(endpoint_key: str, mturk_hit_type_id: str, queue_url: str, event_types: Sequence[str]) -> None:
    """Let the endpoint tell an SQS queue of what happens to HITs of a type; a repeat replaces what was set."""
    notification = {
        "Destination": queue_url,
        "Transport": "SQS",
        "Version": "2014-08-15",  # the only one in AWS's guide; the SDK's text has an older one
        "EventTypes": list(event_types),
    }
    _call(
        endpoint_key,
        "update_notification_settings",
        HITTypeId=mturk_hit_type_id,
        Notification=notification,
        Active=True,
    )


def list_hits(endpoint_key: str) -> Iterator[dict[str, Any]]:
    """Every HIT of the account, newest first at most endpoints; as botocore's ``HIT`` shape."""
    return _pages(endpoint_key, "list_hits", "HITs")


def find_hit(endpoint_key: str, mturk_hit_id: str) -> dict[str, Any] | None:
    """The HIT as botocore's ``HIT`` shape; None if the endpoint does not know it any more (deleted, disposed)."""
    try:
        return get_hit(endpoint_key, mturk_hit_id)
    except Rejected as refusal:
        if refusal.code == "HITDoesNotExist":
            return None
        raise


def owns_qualification_type(endpoint_key: str, name: str) -> bool:
    """Whether the account that our key belongs to has a qualification type of that name."""
    found = _pages(
        endpoint_key,
        "list_qualification_types",
        "QualificationTypes",
        Query=name,
        MustBeRequestable=False,
        MustBeOwnedByCaller=True,
    )
    return any(known["Name"] == name for known in found)


def list_assignments(endpoint_key: str, mturk_hit_id: str) -> Iterator[dict[str, Any]]:
    """Every submitted or decided assignment of a HIT, as botocore's ``Assignment`` shape."""
    return _pages(endpoint_key, "list_assignments_for_hit", "Assignments", HITId=mturk_hit_id)


def get_assignment(endpoint_key: str, mturk_assignment_id: str) -> dict[str, Any]:
    """One submitted or decided assignment, as botocore's ``Assignment`` shape."""
    return _call(endpoint_key, "get_assignment", AssignmentId=mturk_assignment_id)["Assignment"]


def approve(endpoint_key: str, mturk_assignment_id: str, feedback: str, override_rejection: bool) -> None:
    """Approve an assignment: this pays the worker."""
    parameters: dict[str, Any] = {"AssignmentId": mturk_assignment_id, "OverrideRejection": override_rejection}
    if feedback:
        parameters["RequesterFeedback"] = feedback
    _call(endpoint_key, "approve_assignment", **parameters)


def reject(endpoint_key: str, mturk_assignment_id: str, feedback: str) -> None:
    """Reject an assignment with a reason, which the worker sees."""
    _call(endpoint_key, "reject_assignment", AssignmentId=mturk_assignment_id, RequesterFeedback=feedback)


def send_bonus(bonus: Bonus) -> None:
    """Pay ``bonus``. A token that was used within 24 hours is refused, as is work that is not decided."""
    _call(
        bonus.batch.endpoint,
        "send_bonus",
        WorkerId=bonus.worker.mturk_worker_id,
        AssignmentId=bonus.assignment.mturk_assignment_id,
        BonusAmount=str(bonus.amount_usd),
        Reason=bonus.reason,
        UniqueRequestToken=str(bonus.token),
    )


def list_bonuses_of_assignment(endpoint_key: str, mturk_assignment_id: str) -> Iterator[dict[str, Any]]:
    """Every bonus paid for an assignment, as botocore's ``BonusPayment`` shape."""
    return _pages(endpoint_key, "list_bonus_payments", "BonusPayments", AssignmentId=mturk_assignment_id)


def list_bonuses_of_hit(endpoint_key: str, mturk_hit_id: str) -> Iterator[dict[str, Any]]:
    """Every bonus paid for work on a HIT, as botocore's ``BonusPayment`` shape."""
    return _pages(endpoint_key, "list_bonus_payments", "BonusPayments", HITId=mturk_hit_id)


def expire_hit(endpoint_key: str, mturk_hit_id: str) -> None:
    """Close a HIT to new workers now; those who hold it may still submit."""
    _call(endpoint_key, "update_expiration_for_hit", HITId=mturk_hit_id, ExpireAt=datetime.fromtimestamp(0, UTC))


def extend_hit(endpoint_key: str, mturk_hit_id: str, until: datetime) -> None:
    """Let a HIT run until ``until``. Asking again for the same time changes nothing.

    The service makes its own token of HIT and time, and refuses the repeat: that is a success.
    """
    try:
        _call(endpoint_key, "update_expiration_for_hit", HITId=mturk_hit_id, ExpireAt=until)
    except Rejected as refusal:
        if "has already been processed" not in str(refusal):
            raise


def add_assignments(endpoint_key: str, mturk_hit_id: str, places: int, token: str) -> None:
    """Add ``places`` to a HIT. Raises Rejected where the token was used before, too: see :func:`get_hit`."""
    _call(
        endpoint_key,
        "create_additional_assignments_for_hit",
        HITId=mturk_hit_id,
        NumberOfAdditionalAssignments=places,
        UniqueRequestToken=token,
    )


def get_hit(endpoint_key: str, mturk_hit_id: str) -> dict[str, Any]:
    """One HIT, as botocore's ``HIT`` shape."""
    hit: dict[str, Any] = _call(endpoint_key, "get_hit", HITId=mturk_hit_id)["HIT"]
    return hit


def delete_hit(endpoint_key: str, mturk_hit_id: str) -> None:
    """Dispose of a HIT whose work is all decided; one that the endpoint has no more is deleted already."""
    try:
        _call(endpoint_key, "delete_hit", HITId=mturk_hit_id)
    except Rejected as refusal:
        gone = refusal.code == "HITDoesNotExist" or "'Disposed'" in str(refusal)
        if not gone:
            raise


def ensure_qualification_type(qualification: Qualification, description: str) -> str:
    """Create the bookkeeping qualification type, or find the one of that name; return its id."""
    try:
        created = _call(
            qualification.endpoint,
            "create_qualification_type",
            Name=qualification.name,
            Description=description,
            QualificationTypeStatus="Active",
        )
    except Rejected as refusal:
        for known in _pages(
            qualification.endpoint,
            "list_qualification_types",
            "QualificationTypes",
            Query=qualification.name,
            MustBeRequestable=False,
            MustBeOwnedByCaller=True,
        ):
            if known["Name"] == qualification.name:
                return str(known["QualificationTypeId"])
        raise refusal
    return str(created["QualificationType"]["QualificationTypeId"])


def grant(endpoint_key: str, mturk_qualification_type_id: str, mturk_worker_id: str) -> None:
    """Give a worker a bookkeeping qualification; giving it again changes nothing."""
    _call(
        endpoint_key,
        "associate_qualification_with_worker",
        QualificationTypeId=mturk_qualification_type_id,
        WorkerId=mturk_worker_id,
        IntegerValue=1,
        SendNotification=False,
    )


def revoke(endpoint_key: str, mturk_qualification_type_id: str, mturk_worker_id: str) -> None:
    """Take a bookkeeping qualification back; from a worker who does not hold it, nothing is taken."""
    try:
        _call(
            endpoint_key,
            "disassociate_qualification_from_worker",
            QualificationTypeId=mturk_qualification_type_id,
            WorkerId=mturk_worker_id,
        )
    except Rejected as refusal:
        if refusal.code not in {"QualificationDoesNotExist", "InvalidQualificationState"}:
            raise


def holders(endpoint_key: str, mturk_qualification_type_id: str) -> set[str]:
    """The endpoint's ids of the workers who hold a qualification."""
    listed = _pages(
        endpoint_key,
        "list_workers_with_qualification_type",
        "Qualifications",
        QualificationTypeId=mturk_qualification_type_id,
        Status="Granted",
    )
    return {str(qualification["WorkerId"]) for qualification in listed}


def block(endpoint_key: str, mturk_worker_id: str, reason: str) -> None:
    """Keep a worker from everything that the account publishes; blocking again changes nothing."""
    _call(endpoint_key, "create_worker_block", WorkerId=mturk_worker_id, Reason=reason)


def unblock(endpoint_key: str, mturk_worker_id: str) -> None:
    """Lift a block; without one nothing changes."""
    _call(endpoint_key, "delete_worker_block", WorkerId=mturk_worker_id)
