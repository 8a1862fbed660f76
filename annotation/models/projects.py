"""Projects and who may do what in them."""

import re
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from accounts.history import Changes
from annotation.querysets import ProjectQuerySet
from scoring.advice import CODES

CENT = Decimal("0.01")
DAY_SECONDS = 24 * 60 * 60


def between(least: Decimal | int, most: Decimal | int) -> list[MinValueValidator | MaxValueValidator]:
    """The validators of a number from ``least`` to ``most``, both included."""
    return [MinValueValidator(least), MaxValueValidator(most)]


def country_codes(value: Any) -> None:
    """Raises ValidationError unless ``value`` is a list of two-letter codes of ISO 3166-1 in upper case."""
    if not isinstance(value, list) or not all(
        isinstance(code, str) and re.fullmatch("[A-Z]{2}", code) for code in value
    ):
        raise ValidationError(_("A list of two-letter country codes in upper case, such as US and CA."))


def advice_codes(value: Any) -> None:
    """Raises ValidationError unless ``value`` is a list of codes of ``scoring.advice``."""
    if not isinstance(value, list) or not all(code in CODES for code in value):
        raise ValidationError(_("A list of remarks such as %(codes)s.") % {"codes": ", ".join(CODES[:2])})


class Project(models.Model):
    """One dataset in the making. Its fields are the protocol; a preset fills them in (``annotation.presets``)."""

    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(_("short name"), unique=True, help_text=_("Used in addresses and commands."))
    language = models.CharField(
        _("language"),
        max_length=35,
        default="en",
        validators=[RegexValidator(r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", _("A BCP 47 tag such as en or zh-Hant."))],
        help_text=_("A BCP 47 tag; it sets the text's direction and what counts as a token."),
    )
    preset = models.CharField(_("preset"), max_length=40, default="own-crowd")
    # A rehearsal is a clone played by scripted workers; nothing of it is ever exported.
    is_rehearsal = models.BooleanField(_("rehearsal"), default=False, editable=False)
    origin = models.ForeignKey("self", models.PROTECT, null=True, blank=True, editable=False, related_name="rehearsals")

    # Passages
    min_paragraph_chars = models.PositiveIntegerField(_("shortest paragraph, in characters"), default=500)
    train_percent = models.PositiveSmallIntegerField(_("articles in train, %"), default=80)
    dev_percent = models.PositiveSmallIntegerField(_("articles in dev, %"), default=10)
    test_percent = models.PositiveSmallIntegerField(_("articles in test, %"), default=10)
    split_seed = models.PositiveIntegerField(_("seed of the split"), default=0)

    # Work
    copy_lock = models.BooleanField(
        _("copy-paste lock"),
        default=True,
        help_text=_("Workers cannot copy from the paragraph or paste into a question."),
    )
    stopping_advice = models.JSONField(
        _("remarks that stop"),
        default=list,
        blank=True,
        validators=[advice_codes],
        help_text=_("While they work, workers see remarks on questions and answers. Those chosen here must be heeded."),
    )
    min_questions = models.PositiveSmallIntegerField(_("fewest questions a paragraph"), default=1)
    max_questions = models.PositiveSmallIntegerField(
        _("most questions a paragraph"), default=5, validators=between(1, 50)
    )
    writers_per_paragraph = models.PositiveSmallIntegerField(
        _("writers a paragraph"), default=1, validators=between(1, 100)
    )
    paragraphs_per_task = models.PositiveSmallIntegerField(
        _("paragraphs in a writing HIT"), default=5, validators=between(1, 100)
    )
    questions_per_answer_task = models.PositiveSmallIntegerField(
        _("questions in an answering HIT"), default=5, validators=between(1, 100)
    )
    extra_answers = models.PositiveSmallIntegerField(
        _("extra answers a question"), default=2, validators=between(0, 20)
    )

    # Time and pay
    hourly_rate_usd = models.DecimalField(
        _("pay per hour, USD"), max_digits=8, decimal_places=2, default=9, validators=between(CENT, 1000)
    )
    seconds_per_paragraph = models.PositiveIntegerField(
        _("seconds to write for a paragraph"), default=240, validators=between(1, DAY_SECONDS)
    )
    seconds_per_answer = models.PositiveIntegerField(
        _("seconds to answer a question"), default=24, validators=between(1, DAY_SECONDS)
    )
    seconds_per_quiz = models.PositiveIntegerField(
        _("seconds to take the quiz"), default=480, validators=between(1, DAY_SECONDS)
    )
    # The paper does not say how long workers were allowed; three times the paid time is our choice.
    time_allowance = models.PositiveSmallIntegerField(
        _("time allowed, as a multiple of the paid time"), default=3, validators=between(1, 100)
    )
    lifetime_days = models.PositiveSmallIntegerField(_("days a HIT stays open"), default=7, validators=between(1, 365))
    auto_approval_days = models.PositiveSmallIntegerField(
        _("days until work approves itself"), default=7, validators=between(0, 30)
    )
    spending_cap_usd = models.DecimalField(_("spending cap, USD"), max_digits=10, decimal_places=2, default=0)

    # Who may work
    min_percent_approved = models.PositiveSmallIntegerField(
        _("approval rate, at least %"), null=True, blank=True, validators=between(0, 100)
    )
    min_hits_approved = models.PositiveIntegerField(_("HITs approved, at least"), null=True, blank=True)
    countries = models.JSONField(
        _("countries"),
        default=list,
        blank=True,
        validators=[country_codes],
        help_text=_('ISO codes, such as ["US", "CA"].'),
    )

    most_tasks_a_worker = models.PositiveIntegerField(
        _("HITs for one worker, at most"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("In the whole project. Empty: as many as they like."),
    )
    tasks_before_look = models.PositiveIntegerField(
        _("HITs of a new worker until somebody looks"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_(
            "Whoever has done so many waits until a reviewer has looked at their work, and then goes on. Empty: nobody "
            "waits. It holds for batches that are running, too."
        ),
    )
    quiz_required = models.BooleanField(
        _("only workers who passed the quiz"),
        default=False,
        help_text=_("HITs of later batches can be taken only by workers who passed, or whom a requester let pass."),
    )

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ProjectQuerySet.as_manager()
    history = Changes()

    class Meta:
        verbose_name = _("project")
        verbose_name_plural = _("projects")
        constraints = [
            models.CheckConstraint(
                name="split_is_a_hundred_percent",
                condition=Q(train_percent=100 - F("dev_percent") - F("test_percent")),
                violation_error_message=_("Train, dev and test must add up to a hundred percent."),
            ),
            models.CheckConstraint(
                name="fewest_questions_below_most",
                condition=Q(min_questions__lte=F("max_questions")),
                violation_error_message=_("The fewest questions cannot be more than the most."),
            ),
            models.CheckConstraint(
                name="a_rehearsal_has_an_origin", condition=Q(is_rehearsal=False) | Q(origin__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def text_direction(self) -> str:
        """``rtl`` or ``ltr``, for the ``dir`` attribute of its paragraphs."""
        try:
            return "rtl" if get_language_info(self.language)["bidi"] else "ltr"
        except KeyError:
            return "ltr"


class Membership(models.Model):
    """What a user may do in a project."""

    class Role(models.TextChoices):
        REQUESTER = "requester", _("requester")  # imports, launches, pays, reviews, exports
        REVIEWER = "reviewer", _("reviewer")  # approves and rejects
        VIEWER = "viewer", _("viewer")  # looks

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=20, choices=Role)

    history = Changes()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [models.UniqueConstraint(fields=["user", "project"], name="one_role_per_user_and_project")]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"
