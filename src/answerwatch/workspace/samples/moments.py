"""Moments as people and programs write them in files; what could be two moments, or none that can be, is none."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from answerwatch.workspace.files.cells import clean_cell, whole_id

FIRST_YEAR, LAST_YEAR = 1990, 2100
"""Moments outside are mistakes of a program: empty dates of spreadsheets, 1970, 9999."""

_UNITS = (1, 1_000, 1_000_000)
"""Parts of a second that numbers since 1970 count."""
_EARLIEST, _LATEST = 978_307_200, 4_133_980_800
"""Seconds since 1970 of the beginnings of 2001 and 2101: between them lie numbers that cannot be mistaken."""

_NUMBER = re.compile(r"\d+(\.\d*)?([eE]\+?\d{1,2})?")
_COMPACT = {8: "%Y%m%d", 10: "%Y%m%d%H", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
_HOURS = 10
"""Digits of a date with its hour, which are those of seconds since 1970 too."""

_SPELLED = re.compile(
    r"""(?P<year>\d{4})\s*[-/.年]\s*(?P<month>\d{1,2})\s*[-/.月]\s*(?P<day>\d{1,2})\s*日?
    (?: [\sTt,，]* (?P<before>上午|下午)?
        \s* (?P<hour>\d{1,2}) \s* (?: [:：时點点] \s* (?P<minute>\d{1,2})? ) \s* 分?
        (?: [:：]? \s* (?P<second>\d{1,2}) (?:[.,](?P<fraction>\d{1,6})\d*)? \s* 秒? )?
        \s* (?P<after>[AaPp]\.?[Mm]\.?)?
        \s* (?P<zone> Z|z | (?:UTC|GMT)?\s*[+-]\d{1,2}(?::?\d{2})? | UTC|GMT )?
    )?""",
    re.VERBOSE,
)
_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d{2})?")
_NOON = 12
_AFTERNOON = frozenset({"下午", "pm"})


def read_moment(value: object, zone: tzinfo) -> datetime:
    """Return a moment, in UTC, that lies from 1990 to 2100; without an offset it is one of `zone`.

    It is ISO 8601, a date spelled with `-`, `/`, `.` or 年月日 with or without a time, digits of a date alone
    (`20260701`, `202607010830`, `20260701083000`), or seconds, milliseconds or microseconds since 1970 from 2001 on.
    Raises ValueError for anything else: days as spreadsheets count them look like any number, and ten digits that are
    a date with its hour (`2026070108`) are seconds since 1970 as well.
    """
    if isinstance(value, bool) or value is None:
        raise ValueError("it is no moment")
    text = _digits(value) if isinstance(value, int | float) else clean_cell(str(value))
    moment = _numeral(text) if _NUMBER.fullmatch(text) else _written(text)
    try:
        placed = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("it is beyond the calendar") from error
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"it lies in the year {moment.year}")
    return placed


def _digits(number: float) -> str:
    """Return a number of JSON as its digits, whole ones without a fraction; ValueError for those that are none."""
    return str(int(number)) if number == number // 1 else repr(number)


def _numeral(text: str) -> datetime:
    text = whole_id(text)
    compact = _compact(text)
    since = _since_1970(float(text))
    if len(text) == _HOURS and compact and since:
        raise ValueError("it may be a date with its hour and seconds since 1970")
    found = compact or since
    if found is None:
        raise ValueError("it is a number that is no moment")
    return found


def _compact(text: str) -> datetime | None:
    """Return the moment whose digits follow each other, None where they are no date."""
    form = _COMPACT.get(len(text))
    if form is None or not text.isdigit():
        return None
    try:
        moment = datetime.strptime(text, form)  # noqa: DTZ007 - the caller knows the zone
    except ValueError:
        return None
    return moment if FIRST_YEAR <= moment.year <= LAST_YEAR else None


def _since_1970(number: float) -> datetime | None:
    unit = next((unit for unit in _UNITS if _EARLIEST <= number / unit < _LATEST), None)
    return None if unit is None else datetime.fromtimestamp(number / unit, UTC)


def _written(text: str) -> datetime:
    if text.isascii():
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            pass  # people write fewer digits, and halves of the day
    found = _SPELLED.fullmatch(text)
    if found is None:
        raise ValueError("it is not spelled like a moment")
    half = (found["before"] or found["after"] or "").lower().replace(".", "")
    moment = datetime(  # noqa: DTZ001 - the zone follows
        int(found["year"]),
        int(found["month"]),
        int(found["day"]),
        _hour(int(found["hour"] or 0), half),
        int(found["minute"] or 0),
        int(found["second"] or 0),
        int((found["fraction"] or "").ljust(6, "0")),
    )
    return moment.replace(tzinfo=_offset(found["zone"].strip())) if found["zone"] else moment


def _hour(hour: int, half: str) -> int:
    """Return the hour of the day; one that is told with its half of the day may be that already, as in 下午15:30."""
    if half in _AFTERNOON:
        return hour if hour >= _NOON else hour + _NOON
    return 0 if half and hour == _NOON else hour


def _offset(text: str) -> tzinfo:
    found = _OFFSET.fullmatch(text)
    if found is None:
        return UTC
    ahead = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return timezone(ahead if found[1] == "+" else -ahead)
