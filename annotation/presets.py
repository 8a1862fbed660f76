"""Presets of a project: every number of the protocol that the SQuAD paper states, as defaults of its fields.

Source of the numbers: Rajpurkar et al. 2016, section 3 (question collection, additional answers), and Table 1.
"""

from decimal import Decimal
from typing import Any

# Section 3: paragraphs under 500 characters dropped; 80/10/10 by article; up to 5 questions a paragraph; 4 minutes a
# paragraph at $9 an hour; for extra answers 5 questions in 2 minutes, at least two more answers a question.
PROTOCOL: dict[str, Any] = {
    "min_paragraph_chars": 500,
    "train_percent": 80,
    "dev_percent": 10,
    "test_percent": 10,
    "max_questions": 5,
    "min_questions": 1,
    "writers_per_paragraph": 1,
    "hourly_rate_usd": Decimal("9.00"),
    "seconds_per_paragraph": 240,
    "seconds_per_answer": 24,
    "questions_per_answer_task": 5,
    "extra_answers": 2,
    "copy_lock": True,
}

NOBODY_ASKED: dict[str, Any] = {
    "min_percent_approved": None,
    "min_hits_approved": None,
    "countries": [],
    "quiz_required": False,
}
OWN_CROWD = NOBODY_ASKED
SQUAD_V1 = NOBODY_ASKED | {"min_percent_approved": 97, "min_hits_approved": 1000, "countries": ["US", "CA"]}
GLUE_LIKE = NOBODY_ASKED | {"quiz_required": True}
# The part of a preset that says who may work.
WORKER_PRESETS: dict[str, dict[str, Any]] = {"own-crowd": OWN_CROWD, "squad-v1": SQUAD_V1, "glue-like": GLUE_LIKE}

PRESETS: dict[str, dict[str, Any]] = {
    # A crowd of one's own has no approval history yet, so none is asked for.
    "own-crowd": PROTOCOL | OWN_CROWD,
    # Section 3.2: a 97 % HIT acceptance rate, at least 1,000 HITs, located in the United States or Canada.
    "squad-v1": PROTOCOL | SQUAD_V1,
    # GLUE (Wang et al. 2018), section 4: a few trained annotators, known to the authors, whatever their history.
    "glue-like": PROTOCOL | GLUE_LIKE,
}
