"""Forms of the admin's pages. What they ask for is done by services."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldAdminURLInputWidget,
    UnfoldBooleanSwitchWidget,
)

from accounts.models import User
from annotation.advice_words import CHOICES
from annotation.models import Article, Membership, Paragraph, Project
from annotation.presets import PRESETS
from annotation.sentences import in_words
from annotation.services.choosing import MOST_WHY_CHARS, problem_of
from annotation.services.curation_reports import MAX_REPORT_BYTES, read_report
from annotation.services.passage_intake import MAX_PARAGRAPH_CHARS, text_digest
from scoring.json_files import FileError
from scoring.line_ends import lf

# Of the file as sent, and of what it unpacks to. SQuAD 1.1 as a whole has 35 MB; the command takes larger files.
MAX_UPLOAD_BYTES = 100 * 2**20

PRESET_WORDS = {
    "own-crowd": gettext_lazy("own-crowd: the SQuAD protocol, for a crowd of your own without a work history"),
    "glue-like": gettext_lazy("glue-like: the SQuAD protocol, for a few trained people who passed the quiz"),
    "squad-v1": gettext_lazy("squad-v1: as in the paper; workers with 97 % approval, 1,000 HITs, in the US or Canada"),
}


class NewProjectForm(forms.Form):
    """The four things that a new project cannot guess."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=200,
        widget=UnfoldAdminTextInputWidget(attrs={"autofocus": True, "autocomplete": "off"}),
    )
    language = forms.CharField(
        label=gettext_lazy("Language of the passages"),
        initial="en",
        max_length=35,
        help_text=gettext_lazy("A BCP 47 tag such as en, ar or zh-Hant."),
        widget=UnfoldAdminTextInputWidget,
    )
    preset = forms.ChoiceField(
        label=gettext_lazy("Preset"),
        choices=[(name, PRESET_WORDS.get(name, name)) for name in PRESETS],
        help_text=gettext_lazy("Every number of it can be changed afterwards."),
        widget=UnfoldAdminSelectWidget,
    )
    spending_cap_usd = forms.DecimalField(
        label=gettext_lazy("Spending cap, USD"),
        min_value=0,
        max_digits=10,
        decimal_places=2,
        help_text=gettext_lazy("No batch is launched that would take the project over it."),
        widget=UnfoldAdminDecimalFieldWidget,
    )


