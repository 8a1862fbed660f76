"""The results that the server and the worker's page must share; ``span_vectors.json`` says what each part means."""

import json
from pathlib import Path

import pytest

VECTORS = json.loads((Path(__file__).parent / "span_vectors.json").read_text(encoding="utf-8"))


def cases(part: str) -> list:
    """The vectors of one part as parameters, named by the rule that they state."""
    return [pytest.param(vector, id=vector["name"]) for vector in VECTORS[part]]
