"""``manage.py split_articles SLUG --why REASON [--seed N] [--dev 10 --test 10] [--stratify length] [--dry-run]``."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from annotation.management.choosing import project_named, user_named
from annotation.services.split_drawing import STRATA, NotDrawn, SplitRequest, apply, preview


class Command(BaseCommand):
    help = "Draw a project's articles into train, dev and test anew; until work is launched."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help=_("the short name of the project"))
        parser.add_argument("--seed", type=int, help=_("the project's, where none is given"))
        parser.add_argument("--train", type=int, help=_("percent; what dev and test leave, where not given"))
        parser.add_argument("--dev", type=int, help=_("percent; the project's, where not given"))
        parser.add_argument("--test", type=int, help=_("percent; the project's, where not given"))
        parser.add_argument(
            "--stratify", choices=STRATA[1:], default="", help=_("balance by how much text there is, or by topic")
        )
        parser.add_argument("--why", default="", help=_("the reason, kept with the decision"))
        parser.add_argument("--as", dest="user", help=_("the login that decides"))
        parser.add_argument("--dry-run", action="store_true", help=_("print the sizes; draw nothing"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        now = SplitRequest.of(project)
        dev = now.dev_percent if options["dev"] is None else options["dev"]
        test = now.test_percent if options["test"] is None else options["test"]
        train = 100 - dev - test if options["train"] is None else options["train"]
        seed = now.seed if options["seed"] is None else options["seed"]
        asked = SplitRequest(train, dev, test, seed, options["stratify"])
        try:
            shown: dict[str, Any] = {"splits": [asdict(size) for size in preview(project, asked)]}
            if not options["dry_run"]:
                act = apply(project, asked, options["why"], user_named(options["user"]))
                shown = {"decision": act.pk, **shown}
        except NotDrawn as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(shown))
