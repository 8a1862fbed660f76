"""Releases are made by jobs, may tell workers apart by pseudonyms, and say who fetched their held-back answers; the
database refuses changing or deleting the latter rows."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ADDED_ONLY = """
CREATE FUNCTION reviewer_keydownload_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'who fetched held-back answers is kept'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'key_download_is_kept';
END $$;
CREATE TRIGGER key_download_is_kept BEFORE UPDATE OR DELETE ON reviewer_keydownload
  FOR EACH ROW EXECUTE FUNCTION reviewer_keydownload_is_kept();
"""
NOT_ADDED_ONLY = """
DROP TRIGGER key_download_is_kept ON reviewer_keydownload;
DROP FUNCTION reviewer_keydownload_is_kept();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0010_guard_passages"),
        ("reviewer", "0004_guard_releases"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="KeyDownload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "download of held-back answers",
                "verbose_name_plural": "downloads of held-back answers",
            },
        ),
        migrations.CreateModel(
            name="ReleaseRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked", models.JSONField()),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting to begin"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("files_written", models.PositiveSmallIntegerField(default=0)),
                ("files_in_all", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("is_new", models.BooleanField(default=False)),
                ("problem", models.TextField(blank=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "making of a release",
                "verbose_name_plural": "makings of releases",
            },
        ),
        migrations.AddField(
            model_name="release",
            name="note",
            field=models.CharField(blank=True, max_length=500, verbose_name="note"),
        ),
        migrations.AddField(
            model_name="release",
            name="salt",
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="release",
            name="workers",
            field=models.CharField(
                choices=[("left_out", "left out"), ("pseudonyms", "under pseudonyms of this release")],
                default="left_out",
                max_length=10,
                verbose_name="workers",
            ),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("salt", ""), ("workers", "left_out")),
                    models.Q(("workers", "pseudonyms"), models.Q(("salt", ""), _negated=True)),
                    _connector="OR",
                ),
                name="pseudonyms_have_a_salt",
            ),
        ),
        migrations.AddField(
            model_name="keydownload",
            name="release",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="key_downloads", to="reviewer.release"
            ),
        ),
        migrations.AddField(
            model_name="keydownload",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="releaserun",
            name="asked_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="releaserun",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="release_runs", to="annotation.project"
            ),
        ),
        migrations.AddField(
            model_name="releaserun",
            name="release",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="reviewer.release",
            ),
        ),
        migrations.AddConstraint(
            model_name="releaserun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["waiting", "running"])),
                fields=("project",),
                name="one_release_made_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="releaserun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "done"), _negated=True), ("release__isnull", False), _connector="OR"
                ),
                name="a_release_that_was_made_is_named",
            ),
        ),
        migrations.RunSQL(ADDED_ONLY, NOT_ADDED_ONLY),
    ]
