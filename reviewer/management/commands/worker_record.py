"""``manage.py worker_record ENDPOINT WORKER_ID --out FILE``: all that is kept about one worker, for them to read."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts import looking
from accounts.looking import Look
from reviewer.management.commands.erase_worker import unknown
from reviewer.services import erasing
from reviewer.services.worker_record import as_json, of_worker


class Command(BaseCommand):
    help = "Write all that is kept about one worker, in every project, as JSON: for that person's request to see it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("endpoint", help=_("the key of the crowd endpoint that they work at"))
        parser.add_argument("worker_id", help=_("their worker id there"))
        parser.add_argument("--out", metavar="FILE", required=True, help=_("where to write; must not be there yet"))

    def handle(self, *args: Any, endpoint: str, worker_id: str, out: str, **options: Any) -> None:
        worker = erasing.find(endpoint, worker_id)
        if worker is None:
            raise CommandError(unknown(endpoint))
        try:
            # Of one person: readable for nobody but whoever asked for it.
            with open(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                looking.note(None, worker, Look.RECORD)
                file.writelines(as_json(of_worker(worker)))
        except FileExistsError:
            raise CommandError(_("%(file)s is there already. Name another file.") % {"file": out}) from None
        except OSError as error:
            raise CommandError(
                _("%(file)s cannot be written: %(why)s.") % {"file": out, "why": error.strerror}
            ) from None
        self.stdout.write(_("Wrote %(file)s.") % {"file": out})
