"""The rows of a dataset in the making, in the order of the work: projects, passages, tasks, work, questions."""

from .passages import Article, Import, Paragraph
from .projects import Membership, Project
from .questions import Answer, Note, Question, Verdict
from .tasks import Offer, Task, TaskParagraph, TaskQuestion
from .work import Assignment, Draft, IllegalMove, LostRace, ParagraphWork, Worker

__all__ = [
    "Answer",
    "Article",
    "Assignment",
    "Draft",
    "IllegalMove",
    "Import",
    "LostRace",
    "Membership",
    "Note",
    "Offer",
    "Paragraph",
    "ParagraphWork",
    "Project",
    "Question",
    "Task",
    "TaskParagraph",
    "TaskQuestion",
    "Verdict",
    "Worker",
]
