"""What is paid out to workers, and how they want to be paid."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("marketplace", "0010_event_notifications"),
    ]

    operations = [
        migrations.CreateModel(
            name="PaymentDetails",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("payee_name", models.CharField(blank=True, max_length=200, verbose_name="name of the payee")),
                ("note", models.CharField(blank=True, max_length=1000, verbose_name="how to pay")),
                ("changed_at", models.DateTimeField()),
                (
                    "worker",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="payment_details",
                        to="marketplace.workerprofile",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PayoutBatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "to be paid"), ("paid", "paid"), ("cancelled", "cancelled")],
                        default="open",
                        max_length=9,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "payout batches",
            },
        ),
        migrations.CreateModel(
            name="Payout",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("amount_usd", models.DecimalField(decimal_places=2, max_digits=18)),
                (
                    "worker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payouts",
                        to="marketplace.workerprofile",
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payouts",
                        to="marketplace.payoutbatch",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PayoutLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("stands", models.BooleanField(default=True)),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payout_lines",
                        to="marketplace.ledgerentry",
                    ),
                ),
                (
                    "payout",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lines", to="marketplace.payout"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="payoutbatch",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("settled_at__isnull", True), ("status", "open")),
                    models.Q(models.Q(("status", "open"), _negated=True), ("settled_at__isnull", False)),
                    _connector="OR",
                ),
                name="settled_payouts_have_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.UniqueConstraint(fields=("batch", "number"), name="payout_number_once"),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.UniqueConstraint(fields=("batch", "worker"), name="one_payout_per_worker_and_batch"),
        ),
        migrations.AddConstraint(
            model_name="payout",
            constraint=models.CheckConstraint(condition=models.Q(("amount_usd__gt", 0)), name="payout_amount_positive"),
        ),
        migrations.AddConstraint(
            model_name="payoutline",
            constraint=models.UniqueConstraint(
                condition=models.Q(("stands", True)), fields=("entry",), name="entry_paid_out_once"
            ),
        ),
    ]
