"""What a worker has done in a project so far: figures beside the work under review."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from annotation.models import Project, Worker


@dataclass(frozen=True)
class Record:
    """Counts of a worker's assignments by what became of them, of what they made and what of it was left out of the
    data or set right, and of gold checks. ``usual_share`` is their median of active over paid seconds; None where
    nothing was measured."""

    approved: int
    rejected: int
    waiting: int
    made: int
    dropped: int
    fixed: int
    checks: int
    checks_failed: int
    usual_share: float | None

    @property
    def is_first(self) -> bool:
        """Whether nothing of theirs was decided yet."""
        return not self.approved and not self.rejected

    @property
    def approved_percent(self) -> int | None:
        decided = self.approved + self.rejected
        return round(100 * self.approved / decided) if decided else None

    @property
    def usual_percent(self) -> int | None:
        return None if self.usual_share is None else round(100 * self.usual_share)


_RECORD = """
    WITH done AS MATERIALIZED (
      SELECT assignment.id, assignment.status, offer.paid_seconds
      FROM annotation_assignment assignment
      JOIN annotation_task task ON task.id = assignment.task_id
      JOIN annotation_offer offer ON offer.id = assignment.offer_id
      WHERE assignment.worker_id = %(worker)s AND task.project_id = %(project)s
        AND assignment.status IN ('submitted', 'approved', 'rejected')
    ), made AS MATERIALIZED (
      SELECT question.id AS question, NULL::bigint AS answer, question.id AS about
      FROM annotation_question question WHERE question.assignment_id IN (SELECT id FROM done)
      UNION ALL
      SELECT NULL, answer.id, answer.question_id FROM annotation_answer answer
      JOIN annotation_question question ON question.id = answer.question_id
      WHERE answer.assignment_id IN (SELECT id FROM done) AND NOT answer.is_gold
        AND question.assignment_id IS DISTINCT FROM answer.assignment_id
    ), left_out AS (
      SELECT count(*) FROM made WHERE (
        SELECT verdict.decision FROM annotation_verdict verdict
        WHERE verdict.question_id = made.question OR verdict.answer_id = made.answer
        ORDER BY verdict.id DESC LIMIT 1
      ) = 'drop'
    ), checks AS (
      SELECT
        (SELECT count(*) FROM annotation_answer answer
         WHERE answer.is_gold AND answer.assignment_id IN (SELECT id FROM done)) AS asked,
        (SELECT count(*) FROM reviewer_foundsignal found
         WHERE found.signal = 'gold_failed' AND found.assignment_id IN (SELECT id FROM done)) AS failed
    )
    SELECT
      count(*) FILTER (WHERE status = 'approved'),
      count(*) FILTER (WHERE status = 'rejected'),
      count(*) FILTER (WHERE status = 'submitted'),
      (SELECT count(*) FROM made),
      (SELECT * FROM left_out),
      (SELECT count(DISTINCT answer.question_id) FROM annotation_answer answer
       WHERE answer.adjudicated_by_id IS NOT NULL AND NOT answer.is_gold
         AND answer.question_id IN (SELECT about FROM made WHERE question IS NOT NULL)),
      (SELECT asked FROM checks),
      (SELECT failed FROM checks),
      (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY share) FROM (
         SELECT sum(work.active_seconds)::float / nullif(max(done.paid_seconds), 0) AS share
         FROM done JOIN annotation_paragraphwork work ON work.assignment_id = done.id
         GROUP BY done.id HAVING sum(work.active_seconds) > 0
       ) shares)
    FROM done
"""


def record_of(project: Project, worker: Worker) -> Record:
    """The record of ``worker`` in ``project``, and in no other: what a reviewer may see ends with the project."""
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, {"worker": worker.pk, "project": project.pk})
        return Record(*cursor.fetchone())
