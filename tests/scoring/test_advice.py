"""Remarks on questions and their answers: the cases shared with the worker's page."""

import json
from pathlib import Path

import pytest

from scoring.advice import CODES, Asked, advise, question_key

FILE = json.loads((Path(__file__).parent / "advice_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in FILE["cases"]])
def test_advice(case):
    paragraph = FILE["paragraphs"][case["paragraph"]]
    asked = [
        Asked(text, answer and (paragraph.index(answer), paragraph.index(answer) + len(answer)))
        for text, answer in case["questions"]
    ]
    language = case.get("language", "en")
    before = {question_key(text, language) for text in case.get("before", [])}
    found = advise(paragraph, language, asked, is_writing=not case.get("answering"), asked_before=before)
    assert [[[advice.code, advice.values] for advice in one] for one in found] == case["advice"]


@pytest.mark.parametrize(("text", "language", "key"), FILE["keys"])
def test_the_key_of_a_question(text, language, key):
    assert question_key(text, language) == key


def test_every_code_has_a_case():
    assert {code for case in FILE["cases"] for one in case["advice"] for code, _values in one} == set(CODES)
