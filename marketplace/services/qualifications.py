"""What HIT types ask of workers, and whether a worker has it.

Source: QualificationRequirement in the API reference. Where AWS does not say what a comparator makes of a worker
without a value, only ``DoesNotExist`` is met.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..models import Assignment, QualificationGrant, QualificationType, WorkerProfile

# Fewer submissions than this and the approval rate reads 100.
RATE_COUNTS_FROM = 100

# Which actions are closed to a worker who fails a requirement that guards the given one.
GUARDED_BY = {
    "Discover": {"DiscoverPreviewAndAccept"},
    "Preview": {"DiscoverPreviewAndAccept", "PreviewAndAccept"},
    "Accept": {"DiscoverPreviewAndAccept", "PreviewAndAccept", "Accept"},
}


@dataclass(frozen=True)
class Value:
    """A worker's value of a qualification type: an integer or a place."""

    integer: int | None = None
    country: str = ""
    subdivision: str = ""

    def __str__(self) -> str:
        if self.country:
            return f"{self.country}-{self.subdivision}" if self.subdivision else self.country
        return str(self.integer)


Standing = dict[str, Value]  # by qualification type id; a type that the worker does not hold is absent


def standing_of(worker: WorkerProfile, type_ids: Iterable[str]) -> Standing:
    """The worker's values of ``type_ids``: grants first, then what history says for the system's own types."""
    wanted = set(type_ids)
    if not wanted:
        return {}
    grants = QualificationGrant.objects.filter(
        worker=worker, status=QualificationGrant.Status.GRANTED, qualification_type__type_id__in=wanted
    ).values_list("qualification_type__type_id", "integer_value", "country", "subdivision")
    standing = {type_id: Value(integer, country, subdivision) for type_id, integer, country, subdivision in grants}
    from_history = {QualificationType.NUMBER_APPROVED, QualificationType.PERCENT_APPROVED} & wanted - set(standing)
    if from_history:
        history = history_of(worker)
        standing |= {type_id: history[type_id] for type_id in from_history}
    return standing


def history_of(worker: WorkerProfile) -> Standing:
    """Number and share of the worker's assignments that were approved, as the system's own types count them."""
    decided = Q(status__in=[Assignment.Status.APPROVED, Assignment.Status.REJECTED])
    totals = Assignment.objects.of_worker(worker).aggregate(
        submitted=Count("id", filter=Q(status__in=Assignment.LISTED)),
        decided=Count("id", filter=decided),
        approved=Count("id", filter=Q(status=Assignment.Status.APPROVED)),
    )
    percent = 100
    if totals["submitted"] >= RATE_COUNTS_FROM and totals["decided"]:
        percent = 100 * totals["approved"] // totals["decided"]
    return {
        QualificationType.NUMBER_APPROVED: Value(totals["approved"]),
        QualificationType.PERCENT_APPROVED: Value(percent),
    }


def types_asked(requirements: Iterable[dict[str, Any]]) -> set[str]:
    return {requirement["QualificationTypeId"] for requirement in requirements}


def allows(requirements: list[dict[str, Any]], action: str, standing: Standing) -> bool:
    """Whether a worker of ``standing`` may Discover, Preview or Accept HITs with ``requirements``."""
    return all(
        meets(requirement, standing.get(requirement["QualificationTypeId"]))
        for requirement in requirements
        if guard_of(requirement) in GUARDED_BY[action]
    )


def guard_of(requirement: dict[str, Any]) -> str:
    """The requirement's ActionsGuarded; the deprecated RequiredToPreview means PreviewAndAccept."""
    if "ActionsGuarded" in requirement:
        return requirement["ActionsGuarded"]
    return "PreviewAndAccept" if requirement.get("RequiredToPreview") else "Accept"


INTEGER_TESTS: dict[str, Callable[[int, list[int]], bool]] = {
    "LessThan": lambda value, wanted: value < wanted[0],
    "LessThanOrEqualTo": lambda value, wanted: value <= wanted[0],
    "GreaterThan": lambda value, wanted: value > wanted[0],
    "GreaterThanOrEqualTo": lambda value, wanted: value >= wanted[0],
    "EqualTo": lambda value, wanted: value == wanted[0],
    "NotEqualTo": lambda value, wanted: value != wanted[0],
    "In": lambda value, wanted: value in wanted,
    "NotIn": lambda value, wanted: value not in wanted,
}


def meets(requirement: dict[str, Any], value: Value | None) -> bool:
    comparator = requirement["Comparator"]
    if comparator in ("Exists", "DoesNotExist"):
        return (value is not None) == (comparator == "Exists")
    if value is None:
        return False
    if "LocaleValues" in requirement:
        is_there = any(_lies_in(value, place) for place in requirement["LocaleValues"])
        return is_there == (comparator in ("EqualTo", "In"))
    if value.integer is None:
        return False
    return INTEGER_TESTS[comparator](value.integer, requirement["IntegerValues"])


