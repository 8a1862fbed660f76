"""How the panels that are known by name make their links, and where they want people back.

Sources: Prolific's public API documentation (placeholders, completion address); CloudResearch's documentation of its
query string parameters (workerId, hitId, assignmentId); SONA's page "Using the SURVEY CODE Feature". None of them was
tried against the live service.
"""

from dataclasses import dataclass, field

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


def preset_of(panel: Panel) -> Preset:
    return PRESETS[panel.kind]
