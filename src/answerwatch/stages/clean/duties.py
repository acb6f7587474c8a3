"""Periodic duties: tell a person of stuck tasks and of platforms whose answers are mostly none, patrol the bank."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from answerwatch.clock import MICROSECONDS, to_micros
from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.clean_states import InvalidReason
from answerwatch.domain.said import Said
from answerwatch.stages.patrol import patrol_now_and_then
from answerwatch.store.clean import cleaning_tasks, results
from answerwatch.store.database import Write
from answerwatch.store.ops import alerts, shared_numbers

MARK = "clean_duties"
EVERY_S = 60
"""Between two rounds, whoever makes them: one look a minute is soon enough for a person."""

DEGRADED_SHARE = 0.2
"""Share of a platform's answers of the last hour above which a reason for being none is told."""
DEGRADED_LEAST = 10
"""Answers within the hour below which a share says nothing."""
DEGRADES: Mapping[str, bool] = MappingProxyType(
    {
        InvalidReason.EMPTY: False,
        InvalidReason.REFUSED: True,
        InvalidReason.FILTERED: True,
        InvalidReason.NO_ANSWER: False,
        InvalidReason.IRRELEVANT: False,
        InvalidReason.ERROR: True,
        InvalidReason.GARBLED: True,
        InvalidReason.TIMEOUT: False,
    }
)
"""Whether many answers that are none for a reason tell of the platform; else of the questions, or of our own limits."""


def do_duties(tx: Write, now: datetime) -> None:
    """Make a round unless somebody made one within the last minute."""
    last = shared_numbers.get(tx, MARK)
    if last is not None and to_micros(now) - last < EVERY_S * MICROSECONDS:
        return
    shared_numbers.move(tx, MARK, to_micros(now))
    tell_stuck(tx, now)
    tell_degraded(tx, now)
    patrol_now_and_then(tx, now)


def tell_stuck(tx: Write, now: datetime) -> None:
    """Raise an alert while tasks are stuck."""
    count = cleaning_tasks.count_stuck(tx, now)
    if count:
        oldest = cleaning_tasks.stuck(tx, now, most=1)[0]
        text = f"{count} clean tasks are stuck, the oldest is {oldest.clean_task_id} ({oldest.state})"
        message = Said(
            "alert_stuck", text, count=count, task=oldest.clean_task_id, state=Said.word("state", oldest.state)
        )
        alerts.ring_on(tx, kind=AlertKind.STUCK, subject="clean", cause="clean", message=message, seen_every_s=EVERY_S)


def tell_degraded(tx: Write, now: datetime) -> None:
    """Raise one alert for each platform and reason that made too many of the last hour's answers worthless."""
    for share in results.invalid_shares(tx, now - timedelta(hours=1)):
        if share.answers < DEGRADED_LEAST or share.share <= DEGRADED_SHARE or not DEGRADES.get(share.reason):
            continue
        examples = " | ".join(results.examples(tx, share, now - timedelta(hours=1)))
        invalid, answers, reason = share.invalid, share.answers, Said.word("invalid", share.reason)
        text = f"{invalid} of {answers} answers of the last hour are {reason}, such as: {examples}"
        message = Said("alert_degraded", text, invalid=invalid, answers=answers, reason=reason, examples=examples)
        _tell_on(tx, share, message)


def _tell_on(tx: Write, share: results.InvalidShare, message: Said) -> None:
    kind = AlertKind.PLATFORM_DEGRADED
    alerts.ring_on(tx, kind=kind, subject=share.platform, cause=share.reason, message=message, seen_every_s=EVERY_S)
