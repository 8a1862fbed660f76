"""``manage.py erase_worker ENDPOINT WORKER_ID``: erase what is known of one worker; their work stays, without them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts import looking
from accounts.looking import Look
from annotation.models import Worker
from reviewer.services import erasing
from reviewer.services.erasing import NAMES, Outlook


class Command(BaseCommand):
    help = "Erase the worker id and the traces of one worker. Questions, answers and amounts stay. Cannot be undone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("endpoint", help=_("the key of the crowd endpoint that they work at"))
        parser.add_argument("worker_id", help=_("their worker id there"))
        parser.add_argument("--why", default="", metavar="WORDS", help=_("kept with the erasure: who asked, and when"))
        parser.add_argument("--dry-run", action="store_true", help=_("say what would be erased, and erase nothing"))
        parser.add_argument("--no-input", action="store_true", help=_("do not ask for the worker id once more"))

    def handle(self, *args: Any, endpoint: str, worker_id: str, **options: Any) -> None:
        worker = erasing.find(endpoint, worker_id)
        if worker is None:
            raise CommandError(unknown(endpoint))
        looking.note(None, worker, Look.DATA)
        self._tell(erasing.outlook(worker))
        if options["dry_run"]:
            return
        if not options["no_input"] and input(_("Type the worker id once more to erase: ")).strip() != worker_id:
            raise CommandError(_("This is not the id that you gave first. Nothing was erased."))
        try:
            erased = erasing.erase(worker.pk, why=options["why"])
        except erasing.NotErasable as refusal:
            raise CommandError(_("Nothing was erased. {why}").format(why=refusal)) from refusal
        told = _("Erased. It stays known here as {worker}.") if not erased.already else _("{worker} was erased before.")
        self.stdout.write(told.format(worker=worker))

    def _tell(self, outlook: Outlook) -> None:
        goes = {NAMES[name]: number for name, number in outlook.goes.items() if number}
        self.stdout.write(_("Goes for good: the worker id, and"))
        for name, number in goes.items():
            self.stdout.write(f"  {number:>7} {name}")
        self.stdout.write(
            _("Stays, without the person: {assignments} assignments, {questions} questions, {answers} answers.").format(
                **outlook.stays
            )
        )
        for sentence in outlook.in_the_way:
            self.stdout.write(self.style.WARNING(sentence))


def unknown(endpoint: str) -> str:
    """That nobody of an id is known at ``endpoint``, and where somebody is."""
    known = ", ".join(Worker.objects.order_by("endpoint").values_list("endpoint", flat=True).distinct())
    return _("Nobody of that id has worked here through “%(endpoint)s”. Endpoints with workers: %(known)s.") % {
        "endpoint": endpoint,
        "known": known or _("none"),
    }
