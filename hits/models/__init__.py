"""Batches, HITs and money. Every side effect at an endpoint is a row first, then a call, then its result on the row."""

from .acts import Act
from .batches import Batch
from .blocks import WorkerBlock
from .bonuses import Bonus, CapRaise
from .calls import ApiCall
from .events import SeenEvent
from .money import LedgerEntry
from .qualifications import Qualification, QualificationGrant
from .reconciling import Reconciliation
from .rehearsals import RehearsalRun
from .releases import ReleasePlan
from .rules import WorkerRule
from .standing import EndpointStanding
from .work import HIT, AssignmentDecision, HITType

__all__ = [
    "HIT",
    "Act",
    "ApiCall",
    "AssignmentDecision",
    "Batch",
    "Bonus",
    "CapRaise",
    "EndpointStanding",
    "HITType",
    "LedgerEntry",
    "Qualification",
    "QualificationGrant",
    "Reconciliation",
    "RehearsalRun",
    "ReleasePlan",
    "SeenEvent",
    "WorkerBlock",
    "WorkerRule",
]
