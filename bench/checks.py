"""After the load: is everything there that was done, once, and nothing beyond what was asked?"""

from __future__ import annotations

from typing import Any

import psycopg2

from bench.rounds import QUESTIONS

# HITs whose places do not add up, or that have more work than places.
OVER_ASSIGNED = """
SELECT count(*) FROM (
  SELECT hit.max_assignments, hit.open_places, count(work.id) AS taken, count(DISTINCT work.worker_id) AS people
  FROM marketplace_hit hit LEFT JOIN marketplace_assignment work ON work.hit_id = hit.id
    AND work.status IN ('held', 'submitted', 'approved', 'rejected')
  GROUP BY hit.id) AS hits
WHERE taken > max_assignments OR taken + open_places <> max_assignments OR people <> taken
"""
SUBMITTED = """
SELECT work.assignment_id, worker.worker_id, hit.hit_id FROM marketplace_assignment work
JOIN marketplace_workerprofile worker ON worker.id = work.worker_id JOIN marketplace_hit hit ON hit.id = work.hit_id
WHERE work.status = 'submitted'
"""
OPEN_PLACES = "SELECT coalesce(sum(open_places), 0) FROM marketplace_hit"
HELD = "SELECT count(*) FROM marketplace_assignment WHERE status = 'held'"
FINISHED = """
SELECT work.mturk_assignment_id, worker.mturk_worker_id, offer.mturk_hit_id
FROM annotation_assignment work JOIN annotation_worker worker ON worker.id = work.worker_id
JOIN annotation_offer offer ON offer.id = work.offer_id
WHERE work.finished_at IS NOT NULL
"""
# Finished work without exactly the questions, answers and paragraph that were sent.
NOT_WHOLE = """
SELECT count(*) FROM annotation_assignment work
WHERE (work.finished_at IS NULL) <> (NOT EXISTS (SELECT 1 FROM annotation_question q WHERE q.assignment_id = work.id))
   OR work.finished_at IS NOT NULL AND (
      (SELECT count(*) FROM annotation_question q WHERE q.assignment_id = work.id) <> %(questions)s
   OR (SELECT count(*) FROM annotation_answer a JOIN annotation_question q ON q.id = a.question_id
       WHERE a.assignment_id = work.id AND q.assignment_id = work.id) <> %(questions)s
   OR (SELECT count(*) FROM annotation_paragraphwork p WHERE p.assignment_id = work.id) <> 1)
"""
FLOOR_OVER_ASSIGNED = """
SELECT count(*) FROM (SELECT task.open_places, count(a.id) AS taken, count(DISTINCT a.worker_id) AS people
  FROM task LEFT JOIN assignment a ON a.task_id = task.id WHERE task.batch <> 3 GROUP BY task.id) AS tasks
WHERE open_places + taken <> %(places)s OR people <> taken
"""


def problems_of(
    platform: str, marketplace: str, *, whole_rounds: int, platform_rounds: int, drained: bool
) -> list[str]:
    """What is wrong in the two databases (by address) after ``whole_rounds`` whole rounds and ``platform_rounds`` of
    the platform's part alone; ``drained``: nothing may be left to do."""
    (over,) = one(marketplace, OVER_ASSIGNED)
    (held,) = one(marketplace, HELD)
    submitted = rows(marketplace, SUBMITTED)
    finished = rows(platform, FINISHED)
    both = [row for row in finished if not row[0].startswith("ONLY")]
    alone = len(finished) - len(both)
    (not_whole,) = one(platform, NOT_WHOLE, {"questions": QUESTIONS})
    (left,) = one(marketplace, OPEN_PLACES)
    findings = {
        f"{over} HITs are over-assigned, or their places do not add up": over,
        f"{held} assignments are still in hand": held,
        f"{len(submitted)} assignments were submitted in {whole_rounds} rounds": len(submitted) != whole_rounds,
        "the two sites do not have the same assignments": sorted(submitted) != sorted(both),
        f"the platform has {alone} assignments of {platform_rounds} rounds": alone != platform_rounds,
        f"{not_whole} assignments do not have all that was sent, once": not_whole,
        f"{left} places are left though nobody found any": drained and left,
    }
    return [sentence for sentence, is_wrong in findings.items() if is_wrong]


def floor_problems_of(floor: str, places: int) -> list[str]:
    """The same question to the floor, of which the ratio is worth nothing if it does its work wrong."""
    (over,) = one(floor, FLOOR_OVER_ASSIGNED, {"places": places})
    return [f"{over} tasks of the floor are over-assigned"] if over else []


def rows(address: str, statement: str, values: Any = None) -> list[tuple[Any, ...]]:
    connection = psycopg2.connect(address)
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall()
    finally:
        connection.close()


def one(address: str, statement: str, values: Any = None) -> tuple[Any, ...]:
    (row,) = rows(address, statement, values)
    return row
