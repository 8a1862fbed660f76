"""Remarks on questions and their answers: the cases shared with the worker's page."""

import json
from pathlib import Path

import pytest

from scoring.advice import CODES, Asked, advise

FILE = json.loads((Path(__file__).parent / "advice_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in FILE["cases"]])
def test_advice(case):
    paragraph = FILE["paragraphs"][case["paragraph"]]
    asked = [
        Asked(text, answer and (paragraph.index(answer), paragraph.index(answer) + len(answer)))
        for text, answer in case["questions"]
    ]
    found = advise(paragraph, case.get("language", "en"), asked, is_writing=not case.get("answering"))
    assert [[[advice.code, advice.values] for advice in one] for one in found] == case["advice"]


def test_every_code_has_a_case():
    assert {code for case in FILE["cases"] for one in case["advice"] for code, _values in one} == set(CODES)
