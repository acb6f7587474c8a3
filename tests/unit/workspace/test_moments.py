"""Moments of imported answers: every spelling that can mean one moment is read, everything else is refused."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answerwatch.workspace.samples.moments import FIRST_YEAR, LAST_YEAR, read_moment

SHANGHAI = ZoneInfo("Asia/Shanghai")
START = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2026-07-01T08:30:00+08:00",
        "2026-07-01 08:30",
        "2026/7/1 08:30:00",
        "2026/7/1 8:30",
        "2026-7-1 8:30:00",
        "2026.7.1 8:30",
        "2026年7月1日 08:30",
        "2026年7月1日8时30分",
        "2026 年 7 月 1 日 8点30分00秒",
        "2026/7/1 上午8:30",
        "2026/7/1 8:30 AM",
        "2026-07-01T00:30:00Z",
        "2026-07-01 00:30:00 UTC",
        "2026/7/1 8:30 +0800",
        "2026/7/1 8:30 UTC+8",
        "20260701T083000",
        "202607010830",
        202_607_010_830,
        "20260701083000",
        20_260_701_083_000,
        "20260701083000.0",
        1_782_865_800,
        "1782865800.0",
        "1.7828658E9",
        1_782_865_800_000,
        "1782865800000",
        1_782_865_800_000_000,
    ],
    ids=repr,
)
def test_moments_are_read_in_many_spellings(written: object) -> None:
    assert read_moment(written, SHANGHAI) == datetime(2026, 7, 1, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize("written", ["20260701", 20_260_701, 20_260_701.0, "2026/7/1", "2026年7月1日"], ids=repr)
def test_a_date_alone_is_the_beginning_of_its_day(written: object) -> None:
    assert read_moment(written, SHANGHAI) == datetime(2026, 6, 30, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "hour"),
    [("2026/7/1 下午3:05", 15), ("2026/7/1 12:05 AM", 0), ("2026/7/1 12:05 p.m.", 12), ("2026/7/1 下午12:05", 12)],
)
def test_halves_of_the_day_are_read(written: str, hour: int) -> None:
    assert read_moment(written, UTC) == datetime(2026, 7, 1, hour, 5, tzinfo=UTC)


def test_fractions_of_seconds_are_kept() -> None:
    expected = datetime(2026, 7, 1, 8, 30, 0, 123_456, tzinfo=UTC)

    assert read_moment("2026-07-01T08:30:00.123456Z", SHANGHAI) == expected
    assert read_moment("2026/7/1 8:30:00.1234567", UTC) == expected


@pytest.mark.parametrize(
    "written",
    [
        "yesterday", "", "2026-13-01", "20261301", "12", "7/1/2026", "2026/7/1 25:00", "2026-07-01晚08:30",
        True, None, 0, -1, 46_204, "46204", "46204.354", "2026070108", 2_026_070_108,
        "0001-01-01", "9999-12-31", "1899/12/31", "1970-01-01", "18991231", "99991231235959",
        10**18, "9" * 5_000, float("nan"), float("inf"), 1e300, "1E99",
    ],
    ids=lambda written: repr(written)[:30],
)  # fmt: skip
def test_what_is_no_moment_or_could_be_two_is_refused(written: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - what it says is not shown, and comes from several places
        read_moment(written, SHANGHAI)


@given(st.one_of(st.integers(), st.floats(), st.text(alphabet="0123456789.eE+-/:TZ 年月日", max_size=20)))
@example(253_402_300_799)
def test_whatever_is_read_lies_in_years_that_can_be(written: object) -> None:
    try:
        moment = read_moment(written, SHANGHAI)
    except ValueError:
        return
    day = timedelta(days=1)  # a zone may move the first and the last hours into the next year
    assert (moment + day).year >= FIRST_YEAR
    assert (moment - day).year <= LAST_YEAR


@given(st.integers(0, (datetime(2101, 1, 1, tzinfo=UTC) - START) // timedelta(seconds=1) - 1))
def test_digits_of_a_date_are_that_date_however_many_there_are(seconds: int) -> None:
    moment = START + timedelta(seconds=seconds)
    for form in ("%Y%m%d", "%Y%m%d%H%M", "%Y%m%d%H%M%S"):
        digits = moment.strftime(form)
        expected = datetime.strptime(digits, form).replace(tzinfo=UTC)
        assert read_moment(digits, UTC) == read_moment(int(digits), UTC) == expected
