"""AnswerKey: how a qualification test is scored by itself.

Source: AnswerKey.xsd of 2005-10-01 and the article "AnswerKey" of the API reference. Chosen here where it is silent:
a percentage is cut to a whole number, a scaled score is rounded half to even, and a value is kept within 32 bits.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from xml.etree.ElementTree import Element

from .form import SCHEMAS, QuestionForm, Selection, identifier_of
from .xml import in_order, name_of, no_text, number, root_of, text_of, unknown_root, whole_number, wrong_xml

NAMESPACE = f"{SCHEMAS}/2005-10-01/AnswerKey.xsd"
MOST = 2**31 - 1  # a score or value
MAPPINGS = ("PercentageMapping", "ScaleMapping", "RangeMapping")


@dataclass(frozen=True)
class KeyQuestion:
    """``options`` are sets of selections, each with its score; the score of any other is ``default``."""

    identifier: str
    options: tuple[tuple[frozenset[str], int], ...]
    default: int


@dataclass(frozen=True)
class ValueMapping:
    """From the sum of the scores to the qualification's value."""

    kind: str
    number: Decimal = Decimal(1)  # the best sum, or the factor
    ranges: tuple[tuple[int, int, int], ...] = ()  # lowest, highest, value
    otherwise: int = 0


@dataclass(frozen=True)
class AnswerKey:
    questions: tuple[KeyQuestion, ...]
    mapping: ValueMapping | None

    def value_of(self, answers: Mapping[str, list[str]]) -> int:
        """The qualification's value for ``answers``: by question the identifiers that were chosen."""
        total = 0
        for question in self.questions:
            chosen = frozenset(answers.get(question.identifier, ()))
            total += next((score for option, score in question.options if option == chosen), question.default)
        return max(-MOST, min(MOST, self._mapped(total)))

    def _mapped(self, total: int) -> int:
        mapping = self.mapping
        if mapping is None:
            return total
        if mapping.kind == "PercentageMapping":
            return int(100 * total / mapping.number)
        if mapping.kind == "ScaleMapping":
            return round(total * mapping.number)
        found = (value for lowest, highest, value in mapping.ranges if lowest <= total <= highest)
        return next(found, mapping.otherwise)


def parse(answer_key: str, test: QuestionForm) -> AnswerKey:
    """Read the AnswerKey of ``test``. Raises Refused, also where it speaks of what the test does not ask."""
    root = root_of("AnswerKey", answer_key)
    if root.tag != f"{{{NAMESPACE}}}AnswerKey":
        raise unknown_root(root)
    no_text(root)
    children, mapping = list(root), None
    if children and name_of(children[-1]) == "QualificationValueMapping":
        mapping = _mapping(children.pop())
    space = f"{{{NAMESPACE}}}"
    for child in children:
        if child.tag != f"{space}Question":
            raise wrong_xml(
                f"An AnswerKey holds Question elements and at last a QualificationValueMapping, not {name_of(child)}."
            )
    questions = tuple(_question(child, test) for child in children)
    if not questions:
        raise wrong_xml("An AnswerKey needs at least one Question.")
    if len({question.identifier for question in questions}) < len(questions):
        raise wrong_xml("A QuestionIdentifier stands twice in the AnswerKey; each is used once.")
    return AnswerKey(questions, mapping)


def _question(element: Element, test: QuestionForm) -> KeyQuestion:
    no_text(element)
    children = list(element)
    names = [name_of(child) for child in children]
    options = names[1:-1] if names[-1:] == ["DefaultScore"] else names[1:]
    if names[:1] != ["QuestionIdentifier"] or set(options) - {"AnswerOption"}:
        raise wrong_xml("A Question of an AnswerKey holds a QuestionIdentifier, AnswerOption elements, a DefaultScore.")
    identifier = identifier_of(children[0])
    asked = next((question for question in test.questions if question.identifier == identifier), None)
    if asked is None:
        raise wrong_xml(f"The AnswerKey scores the question {identifier[:100]!r}, which the Test does not ask.")
    if not isinstance(asked.answer, Selection):
        raise wrong_xml(f"The question {identifier[:100]!r} takes free text; an AnswerKey scores selections alone.")
    known = {choice.identifier for choice in asked.answer.choices}
    default = _score(children[-1]) if names[-1] == "DefaultScore" else 0
    return KeyQuestion(identifier, tuple(_option(child, known) for child in children[1 : 1 + len(options)]), default)


def _option(element: Element, known: set[str]) -> tuple[frozenset[str], int]:
    no_text(element)
    children = list(element)
    names = [name_of(child) for child in children]
    if len(names) < 2 or names[-1] != "AnswerScore" or set(names[:-1]) != {"SelectionIdentifier"}:
        raise wrong_xml("An AnswerOption holds SelectionIdentifier elements, then an AnswerScore.")
    chosen = frozenset(identifier_of(child) for child in children[:-1])
    if unknown := chosen - known:
        raise wrong_xml(f"The Test offers no selection {min(unknown)[:100]!r}, which the AnswerKey scores.")
    return chosen, _score(children[-1])


def _score(element: Element) -> int:
    return whole_number(name_of(element), text_of(element), -MOST, MOST)


def _mapping(element: Element) -> ValueMapping:
    parts = in_order(element, (), MAPPINGS, " ".join(MAPPINGS))
    if len(parts) != 1:
        raise wrong_xml(f"A QualificationValueMapping holds one of {', '.join(MAPPINGS)}.")
    kind, mapping = next(iter(parts.items()))
    if kind == "RangeMapping":
        return _ranges(mapping)
    name = "MaximumSummedScore" if kind == "PercentageMapping" else "SummedScoreMultiplier"
    text = text_of(in_order(mapping, (name,), (), name)[name])
    if kind == "PercentageMapping":
        return ValueMapping(kind, Decimal(whole_number(name, text, 1, MOST)))
    factor = number(name, text)
    if abs(factor) > MOST:
        raise wrong_xml(f"{name} must be from -{MOST} to {MOST}, not {text[:50]!r}.")
    return ValueMapping(kind, factor)


def _ranges(element: Element) -> ValueMapping:
    no_text(element)
    children = list(element)
    names = [name_of(child) for child in children]
    if len(names) < 2 or names[-1] != "OutOfRangeQualificationValue" or set(names[:-1]) != {"SummedScoreRange"}:
        raise wrong_xml("A RangeMapping holds SummedScoreRange elements, then an OutOfRangeQualificationValue.")
    ranges = []
    order = ("InclusiveLowerBound", "InclusiveUpperBound", "QualificationValue")
    for child in children[:-1]:
        parts = in_order(child, order, (), " ".join(order))
        lowest, highest, value = (_score(parts[name]) for name in order)
        if lowest > highest:
            raise wrong_xml(f"InclusiveLowerBound {lowest} is above InclusiveUpperBound {highest}.")
        ranges.append((lowest, highest, value))
    return ValueMapping("RangeMapping", ranges=tuple(ranges), otherwise=_score(children[-1]))
