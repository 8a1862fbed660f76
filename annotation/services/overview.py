"""How far a project is, counted."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Sum

from annotation.models import Article, Assignment, Paragraph, Project, Question
from annotation.services.splits import shares

Split = Article.Split
# The splits whose questions get extra answers (SQuAD paper, section 3.3).
EVALUATED = (Split.DEV, Split.TEST)
IMPORTS_SHOWN = 5


@dataclass(frozen=True)
class SplitSize:
    """One split of a project: what it holds, and its share of the articles beside the wanted one, in percent."""

    name: str
    articles: int
    paragraphs: int
    characters: int
    share: float
    wanted: int

    @property
    def mean_characters(self) -> int:
        """Characters (code points) in a paragraph, on average."""
        return round(self.characters / self.paragraphs) if self.paragraphs else 0


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total``."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """Whole percent, rounded down: 100 means all."""
        return 100 * self.done // self.total if self.total else 0


def split_sizes(project: Project) -> list[SplitSize]:
    """The splits of ``project`` in their order."""
    counted = (
        Paragraph.objects.in_project(project)
        .order_by()
        .values_list("article__split")
        .annotate(articles=Count("article", distinct=True), paragraphs=Count("pk"), characters=Sum("characters"))
    )
    rows = {split: (articles, paragraphs, characters) for split, articles, paragraphs, characters in counted}
    total = sum(articles for articles, _paragraphs, _characters in rows.values())
    sizes = []
    for split, wanted in shares(project).items():
        articles, paragraphs, characters = rows.get(split, (0, 0, 0))
        share = 100 * articles / total if total else 0
        sizes.append(SplitSize(split, articles, paragraphs, characters, share, wanted))
    return sizes


def written(project: Project) -> Progress:
    """Paragraphs that have a question which counts, of all that are not excluded."""
    questions = Question.objects.in_project(project).counting().filter(paragraph__is_excluded=False)
    with_question = questions.order_by().values("paragraph").distinct()
    return Progress(with_question.count(), project.paragraphs.filter(is_excluded=False).count())


def answered(project: Project) -> Progress:
    """Questions of dev and test that have all the extra answers which the project wants, of all that count there."""
    evaluated = Question.objects.in_project(project).filter(
        paragraph__article__split__in=EVALUATED, paragraph__is_excluded=False
    )
    total = evaluated.counting().count()
    return Progress(total - evaluated.needing_answers(project.extra_answers).count(), total)


def waiting_for_review(project: Project) -> int:
    """Assignments that the endpoint lists as submitted and nobody has decided on."""
    return Assignment.objects.in_project(project).filter(status=Assignment.Status.SUBMITTED).count()


def last_imports(project: Project) -> list[dict[str, Any]]:
    """The latest imports of passages, newest first, with how many paragraphs each took and left out."""
    # Gold checks that somebody wrote have their row among the imports too.
    rows = project.imports.filter(report__has_key="paragraphs").select_related("imported_by")
    return [
        {
            "import": record,
            "added": record.report["paragraphs"]["added"],
            "dropped": sum(reason["count"] for reason in record.report["paragraphs"]["dropped"].values()),
        }
        for record in rows.order_by("-pk")[:IMPORTS_SHOWN]
    ]
