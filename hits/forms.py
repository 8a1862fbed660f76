"""The launch form."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotation.models import Article, Project, Task
from annotation.services.gold import MOST_A_TASK

from . import endpoints
from .release_forms import ReleaseForm
from .services.planning import BatchSpec

# One HIT without the surcharge that Mechanical Turk takes from ten workers up.
USUAL_QUIZ_WORKERS = 9


class LaunchForm(ReleaseForm):
    """What a requester chooses for a batch; ``spec()`` is it in the words of the services."""

    kind = forms.ChoiceField(label=_("Stage"), choices=Task.Kind.choices, widget=forms.RadioSelect)
    splits = forms.MultipleChoiceField(
        label=_("Splits"),
        choices=Article.Split.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen means all of them to write for; dev and test to answer."),
    )
    articles = forms.ModelMultipleChoiceField(
        label=_("Articles"),
        queryset=Article.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen means all of them."),
    )
    units_per_hit = forms.IntegerField(
        label=_("Paragraphs, or questions to answer, in a HIT"), min_value=1, max_value=100
    )
    hourly_rate_usd = forms.DecimalField(
        label=_("Pay per hour, USD"), min_value=0, max_value=1000, max_digits=8, decimal_places=2
    )
    extra_answers = forms.IntegerField(label=_("Extra answers a question"), min_value=1, max_value=20)
    gold_per_hit = forms.IntegerField(
        label=_("Gold checks in a HIT"),
        required=False,
        min_value=0,
        max_value=MOST_A_TASK,
        help_text=_(
            "Known questions among the others, paid like them. They show who reads, and are no part of the data."
        ),
    )
    quiz_workers = forms.IntegerField(
        label=_("Workers who may take the quiz"),
        required=False,
        min_value=1,
        max_value=10_000,
        help_text=_("Each is paid for it once, whether they pass or not."),
    )
    bonus_reserve_percent = forms.DecimalField(
        label=_("Bonus reserve, % of the rewards"),
        required=False,
        min_value=0,
        max_value=100,
        max_digits=4,
        decimal_places=1,
        help_text=_("Set aside for bonuses, such as fair pay once the work was measured. What is not used is freed."),
    )
    endpoint = forms.ChoiceField(label=_("Endpoint"))
    confirmed_total_usd = forms.DecimalField(
        label=_("Type the total to launch"),
        required=False,
        max_digits=10,
        decimal_places=2,
        help_text=_("This endpoint pays people: so that nobody spends by accident."),
    )

    def __init__(self, *args: Any, project: Project, kind: str = "", **kwargs: Any) -> None:
        answering, quizzing = kind == Task.Kind.ANSWER, kind == Task.Kind.QUIZ
        kwargs.setdefault(
            "initial",
            {
                "kind": kind if answering or quizzing else Task.Kind.WRITE,
                "splits": [Article.Split.DEV, Article.Split.TEST] if answering else [],
                "units_per_hit": project.questions_per_answer_task if answering else project.paragraphs_per_task,
                "hourly_rate_usd": project.hourly_rate_usd,
                "extra_answers": project.extra_answers or 1,
                "quiz_workers": USUAL_QUIZ_WORKERS,
                "bonus_reserve_percent": 0,
                "gold_per_hit": 0,
            },
        )
        super().__init__(*args, **kwargs)
        articles = self.fields["articles"]
        assert isinstance(articles, forms.ModelMultipleChoiceField)  # noqa: S101 - tells the type checker
        articles.queryset = Article.objects.in_project(project).order_by("position")
        endpoint = self.fields["endpoint"]
        assert isinstance(endpoint, forms.ChoiceField)  # noqa: S101 - tells the type checker
        endpoint.choices = [
            (key, known.label)
            for key, known in endpoints.all_endpoints().items()
            if known.is_for_rehearsal == project.is_rehearsal
        ]

    def clean(self) -> dict[str, Any]:
        chosen: dict[str, Any] = super().clean() or self.cleaned_data
        if chosen.get("kind") == Task.Kind.QUIZ and not chosen.get("quiz_workers") and not self.errors:
            self.add_error("quiz_workers", ValidationError(_("Say how many workers may take the quiz.")))
        return chosen

    def spec(self) -> BatchSpec:
        chosen = self.cleaned_data
        if chosen["kind"] == Task.Kind.QUIZ:
            chosen |= {"splits": [], "articles": [], "units_per_hit": 1}
        return BatchSpec(
            kind=chosen["kind"],
            endpoint=chosen["endpoint"],
            splits=tuple(chosen["splits"]),
            articles=tuple(article.pk for article in chosen["articles"]),
            units_per_hit=chosen["units_per_hit"],
            hourly_rate_usd=chosen["hourly_rate_usd"],
            bonus_reserve_percent=chosen["bonus_reserve_percent"] or Decimal(0),
            release=self.release(),
            most_tasks_a_worker=chosen["most_tasks_a_worker"],
            quiz_workers=chosen["quiz_workers"] or 0 if chosen["kind"] == Task.Kind.QUIZ else 0,
            extra_answers=chosen["extra_answers"] if chosen["kind"] == Task.Kind.ANSWER else 0,
            gold_per_hit=chosen.get("gold_per_hit") or 0 if chosen["kind"] == Task.Kind.ANSWER else 0,
        )
