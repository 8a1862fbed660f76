"""Keep what the retention settings have deleted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviewer", "0015_keep_own_reasons_of_notes"),
    ]

    operations = [
        migrations.CreateModel(
            name="RetentionRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("days", models.JSONField()),
                ("deleted", models.JSONField()),
            ],
            options={
                "verbose_name": "retention pass",
                "verbose_name_plural": "retention passes",
            },
        ),
    ]
