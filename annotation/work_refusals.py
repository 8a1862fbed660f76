"""Why a worker is not let into a task that they hold: what the page says instead, and its status."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.services import work as services

# By what ``open_assignment`` raises; FailedQuiz is a KeptOut with more to say, so that it stands before it.
REFUSALS: dict[type[Exception], tuple[int, Promise, Promise]] = {
    services.DoneBefore: (
        409,
        _("You already did this one"),
        _("Your earlier work on this task has arrived and is kept. Please return this HIT: it needs someone else."),
    ),
    services.ListedBefore: (
        409,
        _("The marketplace already has this HIT"),
        _("It was submitted there with what we had of your work by then. Nothing can be added any more."),
    ),
    services.WritersOwnQuestions: (
        409,
        _("You wrote some of these questions"),
        _("They need an answer from somebody else. Please return this HIT; it does not count against you here."),
    ),
    services.PassedBefore: (
        409,
        _("You have passed this quiz already"),
        _("There is no need to take it again. Please return this HIT: it needs someone else."),
    ),
    services.FailedQuiz: (
        409,
        _("This work needs the quiz"),
        _(
            "You took the quiz of this project, and it did not work out. Please return this HIT; the requester can "
            "let you try again."
        ),
    ),
    services.KeptOut: (
        409,
        _("This work is not open to you"),
        _("The requester has closed this project to you. Please return this HIT; nothing was recorded about it."),
    ),
    services.QuotaReached: (
        409,
        _("You have done all that one person may do here"),
        _("So that many people take part, each does a limited number. Please return this HIT, and thank you."),
    ),
    services.NotThisHIT: (
        400,
        _("This assignment belongs to another HIT"),
        _("Open the HIT again from your queue in the marketplace."),
    ),
}


def refusal_of(raised: Exception) -> tuple[int, str, str]:
    """Status, heading and sentence for ``raised``, one of ``REFUSALS``, in the language of the page."""
    status, heading, sentence = next(words for kind, words in REFUSALS.items() if isinstance(raised, kind))
    return status, str(heading), str(sentence)
