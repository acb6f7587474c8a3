"""Periodic duty of collecting: limits that a person has changed reach the lanes of running work."""

from __future__ import annotations

from answerwatch.domain.work import collect_lane
from answerwatch.stages.collect.records import FileOfLimits
from answerwatch.store.database import Write
from answerwatch.store.ops import shared_numbers
from answerwatch.store.work import lanes

MARK = "limits_changed"
"""When the file whose limits the lanes have was changed."""


def follow_limits(tx: Write, file: FileOfLimits) -> None:
    """Give the lanes the limits of a file that was changed later than the one that they have them from.

    Workers with files of their own do not undo each other's work again and again: the file that was changed last wins.
    """
    known = shared_numbers.get(tx, MARK)
    # A mark that lies ahead was set by a clock that was wrong: it must not keep changes out until then.
    if known is not None and file.changed_us <= known <= tx.now_us():
        return
    shared_numbers.move(tx, MARK, file.changed_us)
    for surface in sorted(file.surfaces, key=lambda one: one.lane):
        lane = collect_lane(surface.lane)
        lanes.limit(tx, lane, rate=surface.rate, capacity=surface.capacity, in_flight=surface.in_flight)
