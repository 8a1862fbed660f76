"""``manage.py check_endpoint KEY [--json]``: what works at a crowd endpoint and what does not."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from hits import endpoints
from hits.services import checking


class Command(BaseCommand):
    help = (
        "Say what works at a crowd endpoint and what does not, without costing money. Fails where there is a problem."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", help="the endpoint's name in the settings, such as marketplace or mturk-sandbox")
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")

    def handle(self, *args: Any, key: str, json: bool, **options: Any) -> None:
        try:
            findings = checking.check(key)
        except ImproperlyConfigured:
            known = ", ".join(endpoints.all_endpoints())
            raise CommandError(f"There is no endpoint {key!r}. There are {known}.") from None
        self.stdout.write(as_json(findings) if json else as_text(findings))
        if any(finding.level == checking.PROBLEM for finding in findings):
            raise SystemExit(1)


def as_json(findings: list[checking.Finding]) -> str:
    return json.dumps([asdict(finding) for finding in findings], indent=1)


def as_text(findings: list[checking.Finding]) -> str:
    return "\n".join(f"{finding.level:<8} {finding.sentence}" for finding in findings)
