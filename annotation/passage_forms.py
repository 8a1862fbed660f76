"""What the pages about passages ask for. What it means is said by ``services.passages``."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.keys import key_from
from annotation.models import Article
from annotation.services.choosing import MOST_WHY_CHARS
from annotation.services.passages import ARTICLE_ORDERS, ORDERS, STATES, Narrowing

MOST_CHARACTERS = 2**31 - 1
MOST_KEY = 2**63 - 1
MOST_IDS = 200
STATE_WORDS = {
    "": _("all"),
    "in": _("in: may be asked about"),
    "excluded": _("excluded"),
    "untouched": _("in no task, without questions"),
    "in_tasks": _("in tasks"),
    "with_questions": _("with questions"),
}
ORDER_WORDS = {
    "": _("as in their articles"),
    "shortest": _("shortest first"),
    "longest": _("longest first"),
    "newest": _("newest first"),
}
ARTICLE_ORDER_WORDS = {
    "": _("as they came in"),
    "title": _("by title"),
    "most": _("most paragraphs first"),
    "fewest": _("fewest paragraphs first"),
}
SPLITS = [("", _("every split")), *Article.Split.choices]


class NarrowingForm(forms.Form):
    """Which paragraphs a list holds, as its address says it. Every field may be left out."""

    words = forms.CharField(label=_("Words in the text"), max_length=200, required=False)
    title = forms.CharField(label=_("Article"), max_length=200, required=False)
    section = forms.CharField(label=_("Section"), max_length=300, required=False)
    key_word = forms.CharField(label=_("Key word of the article"), max_length=100, required=False)
    topic = forms.CharField(label=_("Topic of the article"), max_length=200, required=False)
    least = forms.IntegerField(label=_("Characters, at least"), min_value=0, max_value=MOST_CHARACTERS, required=False)
    most = forms.IntegerField(label=_("Characters, at most"), min_value=0, max_value=MOST_CHARACTERS, required=False)
    split = forms.ChoiceField(label=_("Split"), choices=SPLITS, required=False)
    state = forms.ChoiceField(
        label=_("State"), choices=[(state, STATE_WORDS[state]) for state in STATES], required=False
    )
    order = forms.ChoiceField(
        label=_("Order"), choices=[(order, ORDER_WORDS[order]) for order in ORDERS], required=False
    )
    # Narrowed to by links alone.
    article = forms.IntegerField(min_value=1, max_value=MOST_KEY, required=False, widget=forms.HiddenInput)
    imported_from = forms.IntegerField(min_value=1, max_value=MOST_KEY, required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        # Paragraphs marked one by one; only where somebody did.
        self.ids = data.getlist("ids") if hasattr(data, "getlist") else []

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if len(self.ids) > MOST_IDS or not all(key_from(key) for key in self.ids):
            raise forms.ValidationError(_("The marked paragraphs cannot be read. Go back and mark them again."))
        return dict(cleaned) | {"ids": [int(key) for key in self.ids]}

    def clean_key_word(self) -> str:
        return str(self.cleaned_data["key_word"]).lower()

    def narrowing(self) -> Narrowing:
        """What the valid fields ask for."""
        return Narrowing.of(self.cleaned_data)


class ArticlesForm(forms.Form):
    """Which articles a list holds."""

    words = forms.CharField(label=_("Title, topic or key word"), max_length=200, required=False)
    split = forms.ChoiceField(label=_("Split"), choices=SPLITS, required=False)
    order = forms.ChoiceField(
        label=_("Order"), choices=[(order, ARTICLE_ORDER_WORDS[order]) for order in ARTICLE_ORDERS], required=False
    )


class WhyForm(forms.Form):
    """The reason for a decision; ``expected`` is how many paragraphs the page before it named."""

    why = forms.CharField(
        label=_("Why?"), max_length=MOST_WHY_CHARS, help_text=_("A few words that stay with the decision.")
    )
    expected = forms.IntegerField(min_value=0, max_value=MOST_CHARACTERS, required=False, widget=forms.HiddenInput)


def chosen(form: forms.Form) -> dict[str, Any]:
    """The fields of a list's address that narrow or order anything, as they go into the next page's."""
    return {name: value for name, value in form.cleaned_data.items() if value not in (None, "", [])}


def narrowing_of(data: Any) -> tuple[NarrowingForm, Narrowing]:
    """The form of a list's address, and what it asks for; a field that cannot be used narrows nothing."""
    form = NarrowingForm(data)
    form.is_valid()
    return form, form.narrowing()
