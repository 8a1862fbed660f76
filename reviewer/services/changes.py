"""Who changed what of a project or of a login, field by field, from the histories that ``accounts.history`` keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any

from django.db.models import Field, ForeignKey, Model
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Guide, Membership, Project
from hits.models import CapRaise, WorkerRule
from reviewer.models import ReviewRules

# Of each kind of row, the latest so many changes.
MOST = 200
# Says nothing that a person chose.
NOT_TOLD = {"id", "created_at", "created_by", "date_joined", "position"}


@dataclass(frozen=True)
class FieldChange:
    """One field's change, as it is told; ``was`` is None where the row is new, or what it was is not known."""

    label: str
    was: str | None
    now: str


@dataclass(frozen=True)
class Change:
    """One change: when, by whom (empty: in the terminal or by a job), of what, and its fields."""

    at: datetime
    by: str
    what: str
    fields: tuple[FieldChange, ...]


def of_project(project: Project) -> list[Change]:
    """The changes of ``project``'s settings, its members, its rules and its guide, the latest first."""
    members = Membership.history.filter(project=project).select_related("user", "history_user")
    rules = WorkerRule.history.filter(project=project).select_related("history_user")
    found = [
        *_edited(Project.history.filter(id=project.pk).select_related("history_user", "origin"), lambda row: ""),
        *_edited(members, lambda row: _("member {name}").format(name=_name(row.user))),
        *_edited(rules, lambda row: _("rule about workers")),
        *_review_rules(project),
        *_guides(project),
        *_caps(project),
    ]
    return sorted(found, key=lambda change: change.at, reverse=True)[:MOST]


def of_users() -> list[Change]:
    """The changes of logins and what they may do on the whole site, the latest first."""
    rows = User.history.select_related("history_user")
    return list(_edited(rows, lambda row: _("user {name}").format(name=row.username)))[:MOST]


def _edited(history: Any, what: Any) -> Iterable[Change]:
    """The changes of a history, newest first; rows in which nothing differs are left out."""
    rows = list(history.order_by("-history_id")[: MOST + 1])
    before: dict[Any, Any] = {}
    pairs = []
    for row in reversed(rows):
        pairs.append((row, before.get(row.id)))
        before[row.id] = row
    for row, earlier in reversed(pairs):
        told = str(what(row))
        if row.history_type == "-":
            gone = _("removed: {what}").format(what=told)
            yield Change(row.history_date, _name(row.history_user), gone, _differences(row, None))
        elif earlier is None and row.history_type == "+":
            new = _("added: {what}").format(what=told) if told else _("made the project")
            yield Change(row.history_date, _name(row.history_user), new, _differences(row, None) if told else ())
        elif fields := _differences(row, earlier):
            yield Change(row.history_date, _name(row.history_user), told or _("settings"), fields)


def _differences(row: Any, earlier: Any) -> tuple[FieldChange, ...]:
    fields = [field for field in row.tracked_fields if field.name not in NOT_TOLD]
    return tuple(
        FieldChange(_label(field), None if earlier is None else _told(field, earlier), _told(field, row))
        for field in fields
        if not isinstance(field, ForeignKey)
        and (earlier is None or getattr(earlier, field.attname) != getattr(row, field.attname))
    )


def _label(field: Field) -> str:
    return str(field.verbose_name)


def _told(field: Field, row: Model) -> str:
    value = getattr(row, field.attname)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None or value in ("", []):
        return "–"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(str(one) for one in value)
    return str(dict(field.flatchoices).get(value, value))


def _name(user: User | None) -> str:
    return user.get_username() if user is not None else ""


def _review_rules(project: Project) -> Iterable[Change]:
    rows = ReviewRules.objects.filter(project=project).select_related("set_by").order_by("-pk")[: MOST + 1]
    kept = list(rows)
    compared = ("claim_minutes", "undo_seconds", "bulk_undo_seconds", "second_share_percent", "second_seed")
    for row, earlier in zip_longest(kept, kept[1:]):
        fields = [ReviewRules._meta.get_field(name) for name in compared]
        told = [
            FieldChange(_label(field), _told(field, earlier) if earlier else None, _told(field, row))  # type: ignore[arg-type]
            for field in fields
            if earlier is None or getattr(earlier, field.name) != getattr(row, field.name)
        ]
        was = earlier.thresholds if earlier else {}
        told += [
            FieldChange(
                _("threshold of {signal}").format(signal=code), _number(was, code), _number(row.thresholds, code)
            )
            for code in sorted({*was, *row.thresholds})
            if was.get(code, "") != row.thresholds.get(code, "")
        ]
        yield Change(row.set_at, _name(row.set_by), _("rules of review"), tuple(told))


def _number(thresholds: dict[str, Any], code: str) -> str:
    if code not in thresholds:
        return _("default")
    return _("off") if thresholds[code] is None else str(thresholds[code])


def _guides(project: Project) -> Iterable[Change]:
    rows = Guide.objects.filter(project=project).select_related("written_by").defer("texts", "quiz")
    for row in rows.order_by("-number")[:MOST]:
        what = _("guide for workers, version {number}").format(number=row.number)
        yield Change(row.written_at, _name(row.written_by), what, ())


def _caps(project: Project) -> Iterable[Change]:
    rows = CapRaise.objects.filter(batch__project=project).select_related("batch", "raised_by")
    for row in rows.order_by("-pk")[:MOST]:
        field = FieldChange(_("cap, USD"), str(row.from_usd), str(row.to_usd))
        yield Change(row.raised_at, _name(row.raised_by), str(row.batch), (field,))
