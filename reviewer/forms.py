"""The forms of the review: a project's rules and thresholds, and gold questions."""

from __future__ import annotations

import math
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Paragraph, Project, Question
from reviewer.models import ReviewRules
from reviewer.models.rules import MOST_NOTE_REASONS
from reviewer.services.signal_catalogue import THRESHOLDS, default_of, in_force
from reviewer.services.verdicts import NoSuchSpan, span_in

MOST_QUESTION_CHARS = 1000


class Finite(forms.FloatField):
    """A number; infinities and NaN are none."""

    def to_python(self, value: Any) -> Any:
        number = super().to_python(value)
        if number is not None and not math.isfinite(number):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return number


class LinesField(forms.CharField):
    """Sentences, one a line; empty lines are none."""

    def __init__(self, *, most_lines: int, most_chars: int, **kwargs: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea({"rows": 4, "dir": "auto"}), **kwargs)
        self.most_lines, self.most_chars = most_lines, most_chars

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        lines = [" ".join(line.split()) for line in super().clean(value).splitlines()]
        found = list(dict.fromkeys(line for line in lines if line))
        if len(found) > self.most_lines:
            raise ValidationError(_("At most %(most)s lines.") % {"most": self.most_lines})
        if too_long := next((number for number, line in enumerate(found, 1) if len(line) > self.most_chars), 0):
            sentence = _("Line %(number)s has more than %(most)s characters.")
            raise ValidationError(sentence % {"number": too_long, "most": self.most_chars})
        return found


class RulesForm(forms.ModelForm):
    """A project's rules, with two fields for each signal: whether it is on, and from where on."""

    note_reasons = LinesField(
        label=gettext_lazy("Reasons of notes to workers, one a line"),
        help_text=gettext_lazy("They stand before the usual ones. Workers read them as they are written here."),
        most_lines=MOST_NOTE_REASONS,
        most_chars=300,
    )

    class Meta:
        model = ReviewRules
        fields = [
            "undo_seconds",
            "bulk_undo_seconds",
            "claim_minutes",
            "second_share_percent",
            "second_seed",
            "note_reasons",
        ]

    def __init__(self, data: Any = None, *, project: Project, rules: ReviewRules) -> None:
        self.project = project
        on = in_force(rules, project.language)
        super().__init__(data, instance=ReviewRules(project=project))
        for name in self.Meta.fields:
            self.initial[name] = getattr(rules, name)
        for threshold in THRESHOLDS:
            value = on[threshold.code]
            default = default_of(threshold, project.language)
            self.fields[f"{threshold.code}_on"] = forms.BooleanField(label=threshold.code.label, required=False)
            self.initial[f"{threshold.code}_on"] = value is not None
            if threshold.unit:
                field = Finite(label=threshold.code.label, min_value=threshold.least, max_value=threshold.most)
                field.widget.attrs["step"] = 1
                self.fields[threshold.code.value] = field
                self.initial[threshold.code.value] = _whole(default if value is None else value)

    def rows(self) -> list[dict[str, Any]]:
        """The signals as the page lists them."""
        return [
            {
                "threshold": threshold,
                "on": self[f"{threshold.code}_on"],
                "value": self[threshold.code.value] if threshold.unit else None,
                "default": _whole(default_of(threshold, self.project.language)),
            }
            for threshold in THRESHOLDS
        ]

    def clean(self) -> dict[str, Any]:
        chosen: dict[str, Any] = super().clean() or self.cleaned_data
        self.instance.thresholds = {}
        for threshold in THRESHOLDS:
            default = default_of(threshold, self.project.language)
            value = chosen.get(threshold.code.value, default) if threshold.unit else default
            if not chosen.get(f"{threshold.code}_on"):
                self.instance.thresholds[threshold.code.value] = None
            elif value != default:
                self.instance.thresholds[threshold.code.value] = value
        return chosen


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


class GoldForm(forms.Form):
    """A question of the dataset to check workers with (by its id), or a new one about a paragraph, and its answer."""

    question_id = forms.CharField(
        label=gettext_lazy("Id of a question of the dataset"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("Leave it empty to write a question that only checks."),
    )
    paragraph = forms.IntegerField(
        label=gettext_lazy("Number of the paragraph"),
        required=False,
        min_value=1,
        max_value=2**62,
        help_text=gettext_lazy("It stands in the address of the paragraph's page among the passages."),
    )
    text = forms.CharField(
        label=gettext_lazy("Question"),
        required=False,
        max_length=MOST_QUESTION_CHARS,
        widget=forms.Textarea({"rows": 2}),
    )
    answer = forms.CharField(
        label=gettext_lazy("The known answer, as it stands in the paragraph"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    occurrence = forms.IntegerField(
        label=gettext_lazy("Which one, where the words stand there several times (1 is the first)"),
        required=False,
        min_value=1,
        max_value=9999,
    )
    unanswerable = forms.BooleanField(label=gettext_lazy("It cannot be answered from the paragraph"), required=False)
    note = forms.CharField(label=gettext_lazy("Note for colleagues"), required=False, max_length=500)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        self.project = project
        self.question: Question | None = None
        self.about: Paragraph | None = None
        self.span: tuple[int, int] | None = None
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        chosen: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return chosen
        if chosen["question_id"]:
            rows = Question.objects.in_project(self.project).counting().select_related("paragraph")
            self.question = rows.filter(public_id=chosen["question_id"].strip()).first()
            if self.question is None:
                self.add_error("question_id", _("No question of the dataset has this id."))
                return chosen
            self.about = self.question.paragraph
        else:
            self.about = Paragraph.objects.in_project(self.project).filter(pk=chosen["paragraph"] or 0).first()
            if self.about is None:
                self.add_error("paragraph", _("No paragraph of this project has this number."))
            if not chosen["text"].strip():
                self.add_error("text", _("Type the question."))
        if self.about is None:
            return chosen
        if not chosen["unanswerable"]:
            try:
                self.span = span_in(self.about.text, chosen["answer"], None, None, chosen["occurrence"])
            except NoSuchSpan as problem:
                self.add_error("answer", str(problem))
        return chosen
