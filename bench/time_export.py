"""Under the platform's settings: fill a project, export it or release it, and say how long it took and in which memory.

An order is a process of its own, as memory that was taken once counts to the end. One order as JSON on standard input:
``{"do": "fill" | "export" | "release", "questions", "out", "runs"}``.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from annotation.models import Project  # noqa: E402
from annotation.services.imports import import_file  # noqa: E402
from annotation.services.projects import create_project  # noqa: E402
from bench.texts import Texts  # noqa: E402
from reviewer.services import release_runs  # noqa: E402
from reviewer.services.export import write_export  # noqa: E402

QUESTIONS_A_PARAGRAPH = 5  # as in SQuAD's development set
ANSWERS = 3
DUMP = """
import json, sys, time
with open(sys.argv[1], encoding="utf-8") as file:
    value = json.load(file)
started = time.perf_counter()
with open(sys.argv[1] + ".again", "w", encoding="utf-8") as file:
    json.dump(value, file)
print(time.perf_counter() - started)
"""


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def squad(questions: int, seed: int) -> bytes:
    """A generated file of SQuAD 1.1: each question with three answers of one to five words of its paragraph."""
    chance = random.Random(seed)
    articles, number = [], 0
    for index, texts in enumerate(Texts(seed).articles(-(-questions // QUESTIONS_A_PARAGRAPH)), start=1):
        paragraphs = []
        for text in texts:
            words = text.split(" ")
            asked = []
            for _ in range(QUESTIONS_A_PARAGRAPH):
                number += 1
                question = " ".join(chance.choices(words, k=chance.randint(6, 14))).lower() + "?"
                answers = [_answer(words, chance) for _ in range(ANSWERS)]
                asked.append({"id": f"{number:024x}", "question": question, "answers": answers})
            paragraphs.append({"context": text, "qas": asked})
        articles.append({"title": f"Article {index}", "paragraphs": paragraphs})
    return json.dumps({"version": "1.1", "data": articles}, ensure_ascii=False).encode()


def _answer(words: list[str], chance: random.Random) -> dict[str, Any]:
    first = chance.randrange(len(words) - 5)
    start = sum(len(word) + 1 for word in words[:first])
    return {"text": " ".join(words[first : first + chance.randint(1, 5)]), "answer_start": start}


def fill(questions: int) -> dict[str, float]:
    project = create_project(
        name=f"Questions {questions}", slug=slug(questions), train_percent=0, dev_percent=100, test_percent=0
    )
    import_file(project, squad(questions, seed=0), file_name="bench.json", with_questions=True)
    return {}


def export(project: Project, out: Path, runs: int) -> dict[str, float]:
    """Taking turns with json.dump, in another process, of what was exported."""
    exported, dumped = [], []
    file = out / "dev-v1.1.json"
    for _ in range(runs):
        exported.append(seconds(partial(write_export, project, out)))
        again = subprocess.run([sys.executable, "-c", DUMP, str(file)], check=True, capture_output=True, text=True)
        dumped.append(float(again.stdout))
    megabytes = file.stat().st_size / 1e6
    return {"export": statistics.median(exported), "dump": statistics.median(dumped), "megabytes": megabytes}


def slug(questions: int) -> str:
    return f"questions-{questions}"


def main(order: dict[str, Any]) -> dict[str, float]:
    if order["do"] == "fill":
        return fill(order["questions"])
    project = Project.objects.get(slug=slug(order["questions"]))
    if order["do"] == "export":
        told = export(project, Path(order["out"]), order["runs"])
    else:
        told = {"release": seconds(lambda: release_runs.release(project))}
    return told | {"peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
