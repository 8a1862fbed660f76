"""A company of players works on the worker site until there is nothing left for any of them."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import requests

from .script import Line, Script, span, written
from .site import Held, SiteError, WorkerSite
from .work import WorkPage

logger = logging.getLogger(__name__)
# A paragraph's or question's share of the time that the page pays for, as the players say they needed.
QUICKEST, SLOWEST = 0.5, 1.1


@dataclass
class Played:
    """What the players did: submissions by player, HITs given back, and what went wrong."""

    submitted: dict[str, int] = field(default_factory=dict)
    given_back: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.submitted.values())


def play(
    site_url: str,
    players: Sequence[tuple[str, str]],
    script: Script,
    *,
    seed: int = 0,
    hit_types: Collection[str] | None = None,
    told: Callable[[int], None] = lambda total: None,
) -> Played:
    """Let each of ``players`` (user name, password) work, all at once, until none of them finds anything more.

    They touch the groups of ``hit_types`` alone where those are given; ``told`` hears the number of submissions so far.
    """
    played = Played()
    with ThreadPoolExecutor(max_workers=max(1, len(players))) as pool:
        going = [
            pool.submit(_play_one, site_url, name, password, script, seed, hit_types, played, told)
            for name, password in players
        ]
        for player in going:
            player.result()
    return played


def _play_one(
    site_url: str,
    name: str,
    password: str,
    script: Script,
    seed: int,
    hit_types: Collection[str] | None,
    played: Played,
    told: Callable[[int], None],
) -> None:
    site = WorkerSite(site_url)
    try:
        site.sign_in(name, password)
        while (held := _accept_any(site, hit_types)) is not None:
            _do(site, held, script, name, seed)
            played.submitted[name] = played.submitted.get(name, 0) + 1
            told(played.total)
    except (SiteError, requests.RequestException) as problem:
        logger.warning("%s stops: %s", name, problem)
        played.problems.append(f"{name}: {problem}")


def _accept_any(site: WorkerSite, hit_types: Collection[str] | None) -> Held | None:
    for group in site.groups():
        if group.may_accept and (hit_types is None or group.hit_type_id in hit_types):
            held = site.accept(group.group_id)
            if held is not None:
                return held
    return None


def _do(site: WorkerSite, held: Held, script: Script, name: str, seed: int) -> None:
    """One assignment: open the page, autosave after each paragraph, finish, hand it to the marketplace."""
    page = _open(held)
    chance = random.Random(f"{seed}|{name}|{held.frame_parameters['assignmentId']}")  # noqa: S311 - a play
    taken: list[tuple[str, list[Line]]] = []
    try:
        paragraphs: list[dict[str, Any]] = []
        for paragraph in page.data["paragraphs"]:
            questions = _write(page, paragraph, script, taken) if page.is_write else _answer(paragraph, script, name)
            share = page.data["pay"]["paid_seconds"] / len(page.data["paragraphs"])
            seconds = round(share * chance.uniform(QUICKEST, SLOWEST))
            paragraphs.append(
                {"id": paragraph["id"], "active_seconds": seconds, "blocked_actions": 0, "questions": questions}
            )
            page.save_draft(paragraphs)
        url, fields = page.finish(paragraphs)
    except BaseException:
        for text, lines in taken:
            script.give_back(text, lines)
        raise
    if not site.submit(held, fields, url):
        raise SiteError("the marketplace did not take the submission")


def _open(held: Held, tries: int = 20) -> WorkPage:
    """The work page; a HIT so new that its page is still being set up is asked for again."""
    for _ in range(tries):
        try:
            return WorkPage(held.frame_url)
        except SiteError as error:
            if "202" not in str(error):
                raise
            time.sleep(0.25)
    raise SiteError("the work page never came up")


def _write(
    page: WorkPage, paragraph: dict[str, Any], script: Script, taken: list[tuple[str, list[Line]]]
) -> list[dict[str, Any]]:
    limits = page.data["project"]
    lines = script.take(paragraph["text"], limits["min_questions"], limits["max_questions"])
    taken.append((paragraph["text"], lines))
    return [written(line, paragraph["text"]) for line in lines]


def _answer(paragraph: dict[str, Any], script: Script, name: str) -> list[dict[str, Any]]:
    answers = []
    for question in paragraph["questions"]:
        line = script.answer(paragraph["text"], question["text"], name)
        answers.append(
            {
                "id": question["id"],
                "answer": span(line, paragraph["text"]) if line else None,
                "unanswerable": line is None,
            }
        )
    return answers
