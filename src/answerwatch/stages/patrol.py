"""The patrol of the question bank: what is asked and never answered is left out, and a person told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from answerwatch.clock import MICROSECONDS, to_micros
from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.questions import RETIRE, STALE_AFTER, Freshness, freshness
from answerwatch.domain.said import Said
from answerwatch.store.bank import question_dates, questions
from answerwatch.store.bank.question_dates import Asked
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import alerts, audit, shared_numbers
from answerwatch.store.upsert import chunks

MARK = "patrol"
ACTOR = "patrol"
"""Who retires questions where nobody asked for it."""

Judged = tuple[Asked, Freshness]


def look(read: Read, now: datetime) -> Iterator[Judged]:
    """Yield every active question with what is said of it; nothing else may be read until the end."""
    return ((one, judge(one, now)) for one in question_dates.active(read))


def judge(one: Asked, now: datetime) -> Freshness:
    """Return what is said of a question."""
    return freshness(now, changed=one.updated_at, first_asked=one.first_asked, last_success=one.last_success)


def retire_stale(tx: Write, judged: Iterable[Judged], now: datetime, *, by: str = ACTOR) -> None:
    """Retire the questions that went stale, with one alert for all of them; the audit keeps who did it and why."""
    stale = [one.question_id for one, said in judged if said is Freshness.STALE]
    if not stale:
        return
    questions.set_active(tx, stale, active=False, now=now)
    days = STALE_AFTER.days
    why = Said("question_stale", f"no answer for {days} days", days=days).to_row()
    for part in chunks(stale):
        audit.note(tx, actor=by, action=RETIRE, details=[(one, {"note": "", "why": why}) for one in part])
    text = f"{len(stale)} questions had no answer for {days} days and were retired, such as {stale[0]}"
    message = Said("alert_questions_stale", text, count=len(stale), days=days, question=stale[0])
    alerts.ring(tx, kind=AlertKind.QUESTIONS_STALE, subject="questions", cause=f"{now:%Y-%m-%d}", message=message)


def patrol_now_and_then(tx: Write, now: datetime) -> None:
    """Make a round unless there was one within the time after which questions are stale."""
    last = shared_numbers.get(tx, MARK)
    if last is not None and to_micros(now) - last < STALE_AFTER.total_seconds() * MICROSECONDS:
        return
    shared_numbers.move(tx, MARK, to_micros(now))
    if last is not None:  # the first round only begins the time: a new installation judges nobody's bank
        retire_stale(tx, look(tx, now), now)
