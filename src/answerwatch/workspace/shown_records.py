"""Records of inner rooms that views hold, gathered for those who show them: interfaces know the workspace only."""

from answerwatch.domain.brands import Brand
from answerwatch.domain.clean_states import Transition
from answerwatch.figures.accuracy.records import Accuracy
from answerwatch.figures.records import Figure, NaReason
from answerwatch.figures.report import BrandReport, Slice
from answerwatch.reading import BrandReading, CleanedAnswer, Match
from answerwatch.store.bank.questions import QuestionVersion
from answerwatch.store.batch.sub_tasks import FailureCount
from answerwatch.store.clean.cleaning_tasks import StuckTask
from answerwatch.store.ops.alerts import Alert
from answerwatch.store.ops.api_keys import ApiKey
from answerwatch.store.ops.audit import AuditEntry
from answerwatch.store.ops.dead_letters import DeadLetter

__all__ = [
    "Accuracy",
    "Alert",
    "ApiKey",
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
