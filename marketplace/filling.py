"""A QuestionForm as it is filled in: what stands in its fields, what is wrong with it, and the answers it comes to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .answers import Answer
from .questions.form import FormQuestion, FreeText, Overview, QuestionForm, Selection
from .questions.patterns import Clock, is_found

OTHER = "other"  # the value of the choice that stands for one's own words


@dataclass
class Field:
    """One question with what the worker put into it; ``error`` is a sentence, empty where nothing is wrong."""

    name: str
    number: int
    question: FormQuestion
    text: str = ""
    selected: tuple[str, ...] = ()
    takes_other: bool = False  # of a single choice: one's own words are what was chosen
    other: str = ""
    error: str = ""

    @property
    def choices(self) -> list[tuple[str, object, bool]]:
        """Value, what is shown, and whether it is chosen; values are numbers, as identifiers may hold anything."""
        assert isinstance(self.question.answer, Selection)  # noqa: S101  # asked of choices alone
        return [
            (str(index), choice.block, choice.identifier in self.selected)
            for index, choice in enumerate(self.question.answer.choices)
        ]

    @property
    def hint(self) -> str:
        return hint_of(self.question)

    @property
    def answer(self) -> Answer | None:
        if not isinstance(self.question.answer, Selection):
            return Answer(self.question.identifier, self.text) if self.text.strip() else None
        if not self.selected and not self.other:
            return None
        return Answer(self.question.identifier, selected=self.selected, other=self.other)


@dataclass
class Filled:
    """``parts`` are the form's overviews and fields in their order."""

    parts: list[Overview | Field] = field(default_factory=list)

    @property
    def fields(self) -> list[Field]:
        return [part for part in self.parts if isinstance(part, Field)]

    @property
    def errors(self) -> list[Field]:
        return [part for part in self.fields if part.error]

    @property
    def answers(self) -> list[Answer]:
        return [field.answer for field in self.fields if field.answer is not None]


def blank(form: QuestionForm) -> Filled:
    """``form`` as it is first met, with the text that its author put into the fields."""
    filled = _with_fields(form)
    for part in filled.fields:
        if isinstance(part.question.answer, FreeText):
            part.text = part.question.answer.default
        elif part.question.answer.other:
            part.other = part.question.answer.other.default
    return filled


def read(form: QuestionForm, data: QueryDict) -> Filled:
    """``form`` with what was sent for it, each field checked."""
    filled, clock = _with_fields(form), Clock()
    for part in filled.fields:
        if isinstance(part.question.answer, FreeText):
            # Browsers send line ends as two characters.
            part.text = _clean(data.get(part.name, ""))
            part.error = text_error(part.question.answer, part.text, clock, is_required=part.question.is_required)
        else:
            _read_choice(part, part.question.answer, data, clock)
    return filled


def _with_fields(form: QuestionForm) -> Filled:
    filled, number = Filled(), 0
    for part in form.parts:
        if isinstance(part, Overview):
            filled.parts.append(part)
        else:
            number += 1
            filled.parts.append(Field(f"q{number}", number, part))
    return filled


def _clean(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\0", "")


def _read_choice(part: Field, answer: Selection, data: QueryDict, clock: Clock) -> None:
    sent = set(data.getlist(part.name))
    part.selected = tuple(choice.identifier for index, choice in enumerate(answer.choices) if str(index) in sent)
    part.takes_other = OTHER in sent
    if answer.other:
        part.other = _clean(data.get(f"{part.name}-other", "")).strip()
    part.error = _choice_error(part, answer, clock)


def _choice_error(part: Field, answer: Selection, clock: Clock) -> str:
    if answer.is_single and part.takes_other and not part.other:
        return _("Write down what you mean by “Other”.")
    if answer.is_single and part.selected and part.other:
        return _("You chose one of the answers and wrote another of your own: keep one of them.")
    count = len(part.selected) + bool(part.other)
    least = max(answer.least, int(part.question.is_required))
    if count < least and (part.question.is_required or count):
        if answer.most == 1:
            return _("Choose one.")
        return ngettext("Choose at least %d.", "Choose at least %d.", least) % least
    if count > answer.most:
        return ngettext("Choose at most %d.", "Choose at most %d.", answer.most) % answer.most
    return text_error(answer.other, part.other, clock) if answer.other and part.other else ""


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)


def text_error(wanted: FreeText, text: str, clock: Clock, *, is_required: bool = False) -> str:
    """What is wrong with ``text``, as a sentence; empty where it is as ``wanted``."""
    if not text.strip():
        return _("This needs an answer.") if is_required else ""
    if wanted.is_numeric and (error := _number_error(wanted, text.strip())):
        return error
    if wanted.shortest is not None and len(text) < wanted.shortest:
        return (
            ngettext("Write at least %d character.", "Write at least %d characters.", wanted.shortest) % wanted.shortest
        )
    if wanted.longest is not None and len(text) > wanted.longest:
        return _("Write at most %(most)d characters; these are %(now)d.") % {"most": wanted.longest, "now": len(text)}
    for pattern in wanted.patterns:
        if not is_found(pattern, text, clock):
            return pattern.error or _("This does not have the form that is asked for.")
    return ""


def _number_error(wanted: FreeText, text: str) -> str:
    if len(text) > 100 or not _NUMBER.fullmatch(text):
        return _("Write a number, in digits.")
    try:
        value = Decimal(text)
    except InvalidOperation:
        return _("Write a number, in digits.")
    if wanted.least is not None and value < wanted.least:
        return _("Write a number of at least %s.") % wanted.least
    if wanted.most is not None and value > wanted.most:
        return _("Write a number of at most %s.") % wanted.most
    return ""


def hint_of(question: FormQuestion) -> str:
    """What the answer must be like, for people to know before they write."""
    answer = question.answer
    if isinstance(answer, Selection):
        if answer.is_single:
            return ""
        least = max(answer.least, int(question.is_required))
        bounds: Mapping[str, int] = {"least": least, "most": answer.most}
        if least == answer.most:
            return ngettext("Choose %d.", "Choose %d.", least) % least
        return (_("Choose %(least)d to %(most)d.") if least else _("Choose up to %(most)d.")) % bounds
    parts = []
    if answer.is_numeric:
        parts.append(_number_hint(answer))
    if answer.shortest and answer.longest is not None:
        parts.append(_("%(least)d to %(most)d characters.") % {"least": answer.shortest, "most": answer.longest})
    elif answer.shortest:
        parts.append(_("At least %d characters.") % answer.shortest)
    elif answer.longest is not None:
        parts.append(_("At most %d characters.") % answer.longest)
    return " ".join(parts)


def _number_hint(answer: FreeText) -> str:
    if answer.least is not None and answer.most is not None:
        return _("A number from %(least)s to %(most)s.") % {"least": answer.least, "most": answer.most}
    if answer.least is not None:
        return _("A number of at least %s.") % answer.least
    if answer.most is not None:
        return _("A number of at most %s.") % answer.most
    return _("A number.")
