"""What a project asks of workers, in the words of the API: QualificationRequirements, and what an endpoint refuses.

Source of the bounds: botocore's ``mturk`` service model and AWS's API reference, QualificationRequirement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Project
from hits import endpoints
from hits.models import WorkerRule

# System qualification types: AWS, Mechanical Turk API reference, QualificationRequirement.
PERCENT_APPROVED = "000000000000000000L0"
NUMBER_HITS_APPROVED = "00000000000000000040"
LOCALE = "00000000000000000071"
ADULT = "00000000000000000060"
# Each side of Mechanical Turk has a type of its own; a rule names production's.
MASTERS = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"
MASTERS_SANDBOX = "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"
# Nobody even sees a HIT that they may not accept.
GUARD = "DiscoverPreviewAndAccept"

MOST_INTEGERS, MOST_LOCALES, MOST_REQUIREMENTS = 15, 30, 10
# Kept out, wrote, quota of the batch, quiz: see qualifications.requirements.
MOST_OF_OURS = 4
MOST_INTEGER = 2**31 - 1
NO_VALUES = {WorkerRule.Comparator.EXISTS, WorkerRule.Comparator.DOES_NOT_EXIST}
MANY_VALUES = {WorkerRule.Comparator.IN, WorkerRule.Comparator.NOT_IN}
FOR_LOCALES = MANY_VALUES | {WorkerRule.Comparator.EQUAL, WorkerRule.Comparator.NOT_EQUAL}


class NotARule(Exception):
    """A rule that an endpoint would refuse; the message says what and what to do."""


def requirement(type_id: str, comparator: str, **values: Any) -> dict[str, Any]:
    """One QualificationRequirement; ``values`` are ``IntegerValues`` or ``LocaleValues``."""
    return {"QualificationTypeId": type_id, "Comparator": comparator, **values, "ActionsGuarded": GUARD}


def of_project(project: Project, endpoint_key: str) -> list[dict[str, Any]]:
    """What ``project`` asks of workers at an endpoint, without its bookkeeping qualifications."""
    wanted: list[dict[str, Any]] = []
    at_least = [(PERCENT_APPROVED, project.min_percent_approved), (NUMBER_HITS_APPROVED, project.min_hits_approved)]
    for type_id, minimum in at_least:
        if minimum is not None:
            wanted.append(requirement(type_id, "GreaterThanOrEqualTo", IntegerValues=[minimum]))
    if project.countries:
        wanted.append(requirement(LOCALE, "In", LocaleValues=[{"Country": code} for code in project.countries]))
    return wanted + [_of_rule(rule, endpoint_key) for rule in project.worker_rules.order_by("position")]


def _of_rule(rule: WorkerRule, endpoint_key: str) -> dict[str, Any]:
    type_id = rule.qualification_type_id
    if type_id == MASTERS and "sandbox" in endpoints.get(endpoint_key).url:
        type_id = MASTERS_SANDBOX
    values: dict[str, Any] = {}
    if rule.integer_values:
        values["IntegerValues"] = list(rule.integer_values)
    if rule.locale_values:
        values["LocaleValues"] = [_locale(code) for code in rule.locale_values]
    return requirement(type_id, rule.comparator, **values)


def _locale(code: str) -> dict[str, str]:
    country, _dash, subdivision = code.partition("-")
    return {"Country": country, "Subdivision": subdivision} if subdivision else {"Country": country}


def parse_rule(type_id: str, comparator: str, values: str) -> WorkerRule:
    """An unsaved rule from what was typed: ``values`` are whole numbers, or places such as ``US, US-PA``.

    Raises NotARule for whatever an endpoint would refuse.
    """
    type_id = type_id.strip().upper()
    if not re.fullmatch("[A-Z0-9]{1,64}", type_id):
        raise NotARule(_("The id of a qualification type has capital letters and digits alone, 64 at most."))
    if comparator not in WorkerRule.Comparator.values:
        raise NotARule(_("Choose how the value is compared."))
    typed = [value.strip().upper() for value in values.split(",") if value.strip()]
    _check_count(comparator, typed, MOST_LOCALES if type_id == LOCALE else MOST_INTEGERS)
    rule = WorkerRule(qualification_type_id=type_id, comparator=comparator)
    if type_id == LOCALE:
        rule.locale_values = _locales(comparator, typed)
    else:
        rule.integer_values = _integers(typed)
        _check_system_type(type_id, comparator, rule.integer_values)
    return rule


def _check_count(comparator: str, typed: Sequence[str], most: int) -> None:
    if comparator in NO_VALUES and typed:
        raise NotARule(_("“Is held” and “is not held” take no value: leave it empty."))
    if comparator in MANY_VALUES and not 1 <= len(typed) <= most:
        raise NotARule(_("“One of” and “none of” take 1 to {most} values with commas between them.").format(most=most))
    if comparator not in NO_VALUES | MANY_VALUES and len(typed) != 1:
        raise NotARule(_("This comparison takes one value."))


def _locales(comparator: str, typed: list[str]) -> list[str]:
    if comparator not in FOR_LOCALES:
        raise NotARule(_("A place is compared by “is”, “is not”, “is one of” or “is none of”."))
    for code in typed:
        if not re.fullmatch(r"[A-Z]{2}(-[A-Z0-9]{1,3})?", code):
            raise NotARule(
                _("{code} is no place: two-letter countries such as US, or US-PA for a part.").format(code=code)
            )
    return typed


def _integers(typed: list[str]) -> list[int]:
    if not all(re.fullmatch("[0-9]{1,10}", value) and int(value) <= MOST_INTEGER for value in typed):
        raise NotARule(_("Values are whole numbers from 0 to {most}.").format(most=MOST_INTEGER))
    return [int(value) for value in typed]


def _check_system_type(type_id: str, comparator: str, values: list[int]) -> None:
    if type_id == ADULT and (comparator, values) != (WorkerRule.Comparator.EQUAL, [1]):
        raise NotARule(_("Adult content is asked for as “is” 1."))
    if type_id in {MASTERS, MASTERS_SANDBOX} and comparator not in NO_VALUES:
        raise NotARule(_("Masters are asked for by “is held” or “is not held”."))
    if type_id == PERCENT_APPROVED and any(value > 100 for value in values):
        raise NotARule(_("An approval rate is 0 to 100 percent."))


def check_number(project: Project, rules: Sequence[WorkerRule]) -> None:
    """Raises NotARule where ``project`` would ask for more than a HIT may, or for the same twice."""
    of_fields = [
        project.min_percent_approved is not None,
        project.min_hits_approved is not None,
        bool(project.countries),
    ]
    most = MOST_REQUIREMENTS - MOST_OF_OURS
    if sum(of_fields) + len(rules) > most:
        sentence = _(
            "A HIT takes {all} requirements, and the project needs up to {ours} of them for itself: keep to {most}."
        )
        raise NotARule(sentence.format(all=MOST_REQUIREMENTS, ours=MOST_OF_OURS, most=most))
    pairs = [(rule.qualification_type_id, rule.comparator) for rule in rules]
    if len(set(pairs)) != len(pairs):
        raise NotARule(_("The same type is compared the same way twice: put the values into one rule."))


@transaction.atomic
def replace_rules(project: Project, rules: Iterable[WorkerRule]) -> None:
    """Make ``rules`` those of ``project``, in this order. HIT types that exist keep what they were made with."""
    rules = list(rules)
    if [_said(rule) for rule in project.worker_rules.order_by("position")] == [_said(rule) for rule in rules]:
        return
    project.worker_rules.all().delete()
    for position, rule in enumerate(rules):
        rule.project, rule.position = project, position
        rule.save(force_insert=True)  # one by one, so that each is in the history


def _said(rule: WorkerRule) -> tuple[object, ...]:
    values = (list(rule.integer_values), list(rule.locale_values))
    return (rule.qualification_type_id, rule.comparator, *values)
