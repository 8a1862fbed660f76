"""The usual reasons of a note to a worker, by the short name that is stored: each worker reads them in the language of
their page. Each says what to do next time."""

from django.utils.translation import gettext_lazy as _

REASONS = {
    "own_words": _("These are the paragraph's words. Ask in your own words, so that the answer has to be looked for."),
    "shorter": _("The answer can be shorter: mark only the words that answer."),
    "longer": _("A part of the answer is missing: mark all the words that it needs."),
    "elsewhere": _("Other words of the paragraph answer the question."),
    "not_answered": _("The paragraph does not answer this question."),
    "answered": _("The paragraph does answer this question."),
    "unclear": _("The question can be understood in more than one way. Say more exactly what is asked."),
    "repeated": _("Another question asks the same. Ask about something else."),
    "language": _("Look at the spelling and the grammar of the question."),
    "good": _("This one is well done. Please go on like this."),
}
