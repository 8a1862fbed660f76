"""Whoever's work a reviewer has decided about by now has been looked at, and waits for nobody."""

from django.db import migrations

FIRST_LOOKS = """
INSERT INTO annotation_firstlook (project_id, worker_id, assignment_id, looked_by_id, looked_at)
SELECT DISTINCT ON (task.project_id, assignment.worker_id)
  task.project_id, assignment.worker_id, assignment.id, review.reviewer_id, review.decided_at
FROM reviewer_review review
JOIN annotation_assignment assignment ON assignment.id = review.assignment_id
JOIN annotation_task task ON task.id = assignment.task_id
WHERE task.kind <> 'quiz' AND review.decision <> 'undo'
ORDER BY task.project_id, assignment.worker_id, review.id
ON CONFLICT DO NOTHING
"""


class Migration(migrations.Migration):
    dependencies = [("reviewer", "0013_keep_erasures"), ("annotation", "0017_hold_new_workers")]
    operations = [migrations.RunSQL(FIRST_LOOKS, migrations.RunSQL.noop)]
