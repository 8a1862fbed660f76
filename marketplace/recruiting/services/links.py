"""Study links: what stands in them, what is believed of it, and where people go when they are done.

A link's parameters are unsigned, unless the panel shares a secret. What somebody who forges them can gain, and what
bounds it, is written down in docs/recruiting.md.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from ..models import Panel, PanelStudy, Visit
from .presets import preset_of

# An id begins with a letter or a digit, so that no spreadsheet takes it for a formula.
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+~-]{0,99}", re.ASCII)
SIGNATURE = "signature"


class BadLink(Exception):
    """The link cannot be used; the message is a sentence for the person who opened it."""


@dataclass(frozen=True)
class Arrival:
    """Who comes, for which study of the panel's, in which session. The last two are empty where the panel has none."""

    participant_id: str
    study_id: str = ""
    session_id: str = ""


def read(study: PanelStudy, query: Mapping[str, Sequence[str]]) -> Arrival:
    """The arrival that the link's parameters (name to all of its values) tell. Raises BadLink."""
    panel = study.panel
    arrival = Arrival(
        _value(query, panel.participant_parameter),
        _value(query, panel.study_parameter) if panel.study_parameter else "",
        _value(query, panel.session_parameter) if panel.session_parameter else "",
    )
    if arrival.study_id and study.external_id and arrival.study_id != study.external_id:
        raise BadLink(_("This link belongs to another study. Open the study again from the panel's own page."))
    if panel.check_by == Panel.Check.SIGNATURE:
        given = "".join(query.get(SIGNATURE, [])[:1])
        if not hmac.compare_digest(given.encode(), sign(study, arrival).encode()):
            raise BadLink(_("This link was changed or cut off. Open it again from where you got it."))
    return arrival


def _value(query: Mapping[str, Sequence[str]], name: str) -> str:
    values = set(query.get(name, []))
    if len(values) != 1 or not ID.fullmatch(value := values.pop()):
        raise BadLink(
            _(
                "The link does not say who you are: “{name}” is missing or is not an id. "
                "Open the study from the panel's own page, and not from a copied link."
            ).format(name=name)
        )
    return value


def sign(study: PanelStudy, arrival: Arrival) -> str:
    """HMAC-SHA256, in hex, over the study's key, participant, study and session, a line each.

    No id holds a line break, so no two arrivals sign the same text. Raises BadLink where the panel has no secret.
    """
    secret = settings.PANEL_SECRETS.get(study.panel.key, "")
    if not secret:
        raise BadLink(_("This study cannot be opened: the secret of its panel is not set."))
    text = "\n".join([study.key, arrival.participant_id, arrival.study_id, arrival.session_id])
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def link_of(study: PanelStudy) -> str:
    """The address to give the panel, with the panel's own placeholders, which are not percent-encoded."""
    panel, placeholders = study.panel, preset_of(study.panel).placeholders
    names = [panel.participant_parameter, panel.study_parameter, panel.session_parameter]
    query = "&".join(f"{name}={placeholders.get(name, name.upper())}" for name in names if name)
    if panel.kind == Panel.Kind.CLOUDRESEARCH:
        return _address(study)
    return f"{_address(study)}?{query}"


def signed_link(study: PanelStudy, arrival: Arrival) -> str:
    """A link for one participant of a panel whose links are signed. Raises BadLink."""
    panel = study.panel
    pairs = {
        panel.participant_parameter: arrival.participant_id,
        panel.study_parameter: arrival.study_id,
        panel.session_parameter: arrival.session_id,
    }
    query = {name: value for name, value in pairs.items() if name} | {SIGNATURE: sign(study, arrival)}
    return f"{_address(study)}?{urlencode(query)}"


def _address(study: PanelStudy) -> str:
    return f"{settings.MARKETPLACE_URL}{reverse('study', args=[study.key])}"


@dataclass(frozen=True)
class Ending:
    """What a participant goes back to the panel with; either may be empty."""

    code: str
    url: str


def ending_of(visit: Visit) -> Ending | None:
    """The code and the address of the visit's outcome, None while there is none to give."""
    if visit.status not in (Visit.Status.COMPLETE, Visit.Status.SCREENED_OUT, Visit.Status.QUOTA_FULL):
        return None
    return ending(visit.study, visit.status, visit.participant.participant_id, visit.session_id)


def ending(study: PanelStudy, outcome: str, participant_id: str, session_id: str) -> Ending:
    """What ``outcome`` (a visit's status) ends with for that participant."""
    code: str = getattr(study, f"{outcome}_code")
    template: str = getattr(study, f"{outcome}_url") or (preset_of(study.panel).completion_url if code else "")
    values = {"code": code, "participant": participant_id, "study": study.external_id, "session": session_id}
    url = re.sub(r"\{(code|participant|study|session)\}", lambda found: quote(values[found[1]], safe=""), template)
    return Ending(code, url)
