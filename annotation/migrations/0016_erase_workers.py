"""Let an erased worker's row be without an id, and let an erasure take an id out of verdicts and notes."""

from django.db import migrations, models

# The setting is made for the one transaction that erases; whatever else is changed with it is refused as ever.
ERASING = """
  IF TG_OP = 'UPDATE' AND current_setting('spanwright.erasing', true) = 'yes'
     AND to_jsonb(NEW) - '{words}'::text = to_jsonb(OLD) - '{words}'::text THEN
    RETURN NEW;
  END IF;
"""
VERDICTS = """
CREATE OR REPLACE FUNCTION annotation_verdict_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {erasing}
  RAISE EXCEPTION 'verdicts are only ever added' USING ERRCODE = 'check_violation', CONSTRAINT = 'verdict_is_append_only';
END $$;
"""
NOTES = """
CREATE OR REPLACE FUNCTION annotation_note_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {erasing}
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = 'note_is_append_only';
END $$;
"""


def can_be_erased(function: str, words: str) -> migrations.RunSQL:
    """Let the column ``words`` of the rows that ``function`` guards be overwritten by an erasure."""
    return migrations.RunSQL(function.format(erasing=ERASING.format(words=words)), function.format(erasing=""))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0015_send_notes_to_workers")]

    operations = [
        migrations.RemoveConstraint(model_name="worker", name="a_worker_once_per_endpoint"),
        migrations.AddConstraint(
            model_name="worker",
            constraint=models.UniqueConstraint(
                condition=models.Q(("mturk_worker_id", ""), _negated=True),
                fields=("endpoint", "mturk_worker_id"),
                name="a_worker_once_per_endpoint",
            ),
        ),
        migrations.AddConstraint(
            model_name="worker",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("erased_at__isnull", True), models.Q(("mturk_worker_id", ""), _negated=True)),
                    models.Q(("erased_at__isnull", False), ("mturk_worker_id", "")),
                    _connector="OR",
                ),
                name="only_an_erased_worker_has_no_id",
            ),
        ),
        can_be_erased(VERDICTS, "reason"),
        can_be_erased(NOTES, "text"),
    ]
