"""Why there is no work page: each reason as a page says it, with its status."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.services import first_looks
from annotation.services import work as services


@dataclass(frozen=True)
class Refusal:
    """A page in words."""

    name: str
    status: int
    title: str | Promise
    text: str | Promise
    # After so many seconds the page looks by itself whether it is there by now.
    again_seconds: int | None = None


BEING_SET_UP = Refusal(
    "being-set-up",
    202,
    _("This HIT is being set up"),
    _("It will be here in a moment. The page tries again by itself every few seconds."),
    again_seconds=3,
)
ANOTHER_HIT = Refusal(
    "another-hit",
    404,
    _("This is not the HIT you opened"),
    _("The address names another HIT than the one this page belongs to. Return the HIT and open it again."),
)
NOT_WHOLE = Refusal(
    "not-whole",
    400,
    _("The address is not whole"),
    _("The marketplace did not say who you are. Reload the page; if that does not help, return the HIT."),
)
ANOTHER_SITE = Refusal(
    "another-site",
    400,
    _("Your work could not be sent from here"),
    _("The address asks to send the work to a site that this HIT was not published on. Return the HIT."),
)
# By what services.open_assignment raises; FailedQuiz is a KeptOut with more to say, so that it stands before it.
REFUSALS: dict[type[Exception], Refusal] = {
    services.DoneBefore: Refusal(
        "done-before",
        409,
        _("You already did this one"),
        _("Your earlier work on this task has arrived and is kept. Please return this HIT: it needs someone else."),
    ),
    services.ListedBefore: Refusal(
        "listed-before",
        409,
        _("The marketplace already has this HIT"),
        _("It was submitted there with what we had of your work by then. Nothing can be added any more."),
    ),
    services.ErasedBefore: Refusal(
        "erased-before",
        409,
        _("This HIT cannot be opened again"),
        _("What was known of the person who had it was erased. Other HITs can be taken as always."),
    ),
    services.WritersOwnQuestions: Refusal(
        "own-questions",
        409,
        _("You wrote some of these questions"),
        _("They need an answer from somebody else. Please return this HIT; it does not count against you here."),
    ),
    services.AnsweredBefore: Refusal(
        "answered-before",
        409,
        _("You answered some of these questions before"),
        _("They need an answer from somebody else. Please return this HIT; it does not count against you here."),
    ),
    services.PassedBefore: Refusal(
        "passed-before",
        409,
        _("You have passed this quiz already"),
        _("There is no need to take it again. Please return this HIT: it needs someone else."),
    ),
    services.FailedQuiz: Refusal(
        "failed-quiz",
        409,
        _("This work needs the quiz"),
        _(
            "You took the quiz of this project, and it did not work out. Please return this HIT; the requester can "
            "let you try again."
        ),
    ),
    services.KeptOut: Refusal(
        "kept-out",
        409,
        _("This work is not open to you"),
        _("The requester has closed this project to you. Please return this HIT; nothing was recorded about it."),
    ),
    services.QuotaReached: Refusal(
        "quota-reached",
        409,
        _("You have done all that one person may do here"),
        _("So that many people take part, each does a limited number. Please return this HIT, and thank you."),
    ),
    first_looks.OthersOpen: Refusal(
        "others-open",
        409,
        _("Please finish first what you have open"),
        _(
            "Somebody looks at each new worker's first HITs before they do more, and you have as many of them open as "
            "that takes. Finish those, and keep this one if you like: this page tries again by itself every minute. "
            "If you returned them, it opens once their time is over."
        ),
        again_seconds=60,
    ),
    first_looks.WaitsForLook: Refusal(
        "waits-for-look",
        409,
        _("Somebody looks at your first work before you go on"),
        _(
            "In this project each new worker does a few HITs, and then somebody looks at them before more are open. "
            "All that you did is kept, and is paid as usual. You can keep this HIT while its time lasts: this page "
            "tries again by itself every minute, and opens as soon as somebody has looked. Or return it; the others "
            "open to you then, too."
        ),
        again_seconds=60,
    ),
    services.NotThisHIT: Refusal(
        "not-this-hit",
        400,
        _("This assignment belongs to another HIT"),
        _("Open the HIT again from your queue in the marketplace."),
    ),
}
ALL = (BEING_SET_UP, ANOTHER_HIT, NOT_WHOLE, ANOTHER_SITE, *REFUSALS.values())


def refusal_of(raised: Exception) -> Refusal:
    """The reason for ``raised``, which is one of REFUSALS."""
    return next(refusal for kind, refusal in REFUSALS.items() if isinstance(raised, kind))