class ImportForm(forms.Form):
    """A file of passages."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("SQuAD JSON or JSON Lines (title, paragraphs, source_url, licence), plain or .gz."),
        widget=forms.FileInput(attrs={"class": "file-input"}),
    )
    report = forms.FileField(
        label=gettext_lazy("Report of the curation"),
        required=False,
        help_text=gettext_lazy("The .report.json that lies beside a file made by curate: what was left out, and why."),
        widget=forms.FileInput(attrs={"class": "file-input"}),
    )
    with_questions = forms.BooleanField(
        label=gettext_lazy("Take questions and answers too"),
        required=False,
        help_text=gettext_lazy("From a SQuAD file. Otherwise only its passages are taken."),
        widget=UnfoldBooleanSwitchWidget,
    )
    skip_faulty = forms.BooleanField(
        label=gettext_lazy("Leave faulty questions out"),
        required=False,
        help_text=gettext_lazy("Otherwise one faulty question is enough for nothing to be stored."),
        widget=UnfoldBooleanSwitchWidget,
    )

    def clean_report(self) -> dict[str, Any] | None:
        file: UploadedFile | None = self.cleaned_data["report"]
        try:
            return read_report(file.read(MAX_REPORT_BYTES + 1)) if file else None
        except FileError as refusal:
            raise ValidationError(in_words(refusal.sentence)) from refusal

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MAX_UPLOAD_BYTES:
            raise ValidationError(
                _("The file has %(size)s MB; this page takes %(limit)s MB. Use the command import_articles for it.")
                % {"size": (file.size or 0) >> 20, "limit": MAX_UPLOAD_BYTES >> 20}
            )
        return file


class ArticleForm(forms.ModelForm):
    source_url = forms.URLField(
        label=gettext_lazy("Source"),
        required=False,
        max_length=2000,
        assume_scheme="https",
        widget=UnfoldAdminURLInputWidget,
    )

    class Meta:
        model = Article
        fields = ["title", "source_url", "licence"]


class CountriesField(forms.CharField):
    """A list of country codes, typed with commas between them."""

    code = RegexValidator(r"^[A-Z]{2}$", gettext_lazy("Two-letter country codes with commas between them: US, CA."))

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        codes = [code.strip().upper() for code in super().clean(value).split(",") if code.strip()]
        for code in codes:
            self.code(code)
        return list(dict.fromkeys(codes))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.prepare_value(initial) != data)


class ProjectForm(forms.ModelForm):
    stopping_advice = forms.MultipleChoiceField(
        label=gettext_lazy("Remarks that stop"),
        required=False,
        choices=CHOICES,
        help_text=gettext_lazy(
            "While they work, workers see remarks on questions and answers. Those chosen here must be heeded."
        ),
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )
    countries = CountriesField(
        label=gettext_lazy("Countries"),
        required=False,
        help_text=gettext_lazy("Two-letter codes, such as US, CA. Empty: anywhere."),
        widget=UnfoldAdminTextInputWidget,
    )

    class Meta:
        model = Project
        fields = "__all__"  # noqa: DJ007 - the admin's fieldsets choose


class MemberForm(forms.ModelForm):
    """A member, named by login: a list of all users would show them to everybody."""

    user = forms.ModelChoiceField(
        User.objects.filter(is_active=True, is_staff=True),
        to_field_name="username",
        label=gettext_lazy("User name"),
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        error_messages={"invalid_choice": gettext_lazy("Nobody of this name may sign in here.")},
    )

    class Meta:
        model = Membership
        fields = ["user", "role"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["user"] = self.instance.user.username


class MembersFormSet(forms.BaseInlineFormSet):
    """The members of a project, of whom one at least stays requester."""

    def clean(self) -> None:
        super().clean()
        kept = [form.cleaned_data for form in self.forms if form.cleaned_data and not form.cleaned_data.get("DELETE")]
        had_one = self.instance.memberships.filter(role=Membership.Role.REQUESTER).exists()
        if had_one and not any(member.get("role") == Membership.Role.REQUESTER for member in kept):
            raise ValidationError(_("A project keeps at least one requester."))


class PassageTextarea(UnfoldAdminTextareaWidget):
    """A text box whose content begins as the text does: HTML takes a line end right after the tag for layout."""

    def format_value(self, value: Any) -> str | None:
        formatted = super().format_value(value)
        return None if formatted is None else f"\n{formatted}"


class ParagraphForm(forms.ModelForm):
    """A paragraph's text, where blanks and line ends are data: what a browser does to them is undone."""

    text = forms.CharField(
        label=gettext_lazy("Text"),
        strip=False,
        max_length=MAX_PARAGRAPH_CHARS,
        widget=PassageTextarea(attrs={"rows": 14}),
    )

    why = forms.CharField(
        label=gettext_lazy("Why is it changed?"),
        max_length=MOST_WHY_CHARS,
        required=False,
        help_text=gettext_lazy("Kept with the old text."),
        widget=UnfoldAdminTextInputWidget,
    )

    class Meta:
        model = Paragraph
        fields = ["text"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored: str = self.instance.text

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("text", self.stored) != self.stored and not cleaned.get("why"):
            self.add_error("why", _("Say why in a few words: they stay with the old text."))
        return dict(cleaned)

    def clean_text(self) -> str:
        # A text box sends CRLF for every line end, whatever it was given.
        text = lf(self.cleaned_data["text"])
        if text == lf(self.stored):
            return self.stored
        if problem := problem_of(self.instance, text):
            raise ValidationError(problem)
        self.instance.text_sha256 = text_digest(text)
        return text
