"""The room's rows, a file for each subject."""

from .bulk import BulkAct
from .claims import ReviewClaim
from .dashboard import ProjectFigures
from .erasures import WorkerErasure
from .looks import SecondLook, SecondLookWithdrawal, SecondOpinion
from .reasoning import Reasoning, ReasoningLabel, ReasoningSample, SampledQuestion
from .release import KeyDownload, Release
from .release_run import ReleaseRun
from .retention import RetentionRun
from .review import Review
from .rules import ReviewRules
from .signals import FoundSignal, SignalRun

__all__ = [
    "BulkAct",
    "FoundSignal",
    "KeyDownload",
    "ProjectFigures",
    "Reasoning",
    "ReasoningLabel",
    "ReasoningSample",
    "Release",
    "ReleaseRun",
    "RetentionRun",
    "Review",
    "ReviewClaim",
    "ReviewRules",
    "SampledQuestion",
    "SecondLook",
    "SecondLookWithdrawal",
    "SecondOpinion",
    "SignalRun",
    "WorkerErasure",
]
