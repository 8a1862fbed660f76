"""Workers at the endpoint's worker site. Only this marketplace's site can be driven; on others such tests skip."""

from contextlib import suppress
from dataclasses import dataclass, field

from players.site import Held, SiteError, WorkerSite

TIMEOUT_SECONDS = 30


class Site(WorkerSite):
    def previews(self, group_id: str) -> bool:
        """Whether the worker is shown a HIT of the group without having accepted it."""
        answer = self._browser.get(f"{self.url}/projects/{group_id}/tasks", timeout=TIMEOUT_SECONDS)
        return answer.status_code == 200 and "data-frame" in answer.text


@dataclass
class Worker:
    """A worker with a browser of their own."""

    worker_id: str
    site: Site
    holds: list[Held] = field(default_factory=list)  # what was accepted and not submitted, as far as is known here

    def finds(self, hit: dict) -> bool:
        """Whether the HIT's group is on the worker's list (on its first page, where the newest are)."""
        return hit["HITTypeId"] in {group.hit_type_id for group in self.site.groups()}

    def previews(self, hit: dict) -> bool:
        return self.site.previews(hit["HITGroupId"])

    def try_accept(self, hit: dict) -> Held | None:
        """Accept some HIT of the group; None if the site gives none."""
        self.site.groups()  # where the site's form for accepting is
        held = self.site.accept(hit["HITGroupId"])
        self.holds += [held] if held else []
        return held

    def accept(self, hit: dict) -> Held:
        held = self.try_accept(hit)
        assert held is not None, "the worker got no HIT of the group"
        return held

    def give_back(self, held: Held) -> None:
        self.holds.remove(held)
        self.site.give_back(held)

    def give_everything_back(self) -> None:
        """So that the next test finds empty hands: a site lets a worker hold only so many at once."""
        while self.holds:
            with suppress(SiteError):
                self.give_back(self.holds[0])

    def submit(self, held: Held, **fields: str) -> bool:
        """Send the form in the frame; whether it was taken."""
        is_taken = self.site.submit(held, fields or {"q1": "Who?"})
        if is_taken:
            self.holds.remove(held)
        return is_taken

    def do(self, hit: dict, **fields: str) -> str:
        """Accept and submit; the assignment's id."""
        held = self.accept(hit)
        assert self.submit(held, **fields), "the submission was refused"
        return id_of(held)


def id_of(held: Held) -> str:
    return held.frame_parameters["assignmentId"]
