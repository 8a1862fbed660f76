"""A project may hold new workers until somebody has looked at their work, and knows at whose somebody has."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0016_erase_workers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="project",
            name="tasks_before_look",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Whoever has done so many waits until a reviewer has looked at their work, and then goes on. Empty: nobody waits. It holds for batches that are running, too.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="HITs of a new worker until somebody looks",
            ),
        ),
        migrations.CreateModel(
            name="FirstLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("looked_at", models.DateTimeField(auto_now_add=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.assignment",
                    ),
                ),
                (
                    "looked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="first_looks", to="annotation.project"
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="first_looks", to="annotation.worker"
                    ),
                ),
            ],
            options={
                "verbose_name": "first look",
                "verbose_name_plural": "first looks",
                "constraints": [
                    models.UniqueConstraint(fields=("project", "worker"), name="one_first_look_at_a_worker")
                ],
            },
        ),
    ]
