"""Reading claimed answers in the cleaning thread: pure work, one outcome each, none stops the others."""

from __future__ import annotations

import structlog

from answerwatch.domain.clean_states import CleanState, InvalidReason
from answerwatch.domain.failures import LONGEST_MESSAGE, Failure, Severity
from answerwatch.domain.relevance import Relevance
from answerwatch.domain.work import Done, Failed
from answerwatch.errors import WorkError
from answerwatch.reading import Answer, CleanedAnswer, Lexicon, Verdict, clean
from answerwatch.stages.clean.lexicons import LexiconShelf
from answerwatch.stages.clean.records import Judged, ToClean
from answerwatch.stages.clean.unchanged import is_unchanged
from answerwatch.store.clean.cleaning_tasks import CleanTask
from answerwatch.store.sample.samples import SampleText

log = structlog.get_logger(__name__)

TIMEOUT = "timeout"
"""Finish reason of partial text: of a cut stream, or of an imported row that is marked so."""


def read_one(item: ToClean, shelf: LexiconShelf, relevance: Relevance | None = None) -> Done[Judged] | Failed[Judged]:
    """Return what the reader makes of one task's answer."""
    task, sample = item.task, item.sample
    if task is None or sample is None:
        return _failed(item, "raw_missing", f"the answer or the clean task of {item.claim.task_id} is not stored")
    if task.state is CleanState.COMPLETED:
        # Delivered twice: the first delivery's result stands, and this one succeeds too.
        return Done(claim=item.claim, value=Judged(task=task, sample=sample, verdict=None))
    if len(sample.raw_response) != sample.response_length:
        text = f"{len(sample.raw_response)} characters are stored where {sample.response_length} were received"
        return _failed(item, "raw_damaged", text)
    try:
        return Done(claim=item.claim, value=_judged(item, task, sample, shelf, relevance))
    except WorkError as error:
        return _failed(item, error.code, error.text)
    except Exception as error:
        # Answers are untrusted: one that finds a fault in the reader must fail alone and stay visible.
        log.exception("reading_failed", task=task.clean_task_id)
        return _failed(item, "reader_error", f"the reader failed on this answer, please report it: {error!r}")


def _judged(
    item: ToClean, task: CleanTask, sample: SampleText, shelf: LexiconShelf, relevance: Relevance | None
) -> Judged:
    """Return what the reader makes of an answer, or the result that it has where reading would find the same."""
    if is_unchanged(item, shelf):
        return Judged(task=task, sample=sample, verdict=None, present=item.present)
    lexicon = shelf.get(task.lexicon_version, item.lexicons)
    cleaned = _read(sample, lexicon, relevance)
    return Judged(
        task=task,
        sample=sample,
        verdict=cleaned.verdict,
        reading=cleaned.reading,
        relevance=relevance,
        focal_is_tracked=sample.brand_name in lexicon.brands,
    )


def _read(sample: SampleText, lexicon: Lexicon, relevance: Relevance | None) -> CleanedAnswer:
    """Return what the reader says, unless the collector knows that the deadline cut the answer off."""
    if (sample.finish_reason or "").lower() != TIMEOUT:
        return clean(_answer(sample), lexicon=lexicon, relevance=relevance)
    verdict = Verdict(
        is_valid=False, invalid_reason=InvalidReason.TIMEOUT, truncated=True, note="the deadline cut the answer off"
    )
    return CleanedAnswer(verdict=verdict, reading=None)


def _answer(sample: SampleText) -> Answer:
    return Answer(
        text=sample.raw_response,
        question=sample.query_text,
        scene=sample.scene_type,
        finish_reason=sample.finish_reason,
        truncated=sample.truncated,
        filtered=sample.filtered,
        citations=sample.citations,
    )


def check_still_valid(outcome: Done[Judged] | Failed[Judged]) -> Done[Judged] | Failed[Judged]:
    """Return the outcome of a resumed extraction, a failure where the answer is no longer judged to be one."""
    verdict = outcome.value.verdict if isinstance(outcome, Done) else None
    if verdict is None or verdict.is_valid:
        return outcome
    text = f"it was judged valid before and {verdict.invalid_reason} now: the rules changed; replay it"
    failure = Failure(error_type="verdict_changed", severity=Severity.PERMANENT, message=text)
    return Failed(claim=outcome.claim, failure=failure)


def _failed(item: ToClean, error_type: str, message: str) -> Failed[Judged]:
    failure = Failure(error_type=error_type, severity=Severity.PERMANENT, message=message[:LONGEST_MESSAGE])
    return Failed(claim=item.claim, failure=failure)
