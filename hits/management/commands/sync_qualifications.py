"""``manage.py sync_qualifications``: what the endpoints say about our qualifications, against our rows."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Project
from hits import mturk
from hits.models import Qualification
from hits.services import comparing


class Command(BaseCommand):
    help = "Compare who holds the projects' qualifications, at the endpoints and here, and mend the differences."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="the short name of one project; all of them without it")
        parser.add_argument("--dry-run", action="store_true", help="show the differences and mend nothing")
        parser.add_argument("--json", action="store_true", help="write one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = Qualification.objects.exclude(mturk_qualification_type_id="")
        if options["project"]:
            if not Project.objects.filter(slug=options["project"]).exists():
                raise CommandError(f"There is no project {options['project']!r}.")
            rows = rows.filter(project__slug=options["project"])
        found, told = [], 0
        for project_id, endpoint in rows.order_by("project", "endpoint").values_list("project", "endpoint").distinct():
            project = Project.objects.get(pk=project_id)
            try:
                differences = comparing.compare(project, endpoint)
                if not options["dry_run"]:
                    told += comparing.mend(project, endpoint, differences)
            except (mturk.Unavailable, mturk.Rejected) as error:
                raise CommandError(f"{project.slug} at {endpoint}: {error}") from error
            found += [(endpoint, difference) for difference in differences]
        if options["json"]:
            listed = [{"endpoint": endpoint, **difference.as_json()} for endpoint, difference in found]
            self.stdout.write(json.dumps({"qualifications": listed, "told": told}, indent=2))
            return
        for endpoint, difference in found:
            self.stdout.write(_line(endpoint, difference))
        self.stdout.write(f"Qualifications compared: {len(found)}. Calls made to mend them: {told}.")


def _line(endpoint: str, difference: comparing.Difference) -> str:
    of_batch = f" of batch {difference.batch}" if difference.batch else ""
    name = f"{endpoint}: {difference.project} {difference.purpose}{of_batch}"
    if difference.is_gone:
        return f"{name}: the endpoint does not know it any more; HITs that ask for it can be taken by nobody or all"
    return f"{name}: {difference.held} hold it, {len(difference.lost)} lost, {len(difference.extra)} too many"
