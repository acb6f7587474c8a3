"""When a question is taken for stale."""

from datetime import UTC, datetime, timedelta

import pytest

from answerwatch.domain.questions import Freshness, freshness

BEGAN = datetime(2026, 10, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("first_asked", "last_success", "changed", "said"),
    [
        (None, None, 90, Freshness.NEVER_ASKED),
        (60, None, 90, Freshness.STALE),
        (60, None, 29, Freshness.FRESH),
        (60, 30, 90, Freshness.FRESH),
        (60, 31, 90, Freshness.STALE),
        (10, None, 90, Freshness.FRESH),
    ],
)
def test_days_without_an_answer_decide(
    first_asked: int | None, last_success: int | None, changed: int, said: Freshness
) -> None:
    asked = None if first_asked is None else BEGAN - first_asked * DAY
    success = None if last_success is None else BEGAN - last_success * DAY
    assert freshness(BEGAN, changed=BEGAN - changed * DAY, first_asked=asked, last_success=success) is said
