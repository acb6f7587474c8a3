from datetime import timedelta

import pytest

from answerwatch.domain.answers import Reply
from answerwatch.domain.failures import LONGEST_WAIT_S
from answerwatch.platforms.waits import Wait, asked_wait, http_date
from tests.unit.platforms.replies import NOW, reply

RETRY_AFTER: list[tuple[str, float | None]] = [
    ("2", 2),
    ("0", 0),
    ("120", 120),
    ("1.5", 2),
    ("-5", None),
    ("Mon, 30 Nov 2026 10:00:30 GMT", 30),
    ("Monday, 30-Nov-26 10:00:30 GMT", 30),
    ("Mon Nov 30 10:00:30 2026", 30),
    ("Mon, 30 Nov 2026 09:59:00 GMT", 0),
    ("Mon, 30 Nov 2026 10:00:60 GMT", 60),
    ("Mon, 31 Nov 2026 10:00:30 GMT", None),
    ("Mon, 30 Nov 2026 25:00:30 GMT", None),
    ("2026-11-30T10:00:30Z", 30),
    ("5, 60", 60),
    ("86400", LONGEST_WAIT_S),
    ("99999999999999999999", LONGEST_WAIT_S),
    ("nan", None),
    ("inf", None),
    ("1e3", None),
    ("1_000", None),
    ("٣", None),
    ("soon", None),
    ("", None),
]
RESETS: list[tuple[str, float | None]] = [
    ("1s", 1),
    ("6m0s", 360),
    ("1m30.5s", 90.5),
    ("500ms", 0.5),
    ("1h2m3s", LONGEST_WAIT_S),
    ("42", 42),
    ("1796032830", 30),
    ("1796032830000", 30),
    ("2026-11-30T10:00:30Z", 30),
    ("1796032000", 0),
    ("1700000000", 0),
    ("58692", LONGEST_WAIT_S),
    ("-1", None),
    ("6m", 360),
    ("unknown", None),
]


def seconds_of(answer: Reply, message: str = "", *, throttled: bool = True) -> float | None:
    wait = asked_wait(answer, message, throttled=throttled)
    return None if wait is None else wait.seconds


@pytest.mark.parametrize(("value", "expected"), RETRY_AFTER)
def test_rep_retry_after_forms(value: str, expected: float | None) -> None:
    assert seconds_of(reply(429, b"", ("retry-after", value))) == expected


@pytest.mark.parametrize(("value", "expected"), RETRY_AFTER)
def test_rep_retry_after_forms_with_a_local_clock_that_is_an_hour_off(value: str, expected: float | None) -> None:
    exchange = reply(429, b"", ("date", "Mon, 30 Nov 2026 10:00:00 GMT"), ("retry-after", value))
    off = NOW + timedelta(hours=1)
    skewed = Reply(started_at=off, ended_at=off, status=429, headers=exchange.headers, body=b"")

    assert seconds_of(skewed) == expected


def test_rep_retry_after_forms_milliseconds_win() -> None:
    wait = asked_wait(reply(429, b"", ("retry-after", "2"), ("retry-after-ms", "250")), "", throttled=True)

    assert wait == Wait(seconds=0.25, origin="retry-after-ms", asked="250")


def test_rep_retry_after_forms_milliseconds_that_are_none_are_passed_over() -> None:
    assert seconds_of(reply(429, b"", ("retry-after-ms", "nan"), ("retry-after", "2"))) == 2


def test_rep_retry_after_forms_the_longer_of_two_headers() -> None:
    assert seconds_of(reply(429, b"", ("retry-after", "5"), ("retry-after", "60"))) == 60


def test_the_cap_says_what_was_asked() -> None:
    wait = asked_wait(reply(429, b"", ("retry-after", "86400")), "", throttled=True)

    assert wait == Wait(seconds=LONGEST_WAIT_S, origin="cap", asked="retry-after: 86400")


@pytest.mark.parametrize(("value", "expected"), RESETS)
def test_rep_reset_header_units(value: str, expected: float | None) -> None:
    assert seconds_of(reply(429, b"", ("x-ratelimit-reset-requests", value))) == expected


def two_windows(requests: str, tokens: str) -> Reply:
    return reply(
        429,
        b"",
        ("x-ratelimit-remaining-requests", requests),
        ("x-ratelimit-reset-requests", "10s"),
        ("x-ratelimit-remaining-tokens", tokens),
        ("x-ratelimit-reset-tokens", "6m0s"),
    )


@pytest.mark.parametrize(
    ("requests", "tokens", "expected"), [("0", "70", 10), ("5", "0", 360), ("0", "0", 360), ("5", "70", None)]
)
def test_rep_reset_header_units_the_window_with_nothing_left_counts(
    requests: str, tokens: str, expected: float | None
) -> None:
    assert seconds_of(two_windows(requests, tokens)) == expected


def test_rep_reset_header_units_the_longer_counts_when_nothing_is_said_of_what_is_left() -> None:
    headers = (("x-ratelimit-reset-requests", "10s"), ("x-ratelimit-reset-tokens", "20s"))

    assert seconds_of(reply(429, b"", *headers)) == 20


def test_reset_headers_say_nothing_after_a_server_fault() -> None:
    assert seconds_of(reply(500, b"", ("x-ratelimit-reset-requests", "1s")), throttled=False) is None


def test_retry_after_counts_after_a_server_fault() -> None:
    assert seconds_of(reply(503, b"", ("retry-after", "7")), throttled=False) == 7


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Rate limit reached. Please try again in 1.2s.", 1.2),
        ("Please retry after 20 seconds", 20),
        ("please try again in 6m0s", 360),
        ("您的限额将在 2026-11-30 18:00:30 重置", 30),
        ("您的限额将在 2026-13-30 18:00:30 重置", None),
        ("try again later", None),
    ],
)
def test_the_text_of_an_error_can_name_the_wait(message: str, expected: float | None) -> None:
    assert seconds_of(reply(429), message) == expected


def test_two_digit_years_are_never_far_ahead() -> None:
    date = http_date("Sunday, 06-Nov-94 08:49:37 GMT", NOW)

    assert date is not None
    assert date.year == 1994
