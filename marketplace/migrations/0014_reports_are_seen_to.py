"""An operator sees to a report."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("marketplace", "0013_review_policies"),
    ]

    operations = [
        migrations.AddField(
            model_name="report",
            name="settled_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
