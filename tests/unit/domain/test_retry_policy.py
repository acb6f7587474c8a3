"""When a failed task is tried again."""

import pytest

from answerwatch.domain.failures import Failure, Severity
from answerwatch.domain.work import RetryPolicy

POLICY = RetryPolicy(delays_s=(60.0, 120.0), max_retries=3, jitter=0.0, longest_wait_s=30.0)


@pytest.mark.parametrize(
    ("asked_s", "waited_s", "origin"),
    [
        pytest.param(20.0, 20.0, "retry-after", id="as-asked"),
        pytest.param(900.0, 30.0, "cap", id="longer-than-we-wait"),
        pytest.param(None, 60.0, "schedule", id="own-wait-is-no-platforms-wish"),
    ],
)
def test_a_platform_makes_a_task_wait_no_longer_than_is_set(
    asked_s: float | None, waited_s: float, origin: str
) -> None:
    failure = Failure(
        error_type="rate_limited",
        severity=Severity.TEMPORARY,
        retry_after_s=asked_s,
        wait_origin=None if asked_s is None else "retry-after",
    )

    assert (POLICY.wait_s(failure, 0, 0.5), POLICY.wait_origin(failure)) == (waited_s, origin)
