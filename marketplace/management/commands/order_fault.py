"""Switch faults on purpose on and off, and list those that are on."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from marketplace.models import Fault, RequesterProfile
from marketplace.services import faults


class Command(BaseCommand):
    help = "Let something go wrong for one requester or all; without a kind of fault, list what is switched on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("fault", nargs="?", choices=Fault.Kind.values, help="what goes wrong")
        parser.add_argument("--requester", metavar="NAME", help="the one whom it meets; without it, all")
        parser.add_argument("--operation", default="*", help="of the API; without it, any")
        parser.add_argument("--seconds", type=float, default=2.0, help="that a call waits or something new is hidden")
        parser.add_argument("--times", type=int, help="how often; without it, until it is switched off")
        parser.add_argument("--probability", type=float, default=1.0, help="of each call, above 0 and at most 1")
        parser.add_argument("--seed", type=int, help="the same gives the same calls again")
        parser.add_argument(
            "--off", action="store_true", help="first switch off what is on, for the requester or for all"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON list")

    def handle(self, *args: Any, **options: Any) -> None:
        requester = self._requester(options["requester"])
        if options["off"]:
            faults.drop(requester)
        if options["fault"]:
            names = ("fault", "operation", "seconds", "times", "probability", "seed")
            try:
                faults.order(requester, [faults.fault_from({name: options[name] for name in names})])
            except ValueError as error:
                raise CommandError(str(error)) from None
        on = [self._shown(fault) for fault in Fault.objects.active().select_related("requester").order_by("id")]
        if options["json"]:
            self.stdout.write(json.dumps(on))
        else:
            lines = ["  ".join(f"{name}={value}" for name, value in row.items()) for row in on]
            self.stdout.write("\n".join(lines) or "No fault is on.")

    @staticmethod
    def _requester(name: str | None) -> RequesterProfile | None:
        if name is None:
            return None
        found = RequesterProfile.objects.filter(name=name).order_by("id").first()
        if found is None:
            raise CommandError(f"There is no requester called {name!r}.")
        return found

    @staticmethod
    def _shown(fault: Fault) -> dict[str, Any]:
        return {
            "fault": fault.kind,
            "requester": fault.requester.name if fault.requester else None,
            "operation": fault.operation,
            "seconds": fault.seconds,
            "times": fault.times,
            "probability": fault.probability,
            "seed": fault.seed,
        }
