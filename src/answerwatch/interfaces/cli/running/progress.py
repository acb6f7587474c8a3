"""Progress of long work: bars on a terminal, a line now and then elsewhere; always on standard error.

Standard output stays free for the result, so that `--json` prints one document and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import duration

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from answerwatch.workspace.batches.views import ShowProgress, Snapshot

LINE_EVERY_S = 10.0
LINE_EVERY_PERCENT = 10
BAR_WIDTH = 30


Meter = Callable[[str, int, int, str], None]
"""Shows what is done, how much of how much, and a note."""


@contextmanager
def shown_progress(session: Session) -> Iterator[ShowProgress]:
    """Give a function that shows snapshots for the time of the block."""
    if not session.terminal.err.is_terminal:
        yield _Lines(session)
        return
    with _bars(session) as bars:
        yield _Bars(session, bars)


@contextmanager
def metered(session: Session) -> Iterator[Meter]:
    """Give a function that shows one thing after the other for the time of the block."""
    if not session.terminal.err.is_terminal:
        yield _LinesOf(session)
        return
    with _bars(session) as bars:
        shown = _Bars(session, bars)

        def show(name: str, done: int, total: int, note: str) -> None:
            shown.show(name, done, total, note)
            bars.refresh()

        yield show


@contextmanager
def _bars(session: Session) -> Iterator[Progress]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415 - keeps --help quick

    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=BAR_WIDTH),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        console=session.terminal.err,
        auto_refresh=False,
        transient=True,
    )
    with bars:
        yield bars


def note(snapshot: Snapshot, session: Session) -> str:
    """Return what is to be said beside the bar of the whole: failures, remaining time, what waits for a person."""
    parts = [session.say("progress.failed", count=snapshot.failed)] if snapshot.failed else []
    if snapshot.done < snapshot.total and snapshot.eta_s is not None:
        parts.append(session.say("progress.remaining", time=duration(snapshot.eta_s, session.say)))
    parts += [session.say("progress.parked", platform=lane.platform) for lane in snapshot.parked]
    return " · ".join(parts)


class _Lines:
    """A line whenever a tenth more is done, and at least every ten seconds while something changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._said: tuple[int, int] | None = None
        self._tenth = -1
        self._at = 0.0

    def __call__(self, snapshot: Snapshot) -> None:
        state = (snapshot.done, snapshot.clean_outstanding)
        tenth = snapshot.done * 100 // max(1, snapshot.total) // LINE_EVERY_PERCENT
        now = time.monotonic()
        if state == self._said or (tenth == self._tenth and now - self._at < LINE_EVERY_S):
            return
        self._said, self._tenth, self._at = state, tenth, now
        self._session.remark(
            "progress.line",
            done=snapshot.done,
            total=snapshot.total,
            cleaning=snapshot.clean_outstanding,
            note=note(snapshot, self._session),
        )


class _LinesOf:
    """A line whenever a tenth more of one thing is done, and at least every ten seconds while it goes on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._said: tuple[str, int] | None = None
        self._at = 0.0

    def __call__(self, name: str, done: int, total: int, note: str) -> None:
        state = (name, done * 100 // max(1, total) // LINE_EVERY_PERCENT)
        now = time.monotonic()
        if state == self._said and now - self._at < LINE_EVERY_S:
            return
        self._said, self._at = state, now
        self._session.remark("progress.of", name=name, done=done, total=total, note=note)


class _Bars:
    """A bar for the whole, and one for each platform."""

    def __init__(self, session: Session, bars: Progress) -> None:
        self._session = session
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, snapshot: Snapshot) -> None:
        for name, (done, total, failed, waiting) in _by_platform(snapshot).items():
            remark = [self._session.say("progress.failed", count=failed)] if failed else []
            remark += [self._session.say("progress.waiting", count=waiting)] if waiting else []
            self.show(name, done, total, " · ".join(remark))
        self.show(self._session.say("progress.all"), snapshot.done, snapshot.total, note(snapshot, self._session))
        self._bars.refresh()

    def show(self, name: str, done: int, total: int, remark: str) -> None:
        """Show one bar."""
        if name not in self._tasks:
            self._tasks[name] = self._bars.add_task(name, total=total, note=remark)
        self._bars.update(self._tasks[name], completed=done, total=total, note=remark)


def _by_platform(snapshot: Snapshot) -> dict[str, tuple[int, int, int, int]]:
    """Return done, total, failed and waiting by platform, over all batches of the run."""
    sums: dict[str, tuple[int, int, int, int]] = {}
    for batch in snapshot.batches:
        for part in batch.platforms:
            done, total, failed, waiting = sums.get(part.platform, (0, 0, 0, 0))
            outcome = part.completed + part.failed + part.cancelled
            sums[part.platform] = (done + outcome, total + part.total, failed + part.failed, waiting + part.waiting)
    return sums
