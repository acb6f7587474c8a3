"""What a server says of its limits, how texts are cut to them, and the speed of calls."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.scorers.http.limits import Limits, cut, speaks_of_length, told_limit
from answerwatch.scorers.http.pace import Pace


@pytest.mark.parametrize(
    ("message", "sent", "limit"),
    [
        ("Value error, batch size is invalid, it should not be larger than 10.: input.contents", 25, 10),
        ("batch size 100 > maximum allowed batch size 32", 100, 32),
        ("input batch size 136 > maximum allowed batch size 64", 136, 64),
        ("batchsize=100 >Max BatchSize=32", 100, 32),
        ("array too long. Expected an array with maximum length 2048, but got an array with length 3000.", 3000, 2048),
        ("too many inputs: at most 96 texts are allowed", 200, 96),
        ("List should have at most 16 items after validation, not 40", 40, 16),
        ("The number of documents must be less than or equal to 500", 501, 500),
        ("输入数组最多 25 条", 30, 25),
        ("The max allowed tokens per submitted batch is 120000. Your batch has 121138 tokens", 200, None),
        ("`inputs` must have less than 512 tokens. Given: 1090", 32, None),
        ("the model does not support dimensions", 25, None),
        ("", 25, None),
    ],
)
def test_a_limit_is_read_from_the_words_of_servers(message: str, sent: int, limit: int | None) -> None:
    assert told_limit(message, sent) == limit


@given(st.text(max_size=200), st.integers(2, 5000))
def test_a_limit_is_always_below_what_was_sent(message: str, sent: int) -> None:
    limit = told_limit(message, sent)

    assert limit is None or 1 <= limit < sent


def test_a_refusal_for_length_is_told_from_one_for_their_number() -> None:
    assert speaks_of_length("maximum context length is 8192 tokens")
    assert not speaks_of_length("batch size is invalid, it should not be larger than 10")


@given(
    st.lists(st.integers(1, 500), max_size=200),
    st.integers(1, 40),
    st.integers(1, 2000),
)
def test_parts_hold_all_places_in_order_and_no_more_than_is_allowed(sizes: list[int], texts: int, chars: int) -> None:
    parts = list(cut(range(len(sizes)), sizes.__getitem__, Limits(texts, chars)))

    assert [place for part in parts for place in part] == list(range(len(sizes)))
    assert all(0 < len(part) <= texts for part in parts)
    assert all(len(part) == 1 or sum(sizes[place] for place in part) <= chars for part in parts)


def test_limits_are_only_ever_lowered() -> None:
    limits = Limits(10, 1000)

    limits.lower(texts=20, chars=500)

    assert (limits.texts, limits.chars) == (10, 500)


def test_calls_at_once_grow_by_one_a_round_and_are_halved_once_for_all_that_were_too_many() -> None:
    pace = Pace(8)
    for _ in range(40):
        pace.went_well()
    assert pace.width == 8

    pace.too_fast(100.0, 3.0)
    pace.too_fast(100.1, 2.0)
    assert (pace.width, pace.quiet_until) == (4, 103.0)

    pace.too_fast(104.0, None)
    assert pace.width == 2


def test_a_server_that_names_no_wait_is_waited_for_twice_as_long_each_time() -> None:
    pace = Pace(1)
    waits = []
    now = 0.0
    for _ in range(8):
        pace.too_fast(now, None)
        waits.append(pace.quiet_until - now)
        now = pace.quiet_until

    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert pace.wait_in_all() == sum(waits)


@given(st.lists(st.one_of(st.none(), st.floats(0, 100))), st.integers(1, 64))
def test_there_is_always_room_for_one_call_and_never_for_more_than_allowed(
    waits: list[float | None], most: int
) -> None:
    pace, now = Pace(most), 0.0
    for wait in waits:
        if wait is None:
            pace.went_well()
        else:
            pace.too_fast(now, wait)
            now += wait / 2
        assert 1 <= pace.width <= most
        assert math.isfinite(pace.wait_in_all())
