"""What is written when collecting does not end in a sample: attempts, failures, late answers, alerts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.batches import AttemptOutcome, BatchStatus, Outcomes
from answerwatch.domain.failures import Failure
from answerwatch.domain.said import Said
from answerwatch.domain.work import Claim, Done, Ending, Failed, HandedBack, Outcome, Settled
from answerwatch.stages.collect.records import Call
from answerwatch.store.batch import attempts, moves, sub_tasks
from answerwatch.store.batch.attempts import AttemptRow
from answerwatch.store.batch.moves import FinishedBatch
from answerwatch.store.batch.sub_tasks import Ended
from answerwatch.store.database import Write
from answerwatch.store.ops import alerts
from answerwatch.store.sample import samples
from answerwatch.store.sample.samples import LateAnswer, NewSample


def attempt_row(claim: Claim, call: Call, outcome: AttemptOutcome, failure: Failure | None = None) -> AttemptRow:
    """Return the row of one request."""
    return AttemptRow(
        sub_task_id=claim.task_id,
        attempt=call.attempt,
        started_at=call.started_at,
        ended_at=call.ended_at,
        outcome=outcome,
        error_type=None if failure is None else failure.error_type,
        error=None if failure is None else failure.message,
        http_status=call.http_status,
        cost=call.cost,
    )


def record_failures(tx: Write, settled: Sequence[Settled[Call]], now: datetime) -> None:
    """Write the attempts; count retries of those that are tried again, end those that are not."""
    attempts.record(tx, [row for one in settled if (row := _failed_row(one)) is not None])
    tried = [one.outcome for one in settled if one.ending is Ending.RETRY and not one.outcome.failure.parks]
    sub_tasks.count_retries(tx, [(one.claim.task_id, one.claim.failures + 1) for one in tried])
    dead = [one.outcome for one in settled if one.ending is Ending.DEAD]
    failed = sub_tasks.fail(
        tx,
        [
            Ended(
                sub_task_id=one.claim.task_id,
                error_type=one.failure.error_type,
                error=one.failure.message,
                retry_count=one.claim.failures,
            )
            for one in dead
        ],
        now,
    )
    tell_finished(tx, moves.add_outcomes(tx, {id_: Outcomes(failed=count) for id_, count in failed.items()}, now))
    _tell_dead(tx, dead)


def _failed_row(one: Settled[Call]) -> AttemptRow | None:
    if one.outcome.value is None:
        return None
    row = attempt_row(one.outcome.claim, one.outcome.value, AttemptOutcome.FAILED, one.outcome.failure)
    return replace(row, wait_s=one.wait_s, wait_origin=one.wait_origin)


def _tell_dead(tx: Write, dead: Sequence[Failed[Call]]) -> None:
    """Raise one alert for each lane and kind of failure."""
    causes = Counter((one.claim.lane, one.failure.error_type) for one in dead)
    last = {(one.claim.lane, one.failure.error_type): one for one in dead}
    for (lane, error_type), count in sorted(causes.items()):
        one = last[lane, error_type]
        last_id, why = one.claim.task_id, one.failure.message
        text = f"{count} sub-tasks failed for good, the last one {last_id}: {why}"
        message = Said("alert_permanent_failures", text, count=count, task=last_id, why=why)
        alerts.ring(tx, kind=AlertKind.PERMANENT_FAILURES, subject=lane, cause=error_type, message=message)


def tell_finished(tx: Write, finished: Sequence[FinishedBatch]) -> None:
    """Raise an alert for every batch that ended without all its answers."""
    for batch in finished:
        if batch.status is BatchStatus.PARTIAL:
            total = batch.completed + batch.failed
            text = f"{batch.failed} of {total} sub-tasks of {batch.batch_id} failed"
            message = Said("alert_batch_partial", text, failed=batch.failed, total=total, batch=batch.batch_id)
            alerts.ring(tx, kind=AlertKind.BATCH_PARTIAL, subject=batch.batch_id, cause="failures", message=message)


def tell_cut_short(tx: Write, stored: Sequence[NewSample]) -> None:
    """Raise one alert for each platform and batch where the output limit was used up before any answer came.

    Its count is that of the answers.
    """
    for sample in stored:
        if sample.truncated and not sample.raw_response.strip():
            text = (
                f"{sample.platform} used up its output limit before it answered, in {sample.batch_id}: raise the limit "
                f"of tokens or switch thinking off for this platform, then ask again in another batch"
            )
            message = Said("alert_output_limit", text, platform=sample.platform, batch=sample.batch_id)
            alerts.ring(
                tx, kind=AlertKind.OUTPUT_LIMIT, subject=sample.platform, cause=sample.batch_id, message=message
            )


def record_interrupted(tx: Write, back: Sequence[HandedBack[Call]]) -> None:
    """Write the attempts whose call had gone out when we stopped them; what is known of one already stays."""
    rows = [attempt_row(one.claim, one.value, AttemptOutcome.INTERRUPTED) for one in back if one.value is not None]
    attempts.record_late(tx, rows)


def record_late(tx: Write, late: Sequence[Outcome[Call]], now: datetime) -> None:
    """Keep what came after somebody else had the task or its outcome; no status and no counter moves."""
    attempts.record_late(tx, [row for one in late if (row := _late_row(one)) is not None])
    answers = [answer for one in late if isinstance(one, Done) and (answer := _late_answer(one, now)) is not None]
    samples.keep_late(tx, answers)


def _late_row(one: Outcome[Call]) -> AttemptRow | None:
    if one.value is None or one.value.adopted:
        return None
    if isinstance(one, Failed):
        return attempt_row(one.claim, one.value, AttemptOutcome.FAILED, one.failure)
    outcome = AttemptOutcome.LATE if isinstance(one, Done) else AttemptOutcome.INTERRUPTED
    return attempt_row(one.claim, one.value, outcome)


def _late_answer(one: Done[Call], now: datetime) -> LateAnswer | None:
    sample = one.value.sample
    if sample is None:
        return None
    return LateAnswer(
        sub_task_id=sample.sub_task_id,
        attempt=sample.attempt,
        batch_id=sample.batch_id,
        platform=sample.platform,
        raw_response=sample.raw_response,
        raw_data_url=sample.raw_data_url,
        raw_sha256=sample.raw_sha256,
        http_status=one.value.http_status,
        received_at=now,
        why="the sub-task had its outcome, or another worker had taken it over, before this answer was stored",
    )
