"""The remarks of ``scoring.advice`` in words: as sentences for the worker, and as settings of a project."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import advice

# What a requester chooses from, in the order of ``advice.CODES``.
CHOICES = [
    (advice.COPIED, gettext_lazy("The question repeats five or more words of the paragraph in a row")),
    (advice.NOT_A_QUESTION, gettext_lazy("It is not a question")),
    (advice.TWO_IN_ONE, gettext_lazy("It asks two questions at once")),
    (advice.DUPLICATE, gettext_lazy("It repeats another question of the paragraph")),
    (advice.ASKED_BEFORE, gettext_lazy("It repeats a question that the paragraph has from other work or an import")),
    (advice.ANSWER_IN_QUESTION, gettext_lazy("The question holds its answer")),
    (advice.SAME_ANSWER, gettext_lazy("The same piece answers another question")),
    (advice.OVERLAPPING_ANSWER, gettext_lazy("The answer overlaps that of another question")),
    (advice.LONG_ANSWER, gettext_lazy("The answer is long")),
    (advice.LOOSE_ANSWER, gettext_lazy("The answer begins or ends with what it does not need")),
]


def advice_sentences() -> dict[str, str]:
    """What the worker reads, by code, in the active language. ``{name}`` is filled in with a remark's values."""
    return {
        advice.COPIED: _("Repeats {count} words in a row: try your own words."),
        advice.NOT_A_QUESTION: _("This does not read like a question: does a question mark belong at its end?"),
        advice.TWO_IN_ONE: _("These are two questions: one answer can fit only one of them."),
        advice.DUPLICATE: _("This asks the same as question {number}."),
        advice.ASKED_BEFORE: _("This was asked about the paragraph before: could you ask for something else?"),
        advice.ANSWER_IN_QUESTION: _("The answer stands in the question already."),
        advice.SAME_ANSWER: _("Question {number} has the same answer: could one of them ask for something else?"),
        advice.OVERLAPPING_ANSWER: _("The answer overlaps that of question {number}: would a shorter piece do?"),
        advice.LONG_ANSWER: _("The answer has {count} words: is there a shorter piece that answers?"),
        advice.LOOSE_ANSWER: _("The answer can do without “{piece}” at its edge."),
    }


def in_sentence(remark: advice.Advice) -> str:
    """``remark`` for the worker, in the active language."""
    return advice_sentences()[remark.code].format(**remark.values)
