"""What a curation is asked for by, on its page and over the API: the options of ``manage.py curate``, and files."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.services import curation_files as files
from annotation.services.curating import Wish
from curation.filters import FilterSettings
from curation.sentence_counts import Splitter
from curation.wikipedia.wikitext import Lists

DEFAULTS = FilterSettings()
MOST_NUMBER = 2**31 - 1
LISTS = {
    Lists.LEAVE_OUT: _("leave them out"),
    Lists.KEEP: _("keep each as a paragraph"),
}
SPLITTERS = {
    Splitter.AUTO: _("Stanza where its models are there, else rules"),
    Splitter.RULES: _("rules"),
    Splitter.STANZA: _("Stanza"),
}
SOURCE = ("files", "server_source", "wiki")
TITLES = ("titles", "server_titles", "views_of", "server_index", "top", "sample", "seed")
ON_SERVER = ("server_source", "server_titles", "server_index")
COMMON = ("min_chars", "max_chars", "min_sentences", "language", "licence", "attribution", "source_url")


class ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files; an empty list where none is sent."""

    widget = ManyFiles(attrs={"class": "file-input"})

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        return [super(FilesField, self).clean(one, initial) for one in data or []]


def whole(label: Any, least: int, initial: int | None = None, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=MOST_NUMBER,
        initial=initial,
        required=initial is not None,
        help_text=help_text,
    )


def share(label: Any, initial: float) -> forms.FloatField:
    """A share from 0 to 1."""
    widget = forms.NumberInput(attrs={"step": "0.01"})
    return forms.FloatField(label=label, min_value=0, max_value=1, initial=initial, widget=widget)


class CurationForm(forms.Form):
    """A source, perhaps a list of titles, and what a paragraph must be like to be kept."""

    files = FilesField(  # type: ignore[assignment]  # a field, not the attribute
        label=_("Send over"),
        required=False,
        help_text=_(
            "A dump of a wiki (.xml, .xml.bz2, .xml.gz), documents (text, Markdown, HTML, JSON Lines, CSV, SQuAD "
            "JSON, DOCX, PDF), up to a hundred at once, or a zip of more."
        ),
    )
    server_source = forms.ChoiceField(label=_("Or read what is on the server"), required=False)
    wiki = forms.ChoiceField(
        label=_("Or read a live wiki"),
        required=False,
        help_text=_("Page by page, slowly: for some hundred titles of a list."),
    )
    titles = forms.FileField(
        label=_("List of titles"),
        required=False,
        widget=forms.FileInput(attrs={"class": "file-input"}),
        help_text=_("CSV, PageRank or page views, the highest rank first. Without a list all articles are read."),
    )
    server_titles = forms.ChoiceField(label=_("Or a list on the server"), required=False)
    views_of = forms.CharField(
        label=_("Which wiki’s page views"), max_length=100, required=False, help_text=_("Of several: en.wikipedia")
    )
    server_index = forms.ChoiceField(
        label=_("Index of a multistream dump on the server"),
        required=False,
        help_text=_("Then only the parts of the dump that hold the titles are read."),
    )
    top = whole(_("The first N of the list"), 1)
    sample = whole(_("Of these, draw M"), 1)
    seed = whole(_("Seed of the draw"), 0, 0)
    min_chars = whole(_("Fewest characters"), 0, DEFAULTS.min_chars)
    max_chars = whole(_("Most characters"), 1, DEFAULTS.max_chars)
    min_sentences = whole(_("Fewest sentences"), 0, DEFAULTS.min_sentences, _("0: sentences are not counted."))
    language = forms.CharField(
        label=_("Language"), max_length=35, required=False, help_text=_("Where articles do not say it: en, de, zh …")
    )
    licence = forms.CharField(
        label=_("Licence"), max_length=200, required=False, help_text=_("Where articles do not say it: CC BY 4.0 …")
    )
    attribution = forms.CharField(
        label=_("Attribution"), max_length=2000, required=False, help_text=_("The words that the licence asks for.")
    )
    source_url = forms.URLField(
        label=_("Address of the source"), max_length=2000, required=False, assume_scheme="https"
    )
    max_digits = share(_("Largest share of digits"), DEFAULTS.max_digits)
    max_markup = share(_("Largest share of markup"), DEFAULTS.max_markup)
    max_foreign_script = share(_("Largest share of letters of another script"), DEFAULTS.max_foreign_script)
    duplicates = share(_("Near-duplicates: how alike"), DEFAULTS.duplicate_likeness)
    keep_duplicates = forms.BooleanField(label=_("Keep near-duplicates"), required=False)
    keep_boilerplate = forms.BooleanField(label=_("Keep notices, prompts and filler"), required=False)
    any_language = forms.BooleanField(label=_("Keep texts in another language"), required=False)
    sentences = forms.ChoiceField(
        label=_("Who counts sentences"), choices=[(one.value, words) for one, words in SPLITTERS.items()]
    )
    lists = forms.ChoiceField(label=_("Lists in a dump"), choices=[(one.value, words) for one, words in LISTS.items()])
    min_article_chars = whole(_("Shorter pages of a dump are stubs, characters"), 0, 1_000)
    text_field = forms.CharField(label=_("Column or field of the text"), max_length=100, initial="text")
    title_field = forms.CharField(label=_("Column or field of the title"), max_length=100, initial="title")

    def __init__(self, project: Project, data: Any = None, uploads: Any = None) -> None:
        super().__init__(data, uploads, initial={"language": project.language, "sentences": "auto"})
        least = max(project.min_paragraph_chars, 1)
        self.fields["min_chars"].initial = least
        self.fields["max_chars"].initial = max(DEFAULTS.max_chars, least)
        offered = files.offered()
        for name in ON_SERVER:
            choices = [("", _("nothing")), *((one, one) for one in offered)]
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101 - they are above
            field.choices = choices
            if not offered:
                field.widget = forms.HiddenInput()
        wiki = self.fields["wiki"]
        assert isinstance(wiki, forms.ChoiceField)  # noqa: S101 - it is above
        wiki.choices = [("", _("nothing")), *((one, one) for one in settings.CURATION_WIKIS)]
        if not settings.CURATION_WIKIS:
            wiki.widget = forms.HiddenInput()

    def clean_duplicates(self) -> float:
        if not self.cleaned_data["duplicates"]:
            raise ValidationError(_("It must be above 0."))
        return float(self.cleaned_data["duplicates"])

    def wish(self) -> Wish:
        """What the valid form asks for."""
        options = {name: value for name, value in self.cleaned_data.items() if name not in (*SOURCE, *TITLES[:2])}
        return Wish(
            options=options,
            uploads=list(self.cleaned_data["files"]),
            server_source=self.cleaned_data["server_source"],
            wiki=self.cleaned_data["wiki"],
            titles=self.cleaned_data["titles"],
            server_titles=self.cleaned_data["server_titles"],
        )

    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields of the page under their headings; the last group is folded."""
        first = [
            (_("What is read"), SOURCE),
            (_("Which articles: by a list of titles"), TITLES),
            (_("Which paragraphs are kept, and what is said of them"), COMMON),
        ]
        rest = [name for name in self.fields if name not in {*SOURCE, *TITLES, *COMMON}]
        every = [*first, (_("More rules"), rest)]
        return [(title, [self[name] for name in names if not self[name].is_hidden]) for title, names in every]
