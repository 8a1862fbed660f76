"""What the commands about a project's passages share: finding the project and the person, and narrowing."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Article, Project
from annotation.services import choosing
from annotation.services.choosing import NotChosen
from annotation.services.passages import Narrowing


def project_named(slug: str) -> Project:
    """The project of that short name. Raises CommandError."""
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        raise CommandError(_("There is no project %(slug)s.") % {"slug": slug})
    return project


def user_named(name: str | None) -> User | None:
    """The login of that name, None where none is named. Raises CommandError."""
    user = User.objects.filter(username=name).first() if name else None
    if name and user is None:
        raise CommandError(_("There is no user %(name)s.") % {"name": name})
    return user


class ChoosingCommand(BaseCommand):
    """Excludes or includes (``kind``) the paragraphs that the options mean."""

    kind: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help=_("the short name of the project"))
        parser.add_argument("--why", required=True, help=_("the reason, kept with the decision"))
        parser.add_argument("--as", dest="user", help=_("the login that decides"))
        parser.add_argument(
            "--article", action="append", default=[], help=_("a whole article by its title; repeatable")
        )
        parser.add_argument("--title", default="", help=_("articles with these words in the title"))
        parser.add_argument("--words", default="", help=_("paragraphs with these words in the text"))
        parser.add_argument("--section", default="", help=_("paragraphs under this heading"))
        parser.add_argument("--key-word", default="", help=_("articles with this key word"))
        parser.add_argument("--topic", default="", help=_("articles on this topic, as their source names it"))
        parser.add_argument("--split", choices=Article.Split.values, default="")
        parser.add_argument("--least", type=int, help=_("characters, at least"))
        parser.add_argument("--most", type=int, help=_("characters, at most"))
        parser.add_argument("--paragraph", action="append", type=int, default=[], help=_("one by its key; repeatable"))
        parser.add_argument("--all", action="store_true", help=_("all paragraphs, where nothing narrows"))
        parser.add_argument("--dry-run", action="store_true", help=_("say what would change; change nothing"))

    def handle(self, *args: Any, **options: Any) -> None:
        project, user = project_named(options["project"]), user_named(options["user"])
        articles: list[int | None] = [_article(project, title) for title in options["article"]]
        names = ("title", "words", "section", "key_word", "topic", "split", "least", "most")
        asked = {name: options[name] for name in names} | {"ids": options["paragraph"]}
        shown = []
        for article in articles or [None]:
            narrowing = Narrowing.of(asked | {"article": article})
            if narrowing == Narrowing() and not options["all"]:
                raise CommandError(_("Say which paragraphs, or --all of them."))
            try:
                shown.append(self._choose(project, narrowing, options, user))
            except NotChosen as error:
                raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(shown if len(shown) > 1 else shown[0]))

    def _choose(
        self, project: Project, narrowing: Narrowing, options: dict[str, Any], user: User | None
    ) -> dict[str, Any]:
        if options["dry_run"]:
            preview = choosing.preview(project, narrowing, self.kind)
            names = ("paragraphs", "articles", "in_tasks", "with_questions")
            return {name: getattr(preview, name) for name in names}
        act = choosing.choose(project, narrowing, self.kind, options["why"], user)
        return {"decision": act.pk, "paragraphs": act.paragraphs, "articles": act.articles}


def _article(project: Project, title: str) -> int:
    found = project.articles.filter(title=title).first()
    if found is None:
        raise CommandError(_("There is no article %(title)s.") % {"title": title})
    return int(found.pk)
