"""How the panels that are known by name make their links, and where they want people back.

Sources: Prolific's public API documentation (placeholders, completion address); CloudResearch's documentation of its
query string parameters (workerId, hitId, assignmentId); SONA's page "Using the SURVEY CODE Feature". None of them was
tried against the live service.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..models.panels import Panel


@dataclass(frozen=True)
class Preset:
    """Parameter names, what the panel puts in their place, and the address for an outcome's code."""

    participant: str
    study: str = ""
    session: str = ""
    completion_url: str = ""
    placeholders: dict[str, str] = field(default_factory=dict)  # by parameter


PRESETS: dict[str, Preset] = {
    Panel.Kind.PROLIFIC: Preset(
        "PROLIFIC_PID",
        "STUDY_ID",
        "SESSION_ID",
        "https://app.prolific.com/submissions/complete?cc={code}",
        {
            "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
            "STUDY_ID": "{{%STUDY_ID%}}",
            "SESSION_ID": "{{%SESSION_ID%}}",
        },
    ),
    # CloudResearch appends its parameters itself.
    Panel.Kind.CLOUDRESEARCH: Preset("workerId", "hitId", "assignmentId"),
    # SONA knows one number a sign-up, and its own completion address, which the researcher copies.
    Panel.Kind.SONA: Preset("survey_code", placeholders={"survey_code": "%SURVEY_CODE%"}),
    Panel.Kind.OTHER: Preset("participant", "", "session"),
}


# The columns of a study that its panel needs for those who are complete: one of each group.
NEEDED: dict[str, list[tuple[str, ...]]] = {
    Panel.Kind.PROLIFIC: [("complete_code",)],
    Panel.Kind.CLOUDRESEARCH: [("complete_code", "complete_url")],
    Panel.Kind.SONA: [("complete_url",)],
    Panel.Kind.OTHER: [],  # a list of one's own may do without
}


def missing(kind: str, values: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The groups of NEEDED of which ``values`` has none, and a code that an address asks for and that is not there."""
    lacking = [names for names in NEEDED[kind] if not any(values.get(name) for name in names)]
    for outcome in ("complete", "screened_out", "quota_full"):
        code, url = f"{outcome}_code", f"{outcome}_url"
        if "{code}" in (values.get(url) or "") and not values.get(code) and (code,) not in lacking:
            lacking.append((code,))
    return lacking


def preset_of(panel: Panel) -> Preset:
    return PRESETS[panel.kind]
