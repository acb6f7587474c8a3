"""Plain values are what strict JSON can hold."""

import math

import pytest

from answerwatch.domain.plain import to_plain
from answerwatch.errors import UsageError
from answerwatch.figures.records import NaReason


def test_enums_tuples_and_mappings_become_plain() -> None:
    plain = to_plain({"why": NaReason.NO_SPREAD, "parts": (1, 2.5, None, True)})

    assert plain == {"why": "no_spread", "parts": [1, 2.5, None, True]}
    assert isinstance(plain, dict)
    assert type(plain["why"]) is str


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, object(), {1}])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(UsageError, match="cannot be written as JSON"):
        to_plain([value])
