"""A project may have reasons of its own for notes to workers."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviewer", "0014_know_whose_work_was_looked_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="reviewrules",
            name="note_reasons",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=300),
                blank=True,
                default=list,
                size=None,
                verbose_name="reasons of notes to workers",
            ),
        ),
    ]
