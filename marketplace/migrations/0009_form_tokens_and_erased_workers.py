"""An operator's form is carried out once; when a worker's personal data was erased."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("marketplace", "0008_find_unread_messages"),
    ]

    operations = [
        migrations.AddField(
            model_name="operatoraction",
            name="token",
            field=models.UUIDField(null=True, unique=True),
        ),
        migrations.AddField(
            model_name="workerprofile",
            name="erased_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
