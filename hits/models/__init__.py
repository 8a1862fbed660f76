"""Batches, HITs and money. Every side effect at an endpoint is a row first, then a call, then its result on the row."""

from .batches import Batch
from .money import LedgerEntry
from .qualifications import Qualification, QualificationGrant
from .work import HIT, AssignmentDecision, HITType

__all__ = ["HIT", "AssignmentDecision", "Batch", "HITType", "LedgerEntry", "Qualification", "QualificationGrant"]
