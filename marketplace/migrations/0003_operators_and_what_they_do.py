"""Operators, and the record of what they do, which can only grow."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

APPEND_ONLY = """
CREATE FUNCTION marketplace_refuse_operator_action_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'What an operator did is never changed or deleted.';
END $$;
CREATE TRIGGER operator_actions_are_append_only BEFORE UPDATE OR DELETE ON marketplace_operatoraction
    FOR EACH ROW EXECUTE FUNCTION marketplace_refuse_operator_action_change();
"""
CHANGEABLE = """
DROP TRIGGER operator_actions_are_append_only ON marketplace_operatoraction;
DROP FUNCTION marketplace_refuse_operator_action_change();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("marketplace", "0002_add_system_qualification_types"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_operator",
            field=models.BooleanField(default=False, verbose_name="runs the marketplace"),
        ),
        migrations.CreateModel(
            name="OperatorAction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("action", models.CharField(max_length=20)),
                ("detail", models.CharField(blank=True, max_length=500)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField()),
                (
                    "operator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="actions", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "requester",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="operator_actions",
                        to="marketplace.requesterprofile",
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="operator_actions",
                        to="marketplace.workerprofile",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(APPEND_ONLY, CHANGEABLE),
    ]
