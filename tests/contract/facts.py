"""What each expectation rests on.

A module names the part of the fact sheet on Mechanical Turk that it is about (``FACTS``); a test cites the page of
AWS's API reference (by the operation or data structure that it is named after), the fact, and how well it is known.
On another endpoint, a test that rests on our own choice alone may fail without that endpoint being wrong.
"""

from enum import Enum

import pytest


class Basis(Enum):
    MODEL = "botocore's service model says so"
    DOCS = "AWS's documentation says so"
    LEGACY = "AWS's reference of 2014 says so, and no later one"
    WIRE = "seen in what botocore sends and reads"
    SEEN = "seen in public programs and bug reports"
    INFERRED = "inferred from what AWS's documents say"
    OURS = "never seen: the choice of this marketplace"


MODEL, DOCS, LEGACY, WIRE, SEEN, INFERRED, OURS = Basis


def cites(page: str, fact: str, basis: Basis = DOCS) -> pytest.MarkDecorator:
    """Mark a test with what it rests on; several may be given."""
    return pytest.mark.cites(page, fact, basis)
