"""Faults for one requester or all, with a probability and a seed; a rate of calls a second for each requester."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("marketplace", "0006_worker_blocks"),
    ]

    operations = [
        migrations.CreateModel(
            name="CallRate",
            fields=[
                (
                    "requester",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="marketplace.requesterprofile",
                    ),
                ),
                ("due_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="fault",
            name="among",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="fault",
            name="draws",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="fault",
            name="probability",
            field=models.FloatField(default=1.0),
        ),
        migrations.AddField(
            model_name="fault",
            name="seed",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="requesterprofile",
            name="meets_faults",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="requesterprofile",
            name="requests_per_second",
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="fault",
            name="kind",
            field=models.CharField(
                choices=[
                    ("timeout_after", "does the work, then answers too late"),
                    ("drop_after", "does the work, then drops the connection"),
                    ("drop_before", "drops the connection, does nothing"),
                    ("error_500_after", "does the work, then answers 500"),
                    ("error_500_before", "answers 500, does nothing"),
                    ("throttle", "answers ThrottlingException, does nothing"),
                    ("slow", "waits, then does the work"),
                    ("hide_new", "does not show what is newer than the seconds yet"),
                    ("any", "one of several, at random"),
                    ("notify_twice", "delivers a notification twice"),
                    ("notify_out_of_order", "delivers notifications out of order"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="fault",
            name="requester",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="faults",
                to="marketplace.requesterprofile",
            ),
        ),
        migrations.AlterField(
            model_name="fault",
            name="times",
            field=models.PositiveIntegerField(default=1, null=True),
        ),
        migrations.AddConstraint(
            model_name="fault",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("probability__gt", 0), ("probability__lte", 1), ("seconds__gte", 0), ("seconds__lte", 50)
                ),
                name="fault_within_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="requesterprofile",
            constraint=models.CheckConstraint(
                condition=models.Q(("requests_per_second__gte", 0)), name="rate_not_negative"
            ),
        ),
    ]
