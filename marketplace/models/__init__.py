"""The marketplace's facts, by subject."""

from .accounts import AccessKey, RequesterProfile, User, WorkerProfile
from .blocks import WorkerBlock
from .events import Event, Notice, NotificationSetting
from .faults import CallRate, Fault
from .messages import Message
from .money import Bonus, LedgerEntry
from .operating import OperatorAction
from .opinions import Rating, Report
from .pace import Pace
from .payouts import PaymentDetails, Payout, PayoutBatch, PayoutLine
from .policies import PolicyOutcome, PolicyRun, ReviewPolicy
from .qualifications import QualificationGrant, QualificationRequest, QualificationType
from .rehearsing import ClockOffset
from .sign_in_links import SignInLink
from .work import HIT, Assignment, Decision, HITType, IllegalMove, RequestToken

__all__ = [
    "HIT",
    "AccessKey",
    "Assignment",
    "Bonus",
    "CallRate",
    "ClockOffset",
    "Decision",
    "Event",
    "Fault",
    "HITType",
    "IllegalMove",
    "LedgerEntry",
    "Message",
    "Notice",
    "NotificationSetting",
    "OperatorAction",
    "Pace",
    "PaymentDetails",
    "Payout",
    "PayoutBatch",
    "PayoutLine",
    "PolicyOutcome",
    "PolicyRun",
    "QualificationGrant",
    "QualificationRequest",
    "QualificationType",
    "Rating",
    "Report",
    "RequestToken",
    "RequesterProfile",
    "ReviewPolicy",
    "SignInLink",
    "User",
    "WorkerBlock",
    "WorkerProfile",
]
