"""The seconds of scoring a file of predictions and of the official algorithm written plainly, taking turns.

One order as JSON on standard input: ``{"questions", "runs"}``. Three answers a question, of the lengths that people's
have in SQuAD: of ten predictions six are a gold answer, two share words with one, two are something else.
"""

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.texts import Texts
from scoring.squad_metrics import GoldQuestion, score_predictions
from tests.scoring.official import evaluate_v1

# Of SQuAD's dev answers, in words: cumulative shares to draw from.
LENGTHS = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 12]


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def made(count: int) -> tuple[list[GoldQuestion], dict[str, str]]:
    """Questions with three answers each, and a prediction for every one."""
    texts, chance = Texts(0), random.Random(0)
    words = " ".join(texts.paragraph() for _number in range(200)).split(" ")

    def answer() -> list[str]:
        start = chance.randrange(len(words) - 12)
        return words[start : start + chance.choice(LENGTHS)]

    questions, predictions = [], {}
    for number in range(count):
        first = answer()
        golds = [first, first if chance.random() < 0.6 else ["the", *first], first[: max(1, len(first) - 1)]]
        kind = chance.randrange(10)
        said = chance.choice(golds) if kind < 6 else [*first, *answer()[:2]] if kind < 8 else answer()
        name = f"q{number}"
        questions.append(GoldQuestion(name, [" ".join(gold) for gold in golds]))
        predictions[name] = " ".join(said)
    return questions, predictions


def main(order: dict[str, Any]) -> dict[str, Any]:
    questions, predictions = made(order["questions"])
    pairs = [(question.id, question.answers) for question in questions]
    took: dict[str, list[float]] = {"ours": [], "official": []}
    for _run in range(order["runs"]):
        took["ours"].append(seconds(lambda: score_predictions(questions, predictions)))
        took["official"].append(seconds(lambda: evaluate_v1(pairs, predictions)))
    found = score_predictions(questions, predictions).overall
    ours, official = (found.exact_match, found.f1), evaluate_v1(pairs, predictions)
    problem = "" if ours == official else f"scoring says {ours}, and the official algorithm {official}"
    return {name: statistics.median(each) for name, each in took.items()} | {"scores": ours, "problem": problem}


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))
