"""What the signals of a piece of work weigh together, so that the queue can show the most worrying first."""

from django.db import migrations, models


def notice_anew(apps, _schema_editor):
    """Forget that waiting work was looked at: the job looks within a minute, and weighs."""
    apps.get_model("reviewer", "SignalRun").objects.filter(assignment__status="submitted").delete()


class Migration(migrations.Migration):
    dependencies = [("reviewer", "0009_keep_figures_of_projects")]
    operations = [
        migrations.AddField(model_name="signalrun", name="worry", field=models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(notice_anew, migrations.RunPython.noop),
    ]
