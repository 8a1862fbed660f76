"""Keep what projects and memberships were after each change."""

from decimal import Decimal

import django.core.validators
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models

import annotation.models.projects


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0017_hold_new_workers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="HistoricalMembership",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("requester", "requester"), ("reviewer", "reviewer"), ("viewer", "viewer")],
                        max_length=20,
                        verbose_name="role",
                    ),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="annotation.project",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "historical member",
                "verbose_name_plural": "historical members",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalProject",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                ("name", models.CharField(max_length=200, verbose_name="name")),
                ("slug", models.SlugField(help_text="Used in addresses and commands.", verbose_name="short name")),
                (
                    "language",
                    models.CharField(
                        default="en",
                        help_text="A BCP 47 tag; it sets the text's direction and what counts as a token.",
                        max_length=35,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", "A BCP 47 tag such as en or zh-Hant."
                            )
                        ],
                        verbose_name="language",
                    ),
                ),
                ("preset", models.CharField(default="own-crowd", max_length=40, verbose_name="preset")),
                ("is_rehearsal", models.BooleanField(default=False, editable=False, verbose_name="rehearsal")),
                (
                    "min_paragraph_chars",
                    models.PositiveIntegerField(default=500, verbose_name="shortest paragraph, in characters"),
                ),
                ("train_percent", models.PositiveSmallIntegerField(default=80, verbose_name="articles in train, %")),
                ("dev_percent", models.PositiveSmallIntegerField(default=10, verbose_name="articles in dev, %")),
                ("test_percent", models.PositiveSmallIntegerField(default=10, verbose_name="articles in test, %")),
                ("split_seed", models.PositiveIntegerField(default=0, verbose_name="seed of the split")),
                (
                    "copy_lock",
                    models.BooleanField(
                        default=True,
                        help_text="Workers cannot copy from the paragraph or paste into a question.",
                        verbose_name="copy-paste lock",
                    ),
                ),
                (
                    "stopping_advice",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="While they work, workers see remarks on questions and answers. Those chosen here must be heeded.",
                        validators=[annotation.models.projects.advice_codes],
                        verbose_name="remarks that stop",
                    ),
                ),
                (
                    "min_questions",
                    models.PositiveSmallIntegerField(default=1, verbose_name="fewest questions a paragraph"),
                ),
                (
                    "max_questions",
                    models.PositiveSmallIntegerField(
                        default=5,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(50),
                        ],
                        verbose_name="most questions a paragraph",
                    ),
                ),
                (
                    "writers_per_paragraph",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="writers a paragraph",
                    ),
                ),
                (
                    "paragraphs_per_task",
                    models.PositiveSmallIntegerField(
                        default=5,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="paragraphs in a writing HIT",
                    ),
                ),
                (
                    "questions_per_answer_task",
                    models.PositiveSmallIntegerField(
                        default=5,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="questions in an answering HIT",
                    ),
                ),
                (
                    "extra_answers",
                    models.PositiveSmallIntegerField(
                        default=2,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(20),
                        ],
                        verbose_name="extra answers a question",
                    ),
                ),
                (
                    "hourly_rate_usd",
                    models.DecimalField(
                        decimal_places=2,
                        default=9,
                        max_digits=8,
                        validators=[
                            django.core.validators.MinValueValidator(Decimal("0.01")),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                        verbose_name="pay per hour, USD",
                    ),
                ),
                (
                    "seconds_per_paragraph",
                    models.PositiveIntegerField(
                        default=240,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(86400),
                        ],
                        verbose_name="seconds to write for a paragraph",
                    ),
                ),
                (
                    "seconds_per_answer",
                    models.PositiveIntegerField(
                        default=24,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(86400),
                        ],
                        verbose_name="seconds to answer a question",
                    ),
                ),
                (
                    "seconds_per_quiz",
                    models.PositiveIntegerField(
                        default=480,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(86400),
                        ],
                        verbose_name="seconds to take the quiz",
                    ),
                ),
                (
                    "time_allowance",
                    models.PositiveSmallIntegerField(
                        default=3,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="time allowed, as a multiple of the paid time",
                    ),
                ),
                (
                    "lifetime_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="days a HIT stays open",
                    ),
                ),
                (
                    "auto_approval_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(30),
                        ],
                        verbose_name="days until work approves itself",
                    ),
                ),
                (
                    "spending_cap_usd",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10, verbose_name="spending cap, USD"),
                ),
                (
                    "min_percent_approved",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="approval rate, at least %",
                    ),
                ),
                (
                    "min_hits_approved",
                    models.PositiveIntegerField(blank=True, null=True, verbose_name="HITs approved, at least"),
                ),
                (
                    "countries",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text='ISO codes, such as ["US", "CA"].',
                        validators=[annotation.models.projects.country_codes],
                        verbose_name="countries",
                    ),
                ),
                (
                    "most_tasks_a_worker",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="In the whole project. Empty: as many as they like.",
                        null=True,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="HITs for one worker, at most",
                    ),
                ),
                (
                    "tasks_before_look",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Whoever has done so many waits until a reviewer has looked at their work, and then goes on. Empty: nobody waits. It holds for batches that are running, too.",
                        null=True,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="HITs of a new worker until somebody looks",
                    ),
                ),
                (
                    "quiz_required",
                    models.BooleanField(
                        default=False,
                        help_text="HITs of later batches can be taken only by workers who passed, or whom a requester let pass.",
                        verbose_name="only workers who passed the quiz",
                    ),
                ),
                ("created_at", models.DateTimeField(blank=True, editable=False)),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "origin",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="annotation.project",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical project",
                "verbose_name_plural": "historical projects",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
    ]
