"""A note says which words of whose work it is about, and whether it was read; the database lets none change."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

APPEND_ONLY = """
CREATE FUNCTION annotation_note_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = 'note_is_append_only';
END $$;
CREATE TRIGGER note_is_append_only BEFORE UPDATE OR DELETE ON annotation_note
  FOR EACH ROW EXECUTE FUNCTION annotation_note_is_append_only();
CREATE TRIGGER notereading_is_append_only BEFORE UPDATE OR DELETE ON annotation_notereading
  FOR EACH ROW EXECUTE FUNCTION annotation_note_is_append_only();
"""
NOT_APPEND_ONLY = """
DROP TRIGGER notereading_is_append_only ON annotation_notereading;
DROP TRIGGER note_is_append_only ON annotation_note;
DROP FUNCTION annotation_note_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0014_read_live_wikis"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="NoteReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("read_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "reading of a note",
                "verbose_name_plural": "readings of notes",
            },
        ),
        migrations.AddField(
            model_name="note",
            name="assignment",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="notes",
                to="annotation.assignment",
            ),
        ),
        migrations.AddField(
            model_name="note",
            name="end",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="note",
            name="reason",
            field=models.CharField(blank=True, max_length=20, verbose_name="reason"),
        ),
        migrations.AddField(
            model_name="note",
            name="start",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="note",
            name="text",
            field=models.CharField(blank=True, max_length=1000, verbose_name="in words"),
        ),
        migrations.AddIndex(
            model_name="note",
            index=models.Index(fields=["worker", "project", "-id"], name="notes_to_a_worker"),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), ("text", ""), _negated=True), name="a_note_says_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("end__isnull", True), ("start__isnull", True)),
                    models.Q(
                        ("end__isnull", False),
                        ("question__isnull", False),
                        ("start__isnull", False),
                        ("start__lt", models.F("end")),
                    ),
                    _connector="OR",
                ),
                name="a_note_marks_words_or_none",
            ),
        ),
        migrations.AddField(
            model_name="notereading",
            name="assignment",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.assignment"
            ),
        ),
        migrations.AddField(
            model_name="notereading",
            name="note",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="reading", to="annotation.note"
            ),
        ),
        migrations.RunSQL(APPEND_ONLY, NOT_APPEND_ONLY),
    ]
