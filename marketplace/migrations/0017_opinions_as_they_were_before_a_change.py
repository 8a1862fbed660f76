import django.core.validators
from django.db import migrations, models
from django.db.models import F

MARKS = ("pay", "clarity", "fairness")
STARS = [django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(5)]


def begin(apps, schema_editor):
    """What was changed before this was kept counts as it stands."""
    apps.get_model("marketplace", "Report").objects.update(changed_at=F("created_at"))
    ratings = apps.get_model("marketplace", "Rating").objects.filter(changed_at__gt=F("created_at"))
    ratings.update(**{f"earlier_{name}": F(name) for name in (*MARKS, "comment")})


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0016_user_names_as_they_are_typed")]

    operations = [
        *(
            migrations.AddField(
                "rating",
                f"earlier_{name}",
                models.PositiveSmallIntegerField(blank=True, null=True, validators=STARS),
            )
            for name in MARKS
        ),
        migrations.AddField(
            "rating", "earlier_comment", models.CharField(blank=True, default="", max_length=1000), False
        ),
        migrations.AddField("report", "earlier_text", models.CharField(blank=True, default="", max_length=2000), False),
        migrations.AddField("report", "earlier_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("report", "changed_at", models.DateTimeField(null=True)),
        migrations.RunPython(begin, migrations.RunPython.noop),
        migrations.AlterField("report", "changed_at", models.DateTimeField()),
    ]
