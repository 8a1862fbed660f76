"""Keep that workers were erased, and let an erasure take an id out of reasons and notes that are only ever added."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# The setting is made for the one transaction that erases; whatever else is changed with it is refused as ever.
ERASING = """
  IF TG_OP = 'UPDATE' AND current_setting('spanwright.erasing', true) = 'yes'
     AND to_jsonb(NEW) - '{words}'::text = to_jsonb(OLD) - '{words}'::text THEN
    RETURN NEW;
  END IF;
"""
REVIEWS = """
CREATE OR REPLACE FUNCTION reviewer_review_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {erasing}
  RAISE EXCEPTION 'reviews are only ever added' USING ERRCODE = 'check_violation', CONSTRAINT = 'review_is_append_only';
END $$;
"""
ROWS = """
CREATE OR REPLACE FUNCTION reviewer_row_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {erasing}
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = 'row_is_append_only';
END $$;
"""


def can_be_erased(function: str, words: str) -> migrations.RunSQL:
    """Let the column ``words`` of the rows that ``function`` guards be overwritten by an erasure."""
    return migrations.RunSQL(function.format(erasing=ERASING.format(words=words)), function.format(erasing=""))


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0016_erase_workers"),
        ("reviewer", "0012_end_second_looks_once"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="WorkerErasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "cause",
                    models.CharField(
                        choices=[("asked", "asked for"), ("retention", "by the retention settings")],
                        default="asked",
                        max_length=10,
                        verbose_name="cause",
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=500, verbose_name="why")),
                ("deleted", models.JSONField(default=dict)),
                ("erased_at", models.DateTimeField()),
                (
                    "erased_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "worker",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="erasure", to="annotation.worker"
                    ),
                ),
            ],
            options={
                "verbose_name": "erasure of a worker",
                "verbose_name_plural": "erasures of workers",
            },
        ),
        can_be_erased(REVIEWS, "reason"),
        can_be_erased(ROWS, "note"),
    ]
