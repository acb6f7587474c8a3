"""Days and moments that people type."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from answerwatch.errors import UsageError


def placed(moment: datetime | None, zone: ZoneInfo) -> datetime | None:
    """Return a moment typed by a person in the time zone of the workspace.

    Raises UsageError where it is none in UTC: at the very beginning and end of the calendar.
    """
    if moment is None:
        return None
    there = moment.replace(tzinfo=zone)
    try:
        there.astimezone(UTC)
    except OverflowError as error:
        day = moment.date().isoformat()
        raise UsageError(
            "date_far", f"{day} lies too far away; give a day of the years 2 to 9998.", date=day
        ) from error
    return there
