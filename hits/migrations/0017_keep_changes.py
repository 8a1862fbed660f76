"""Keep what rules about workers were after each change."""

import django.contrib.postgres.fields
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0018_keep_changes"),
        ("hits", "0016_hold_decisions_back"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="HistoricalWorkerRule",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                ("qualification_type_id", models.CharField(max_length=64, verbose_name="qualification type")),
                (
                    "comparator",
                    models.CharField(
                        choices=[
                            ("Exists", "is held"),
                            ("DoesNotExist", "is not held"),
                            ("GreaterThanOrEqualTo", "is at least"),
                            ("GreaterThan", "is more than"),
                            ("LessThanOrEqualTo", "is at most"),
                            ("LessThan", "is less than"),
                            ("EqualTo", "is"),
                            ("NotEqualTo", "is not"),
                            ("In", "is one of"),
                            ("NotIn", "is none of"),
                        ],
                        max_length=20,
                        verbose_name="comparator",
                    ),
                ),
                (
                    "integer_values",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "locale_values",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=8), blank=True, default=list, size=None
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
            ],
            options={
                "verbose_name": "historical rule about workers",
                "verbose_name_plural": "historical rules about workers",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
    ]
