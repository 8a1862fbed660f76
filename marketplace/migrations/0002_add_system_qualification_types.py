"""The qualification types that every marketplace has, with the ids that programs carry as constants."""

from django.db import migrations

SYSTEM = [
    (
        "000000000000000000L0",
        "Worker_PercentAssignmentsApproved",
        "Share of a worker's assignments that were approved, in percent.",
    ),
    ("00000000000000000040", "Worker_NumberHITsApproved", "Number of a worker's HITs that were approved."),
    ("00000000000000000071", "Worker_Locale", "Where a worker lives."),
    ("00000000000000000060", "Worker_Adult", "The worker agreed to see content that may be unsuitable for minors."),
    ("2F1QJWKUDD8XADTFD2Q0G6UTO95ALH", "Masters", "Workers with a long record of good work."),
    ("2ARFPLSP75KLA8M8DH1HTEQVJT3SY6", "Masters (sandbox)", "Workers with a long record of good work."),
]


def add(apps, schema_editor):
    QualificationType = apps.get_model("marketplace", "QualificationType")
    QualificationType.objects.bulk_create(
        QualificationType(type_id=type_id, name=name, description=description, status="Active")
        for type_id, name, description in SYSTEM
    )


def remove(apps, schema_editor):
    QualificationType = apps.get_model("marketplace", "QualificationType")
    QualificationType.objects.filter(requester=None, type_id__in=[row[0] for row in SYSTEM]).delete()


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0001_accounts_work_and_money")]
    operations = [migrations.RunPython(add, remove)]
