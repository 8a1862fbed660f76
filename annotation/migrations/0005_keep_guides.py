"""Guides of projects, of which no version ever changes, and which one a task's workers read."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

FREEZE = """
CREATE FUNCTION annotation_guide_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'guides get new versions and never change' USING ERRCODE = 'check_violation',
    CONSTRAINT = 'guide_is_frozen';
END $$;
CREATE TRIGGER guide_is_frozen BEFORE UPDATE OR DELETE ON annotation_guide
  FOR EACH ROW EXECUTE FUNCTION annotation_guide_is_frozen();
"""
THAW = """
DROP TRIGGER guide_is_frozen ON annotation_guide;
DROP FUNCTION annotation_guide_is_frozen();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0004_know_who_is_kept_out"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Guide",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="version")),
                ("texts", models.JSONField()),
                ("written_at", models.DateTimeField(auto_now_add=True)),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="guides", to="annotation.project"
                    ),
                ),
                (
                    "written_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"verbose_name": "guide", "verbose_name_plural": "guides"},
        ),
        migrations.AddConstraint(
            model_name="guide",
            constraint=models.UniqueConstraint(fields=("project", "number"), name="one_guide_per_version"),
        ),
        migrations.AddField(
            model_name="task",
            name="guide",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tasks",
                to="annotation.guide",
            ),
        ),
        migrations.RunSQL(FREEZE, THAW),
    ]
