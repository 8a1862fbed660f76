"""How workers came in, by door."""

from .applications import Application, OpenSignUp
from .invitations import Invitation, InvitationUse
from .panels import Panel, PanelStudy, Participant, StudyHITType, Visit, VisitAssignment
from .payments import BonusBatch, PanelBonus
from .prolific import PanelDecision, PanelEvent, ProlificStudy
from .terms import Consent, Terms

__all__ = [
    "Application",
    "BonusBatch",
    "Consent",
    "Invitation",
    "InvitationUse",
    "OpenSignUp",
    "Panel",
    "PanelBonus",
    "PanelDecision",
    "PanelEvent",
    "PanelStudy",
    "Participant",
    "ProlificStudy",
    "StudyHITType",
    "Terms",
    "Visit",
    "VisitAssignment",
]
