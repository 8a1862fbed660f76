"""That an exclusion of an article holds for what is imported later: the new paragraphs are excluded as they come in.

It stands as long as the latest decision about the article as a whole excludes it, nobody took that back, and some
paragraph of it is still out: who took all of them in again, by whatever filter, meant the article.
"""

from __future__ import annotations

from collections import defaultdict

from django.utils.translation import gettext as _

from annotation.models import Import, Paragraph, ParagraphChoice, PassageAct, Project
from annotation.services.bulk_copy import copy_rows

Kind = PassageAct.Kind
MOST_WHY_CHARS = 500


def hold(record: Import) -> int:
    """Exclude what ``record`` brought to articles that are excluded, each with a decision of its own in the trail;
    return how many paragraphs that is."""
    new = Paragraph.objects.filter(imported_from=record)
    standing = standing_exclusions(record.project)
    came: dict[int, list[int]] = defaultdict(list)
    for paragraph, article in new.filter(article__in=standing).order_by("pk").values_list("pk", "article"):
        came[article].append(paragraph)
    out_before = Paragraph.objects.filter(article__in=came, is_excluded=True)
    for article in set(out_before.values_list("article", flat=True)):
        _exclude(record, standing[article], article, came[article])
    return new.filter(is_excluded=True).count()


def standing_exclusions(project: Project) -> dict[int, PassageAct]:
    """By article, the decision to exclude all of it, where that is the latest about the article and was not undone."""
    acts = PassageAct.objects.in_project(project).order_by("pk")
    undos = dict(acts.filter(kind=Kind.UNDO).values_list("undoes", "pk"))

    def holds(act: int) -> bool:
        return act not in undos or not holds(undos[act])

    latest: dict[int, PassageAct] = {}
    for act in acts.filter(kind__in=[Kind.EXCLUDE, Kind.INCLUDE], asked__has_key="article"):
        if set(act.asked) == {"article"} and holds(act.pk):
            latest[act.asked["article"]] = act
    return {article: act for article, act in latest.items() if act.kind == Kind.EXCLUDE}


def _exclude(record: Import, before: PassageAct, article: int, paragraphs: list[int]) -> None:
    why = _("The article is excluded since decision %(n)s: %(why)s") % {"n": before.pk, "why": before.why}
    act = PassageAct.objects.create(
        project=record.project,
        kind=Kind.EXCLUDE,
        why=why[:MOST_WHY_CHARS],
        asked={"article": article, "imported_from": record.pk},
        articles=1,
        paragraphs=len(paragraphs),
        decided_by=record.imported_by,
    )
    copy_rows(ParagraphChoice, ("act", "paragraph", "is_excluded"), ((act.pk, pk, True) for pk in paragraphs))
