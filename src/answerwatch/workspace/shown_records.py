"""Records of inner rooms that views hold, gathered for those who show them: interfaces know the workspace only."""

from answerwatch.domain.brands import Brand
from answerwatch.domain.clean_states import Transition
from answerwatch.figures.accuracy.records import Accuracy
from answerwatch.figures.records import Figure, NaReason
from answerwatch.figures.report import BrandReport, Slice
from answerwatch.reading import BrandReading, CleanedAnswer, Match
from answerwatch.store.alerts import Alert
from answerwatch.store.audit import AuditEntry
from answerwatch.store.cleaning import StuckTask
from answerwatch.store.dead_letters import DeadLetter
from answerwatch.store.questions import QuestionVersion
from answerwatch.store.usage import FailureCount

__all__ = [
    "Accuracy",
    "Alert",
    "AuditEntry",
    "Brand",
    "BrandReading",
    "BrandReport",
    "CleanedAnswer",
    "DeadLetter",
    "FailureCount",
    "Figure",
    "Match",
    "NaReason",
    "QuestionVersion",
    "Slice",
    "StuckTask",
    "Transition",
]
