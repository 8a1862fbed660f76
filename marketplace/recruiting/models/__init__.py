"""How workers came in, by door."""

from .invitations import Invitation, InvitationUse
from .panels import Panel, PanelStudy, Participant, StudyHITType, Visit, VisitAssignment
from .terms import Consent, Terms

__all__ = [
    "Consent",
    "Invitation",
    "InvitationUse",
    "Panel",
    "PanelStudy",
    "Participant",
    "StudyHITType",
    "Terms",
    "Visit",
    "VisitAssignment",
]
