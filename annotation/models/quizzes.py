"""What workers answered in a project's quiz, try by try."""

from __future__ import annotations

from django.db import models

from .work import Assignment


class QuizTry(models.Model):
    """One try at the quiz of an assignment's task: what was answered, and how many items were right. Only added."""

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="quiz_tries")
    number = models.PositiveSmallIntegerField()  # from 1
    answers = models.JSONField()  # an entry an item, in the form of ``services.work_body.QuizBody``
    right_count = models.PositiveSmallIntegerField()
    tried_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "number"], name="a_quiz_try_once")]

    def __str__(self) -> str:
        return f"{self.assignment}, try {self.number}"
