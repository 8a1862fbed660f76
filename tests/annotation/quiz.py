"""A quiz as tests take it: an offer of one, and answers that are right or wrong."""

from typing import Any

from annotation.models import Offer, Project, Task
from annotation.services import guides, quiz_notation
from tests.annotation.factories import make_offer, make_project
from tests.annotation.work import send, span

TYPED = """> The mill above Tarn burned in 1811 and in 1866.

? How often did it burn? -> 1811
= too_long
Wrong on purpose: nothing here is too long, but a test may say so.
~ Count the years.

? When did the mill burn first? -> 1811
= good
Short and to the point.

@ Where does the mill stand?
= above Tarn
= Tarn
The place.

@ Who built it?
= (none)
It does not say.
"""
PASSAGE = quiz_notation.parse(TYPED)["passage"]
RIGHT: list[Any] = ["too_long", "good", span(PASSAGE, "above Tarn"), "(none)"]
WRONG: list[Any] = ["copied", "copied", span(PASSAGE, "mill"), span(PASSAGE, "1811")]


def make_quiz_offer(project: Project | None = None, **changes: Any) -> Offer:
    """A quiz of four items, of which three right pass, on offer."""
    project = project or make_project()
    content = guides.Content(
        guides.shipped("own-crowd"), quiz_notation.parse(TYPED), **{"pass_percent": 75, "quiz_tries": 2} | changes
    )
    newest = guides.current(project)
    guide = guides.store(project, content, None, after=newest.number if newest else 0)
    return make_offer(Task.objects.create(project=project, kind=Task.Kind.QUIZ, guide=guide))


def check(page: dict[str, Any], answers: Any, number: int = 1) -> Any:
    """A try, as the page sends it."""
    return check_body(page, {"try": number, "answers": answers})


def check_body(page: dict[str, Any], body: dict[str, Any]) -> Any:
    """A first try with everything right, but for what ``body`` says."""
    return send(page["endpoints"]["finish"], {"version": 1, "try": 1, "answers": RIGHT} | body, page["token"])
