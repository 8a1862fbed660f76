"""HITs of batches from before there were release plans were all released at their launch."""

from django.db import migrations


def release(apps, schema_editor):
    HIT = apps.get_model("hits", "HIT")
    Batch = apps.get_model("hits", "Batch")
    for batch in Batch.objects.order_by("pk"):
        HIT.objects.filter(batch=batch, released_at__isnull=True).update(released_at=batch.launched_at)


class Migration(migrations.Migration):
    dependencies = [("hits", "0007_plan_releases_and_quotas")]
    operations = [migrations.RunPython(release, migrations.RunPython.noop)]
