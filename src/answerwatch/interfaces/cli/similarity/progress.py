"""How far a job is while somebody waits: texts that are encoded, pairs that are scored, and what is left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.running.progress import Meter, metered
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import duration

if TYPE_CHECKING:
    from answerwatch.workspace.similarity.views import JobView, ShowJob


@contextmanager
def shown_job(session: Session) -> Iterator[ShowJob]:
    """Give a function that shows how far a job is for the time of the block."""
    with metered(session) as meter:

        def show(job: JobView) -> None:
            _show(session, meter, job)

        yield show


def _show(session: Session, meter: Meter, job: JobView) -> None:
    parts = []
    if job.failed:
        parts.append(session.say("progress.failed", count=job.failed))
    encodes = job.encoded is not None and job.encoded < 100
    if encodes and job.chars_rate is not None:
        parts.append(session.say("similarity.chars_rate", count=f"{job.chars_rate:,.0f}"))
    elif not encodes and job.rate is not None:
        parts.append(f"{job.rate:,.0f}/s")
    if not job.status.is_final:
        left = None if job.eta_seconds is None else duration(job.eta_seconds, session.say)
        unknown = session.say("similarity.remaining_unknown")
        parts.append(unknown if left is None else session.say("progress.remaining", time=left))
    note = " · ".join(parts)
    if job.encoded is not None and encodes:
        meter(session.say("similarity.encoding"), int(job.encoded), 100, note)
    else:
        meter(session.say("similarity.scoring"), job.processed, job.total, note)
