"""The seconds of a whole run of curation and of MinHash alone, taking turns, and the memory of the run.

One order as JSON on standard input: ``{"paragraphs", "runs", "folder"}``. One paragraph in ten repeats one before it
with a word changed, one in twenty is short, one in fifty is of figures: what a run must find is known.
"""

import json
import random
import resource
import statistics
import sys
import time
from binascii import crc32
from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasketch import MinHash, MinHashLSH

from bench.texts import PARAGRAPHS_AN_ARTICLE, Texts
from curation.filters import FilterSettings
from curation.languages import other_language
from curation.pipeline import curate
from curation.sources import Documents


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def megabytes() -> float:
    """The most that this process has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def paragraphs(count: int) -> tuple[list[str], dict[str, int]]:
    """The paragraphs, and how many must be dropped for each reason."""
    texts, chance = Texts(0), random.Random(0)
    made: list[str] = []
    whole: list[str] = []
    dropped = dict.fromkeys(("near_duplicate", "too_short", "digits"), 0)
    for number in range(count):
        if number % 10 == 9:
            words = chance.choice(whole).split(" ")
            words[chance.randrange(len(words))] = "changed"
            made.append(" ".join(words))
            dropped["near_duplicate"] += 1
        elif number % 20 == 5:
            made.append(texts.paragraph()[:400])
            dropped["too_short"] += 1
        elif number % 50 == 7:
            made.append(" ".join(str(chance.randrange(10**6)) for _word in range(100)))
            dropped["digits"] += 1
        else:
            whole.append(texts.paragraph())
            made.append(whole[-1])
    return made, dropped


def minhash_alone(texts: list[str]) -> None:
    """Signatures of the runs of three words, and an index that is asked before each goes in."""
    index, blank = MinHashLSH(num_perm=128, params=(16, 8)), MinHash(num_perm=128, hashfunc=crc32)
    for number, text in enumerate(texts):
        words = text.split()
        signature = blank.copy()
        signature.update_batch({" ".join(words[at : at + 3]).encode() for at in range(len(words) - 2)})
        index.query(signature)
        index.insert(number, signature, check_duplication=False)


def main(order: dict[str, Any]) -> dict[str, Any]:
    texts, dropped = paragraphs(order["paragraphs"])
    source, out = Path(order["folder"]) / "articles.jsonl", Path(order["folder"]) / "passages.jsonl"
    with open(source, "w", encoding="utf-8") as file:
        for start in range(0, len(texts), PARAGRAPHS_AN_ARTICLE):
            article = {"title": f"Article {start}", "paragraphs": texts[start : start + PARAGRAPHS_AN_ARTICLE]}
            file.write(json.dumps(article, ensure_ascii=False) + "\n")
    # Generated words are of no language; the check is timed by itself.
    settings = FilterSettings(language="en", check_language=False)
    base = megabytes()
    report = curate(Documents(source), out, settings)
    most = megabytes()
    took: dict[str, list[float]] = {"curate": [], "minhash": []}
    for _run in range(order["runs"]):
        took["curate"].append(seconds(lambda: curate(Documents(source), out, settings)))
        took["minhash"].append(seconds(lambda: minhash_alone(texts)))
    language = seconds(lambda: [other_language(text, "en") for text in texts])
    found = {reason: entry["count"] for reason, entry in report["paragraphs"]["dropped"].items()}
    # An estimate of a likeness is a little off now and then.
    wrong = sum(abs(found.get(reason, 0) - count) for reason, count in dropped.items())
    problem = "" if wrong <= len(texts) / 1_000 else f"curation dropped {found}, and should have {dropped}"
    medians = {name: statistics.median(values) for name, values in took.items()}
    return medians | {
        "megabytes": most,
        "base_megabytes": base,
        "language": language,
        "found": found,
        "runs": took,
        "problem": problem,
    }


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))
