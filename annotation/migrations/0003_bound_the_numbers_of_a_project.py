"""The numbers of a project stay within what can be published."""

from decimal import Decimal

import django.core.validators
from django.db import migrations, models

import annotation.models.projects


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_keep_paragraph_text_and_verdicts"),
    ]

    operations = [
        migrations.AlterField(
            model_name="project",
            name="auto_approval_days",
            field=models.PositiveSmallIntegerField(
                default=7,
                validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(30)],
                verbose_name="days until work approves itself",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="countries",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text='ISO codes, such as ["US", "CA"].',
                validators=[annotation.models.projects.country_codes],
                verbose_name="countries",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="extra_answers",
            field=models.PositiveSmallIntegerField(
                default=2,
                validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(20)],
                verbose_name="extra answers a question",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="hourly_rate_usd",
            field=models.DecimalField(
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
        migrations.AlterField(
            model_name="project",
            name="lifetime_days",
            field=models.PositiveSmallIntegerField(
                default=7,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(365)],
                verbose_name="days a HIT stays open",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="max_questions",
            field=models.PositiveSmallIntegerField(
                default=5,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(50)],
                verbose_name="most questions a paragraph",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="min_percent_approved",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)],
                verbose_name="approval rate, at least %",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="paragraphs_per_task",
            field=models.PositiveSmallIntegerField(
                default=5,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)],
                verbose_name="paragraphs in a writing HIT",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="questions_per_answer_task",
            field=models.PositiveSmallIntegerField(
                default=5,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)],
                verbose_name="questions in an answering HIT",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="seconds_per_answer",
            field=models.PositiveIntegerField(
                default=24,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(86400),
                ],
                verbose_name="seconds to answer a question",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="seconds_per_paragraph",
            field=models.PositiveIntegerField(
                default=240,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(86400),
                ],
                verbose_name="seconds to write for a paragraph",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="time_allowance",
            field=models.PositiveSmallIntegerField(
                default=3,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)],
                verbose_name="time allowed, as a multiple of the paid time",
            ),
        ),
        migrations.AlterField(
            model_name="project",
            name="writers_per_paragraph",
            field=models.PositiveSmallIntegerField(
                default=1,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)],
                verbose_name="writers a paragraph",
            ),
        ),
    ]
