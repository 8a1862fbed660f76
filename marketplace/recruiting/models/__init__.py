"""How workers came in, by door."""

from .invitations import Invitation, InvitationUse
from .terms import Consent, Terms

__all__ = ["Consent", "Invitation", "InvitationUse", "Terms"]