def _lies_in(value: Value, place: dict[str, str]) -> bool:
    # A country holds its subdivisions; a worker known by country alone is in none of them.
    return value.country == place["Country"] and place.get("Subdivision", value.subdivision) == value.subdivision


@dataclass(frozen=True)
class Need:
    """One requirement in words, and how the worker stands to it."""

    text: str
    is_met: bool
    have: str  # the worker's value, empty if there is none
    ask_for: str = ""  # id of the qualification type, where the worker may be able to get what is missing


@dataclass(frozen=True)
class Named:
    """A custom qualification type in a word, and whether workers may ask for it."""

    name: str
    is_requestable: bool
    is_private: bool = False  # a requester's own note, which is not named to workers

    def __str__(self) -> str:
        return self.name


def needs_of(
    requirements: list[dict[str, Any]], standing: Standing, names: dict[str, Named] | None = None
) -> list[Need]:
    """``requirements`` in words for a worker of ``standing``; ``names`` as ``names_of`` gives them saves a query."""
    if names is None:
        names = names_of(types_asked(requirements))
    needs = []
    for requirement in requirements:
        type_id = requirement["QualificationTypeId"]
        value = standing.get(type_id)
        name = str(SYSTEM_NAMES.get(type_id) or names.get(type_id) or type_id)
        is_met = meets(requirement, value)
        if type_id in names and names[type_id].is_private:
            if not is_met:
                needs.append(Need(_("A condition of the requester's own, which they keep to themselves"), False, ""))
            continue
        can_ask = type_id in names and names[type_id].is_requestable and requirement["Comparator"] != "DoesNotExist"
        ask_for = type_id if can_ask and not is_met else ""
        needs.append(Need(_in_words(name, requirement), is_met, str(value or ""), ask_for))
    return needs


SYSTEM_NAMES: dict[str, Promise] = {
    QualificationType.PERCENT_APPROVED: gettext_lazy("Approval rate (%)"),
    QualificationType.NUMBER_APPROVED: gettext_lazy("HITs approved"),
    QualificationType.LOCALE: gettext_lazy("Location"),
    QualificationType.ADULT: gettext_lazy("Adult content agreed to"),
    QualificationType.MASTERS: gettext_lazy("Masters"),
    QualificationType.MASTERS_SANDBOX: gettext_lazy("Masters"),
}


def _in_words(name: str, requirement: dict[str, Any]) -> str:
    wanted = ", ".join(
        "-".join(filter(None, (value["Country"], value.get("Subdivision"))))
        for value in requirement.get("LocaleValues", [])
    ) or ", ".join(str(value) for value in requirement.get("IntegerValues", []))
    sentences = {
        "LessThan": _("{name} below {wanted}"),
        "LessThanOrEqualTo": _("{name} at most {wanted}"),
        "GreaterThan": _("{name} above {wanted}"),
        "GreaterThanOrEqualTo": _("{name} at least {wanted}"),
        "EqualTo": _("{name}: {wanted}"),
        "NotEqualTo": _("{name}: not {wanted}"),
        "In": _("{name}: one of {wanted}"),
        "NotIn": _("{name}: none of {wanted}"),
        "Exists": _("{name}: held"),
        "DoesNotExist": _("{name}: not held"),
    }
    return sentences[requirement["Comparator"]].format(name=name, wanted=wanted)


def names_of(type_ids: Iterable[str]) -> dict[str, Named]:
    """Custom qualification types by id."""
    wanted = set(type_ids) - set(SYSTEM_NAMES)
    if not wanted:
        return {}
    rows = QualificationType.objects.with_privacy().filter(type_id__in=wanted).defer("test", "answer_key")
    return {row.type_id: Named(row.name, row.is_requestable, row.is_private) for row in rows}


def unmet_sentence(needs: list[Need]) -> str:
    """Which needs are not met, for a worker who may not accept."""
    unmet = [need.text for need in needs if not need.is_met]
    sentence = ngettext("You do not meet this requirement: %s.", "You do not meet these requirements: %s.", len(unmet))
    return sentence % "; ".join(unmet)


def record_of(worker: WorkerProfile) -> list[tuple[str, str]]:
    """What the system's own types say of ``worker``: names and values, without those that they do not have."""
    standing = standing_of(worker, SYSTEM_NAMES)
    # Masters has two ids, for production and for the sandbox.
    shown = {str(SYSTEM_NAMES[type_id]): str(value) for type_id, value in standing.items()}
    return sorted(shown.items())
