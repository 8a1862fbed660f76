"""The work page's token: proof that a request comes from a page that we gave out, for one assignment and no other."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, ClassVar

from django.core.signing import BadSignature, Signer
from django.utils import timezone
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from annotation.models import Assignment

# A worker whose time ran out still has typed something: for one more day the page can save it, and send it if the
# endpoint's clock is kinder than our estimate. After that a copied token is of no use to anybody.
GRACE_SECONDS = 24 * 60 * 60


class TokenProblem(Exception):
    """A token that is missing, forged, meant for another row, or past its time. ``str()`` is a sentence."""

    code = "bad_token"


class TokenExpired(TokenProblem):
    """A token of ours whose time is over."""

    code = "expired"


class TokenOfErased(TokenProblem):
    """A token of ours for work of somebody whose data was erased since."""

    code = "erased"

    def __init__(self) -> None:
        super().__init__(
            _(
                "What was known of you here was erased, this draft with it: nothing of it can be saved or sent any "
                "more. Please return the HIT; you are welcome to take others."
            )
        )


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says: the frame's own words, the rows they led to, the marketplace's origin that the finished work
    is sent on to, until when all this holds (Unix seconds), and the most that an honest draft can have: paragraphs,
    questions on one of them, and characters in an answer."""

    endpoint: str
    mturk_hit_id: str
    mturk_assignment_id: str
    mturk_worker_id: str
    task_id: int
    kind: str
    assignment_id: int
    submit_to: str
    expires_at: int
    most_paragraphs: int
    most_questions: int
    most_answer_chars: int

    SALT: ClassVar[str] = "annotation.work-page"

    @classmethod
    def of(cls, assignment: Assignment, submit_to: str, most: tuple[int, int, int]) -> Claims:
        """The claims for ``assignment`` from now on: valid for its HIT's whole time and ``GRACE_SECONDS`` more.

        ``submit_to`` is one of the offer's worker origins; ``most`` bounds the draft, in the order of the fields.
        """
        offer = assignment.offer
        return cls(
            endpoint=offer.endpoint,
            mturk_hit_id=offer.mturk_hit_id,
            mturk_assignment_id=assignment.mturk_assignment_id,
            mturk_worker_id=assignment.worker.mturk_worker_id,
            task_id=assignment.task_id,
            kind=offer.task.kind,
            assignment_id=assignment.pk,
            submit_to=submit_to,
            expires_at=int(timezone.now().timestamp()) + offer.allowed_seconds + GRACE_SECONDS,
            most_paragraphs=most[0],
            most_questions=most[1],
            most_answer_chars=most[2],
        )

    def signed(self) -> str:
        return Signer(salt=self.SALT).sign_object(list(astuple(self)))

    @classmethod
    def read(cls, token: str) -> Claims:
        """The claims of ``token``. Raises TokenProblem for one that is not ours, TokenExpired for an old one."""
        try:
            claims = cls(*Signer(salt=cls.SALT).unsign_object(token))
        except (BadSignature, TypeError) as error:  # the latter: of an older release, with other claims
            raise not_ours() from error
        if claims.expires_at < timezone.now().timestamp():
            raise TokenExpired(_("The time for this work is over. Reload the page to see what was saved."))
        return claims

    @property
    def submit_url(self) -> str:
        """Where the marketplace takes finished work. Source: MTurk's documentation of ExternalQuestion."""
        return f"{self.submit_to}/mturk/externalSubmit"

    def matches(self, assignment: Assignment) -> bool:
        """Whether ``assignment``, read anew, is still the row that the token was made for."""
        return (
            self.mturk_assignment_id == assignment.mturk_assignment_id
            and self.task_id == assignment.task_id
            and self.mturk_worker_id == assignment.worker.mturk_worker_id
            and self.endpoint == assignment.offer.endpoint
            and self.mturk_hit_id == assignment.offer.mturk_hit_id
        )


def not_ours() -> TokenProblem:
    """The answer to every token that does not prove what it must; it does not say which part was wrong."""
    return TokenProblem(_("This page's permission does not fit the work. Reload the page and try again."))


def receipt(assignment: Assignment) -> str:
    """What the finished page sends to the marketplace beside the assignment id: always the same for one row."""
    return receipt_of(assignment.pk)


def receipt_of(assignment_id: int) -> str:
    """The receipt of the assignment with that key of ours."""
    return Signer(salt="annotation.receipt").sign(str(assignment_id))
