"""The rows of a dataset in the making, in the order of the work: projects, passages, tasks, work, questions."""

from .curations import CurationRun
from .gold import GoldQuestion
from .guides import Guide
from .notes import Note, NoteReading
from .passages import Article, Import, Paragraph, ParagraphChoice, PassageAct, TextRepair
from .projects import Membership, Project
from .questions import Answer, Question, Verdict
from .quizzes import QuizTry
from .standing import Exclusion, FirstLook, QuizResult
from .tasks import Offer, Task, TaskParagraph, TaskQuestion
from .work import Assignment, Draft, IllegalMove, LostRace, ParagraphWork, QuestionSignals, Worker

__all__ = [
    "Answer",
    "Article",
    "Assignment",
    "CurationRun",
    "Draft",
    "Exclusion",
    "FirstLook",
    "GoldQuestion",
    "Guide",
    "IllegalMove",
    "Import",
    "LostRace",
    "Membership",
    "Note",
    "NoteReading",
    "Offer",
    "Paragraph",
    "ParagraphChoice",
    "ParagraphWork",
    "PassageAct",
    "Project",
    "Question",
    "QuestionSignals",
    "QuizResult",
    "QuizTry",
    "Task",
    "TaskParagraph",
    "TaskQuestion",
    "TextRepair",
    "Verdict",
    "Worker",
]
