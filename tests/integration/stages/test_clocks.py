"""A machine whose clock is wrong works with the others on a server, whose clock is the ledger's."""

from datetime import UTC, datetime, timedelta

import pytest

from answerwatch.clock import SystemClock
from answerwatch.store.schema import question_usage_log
from tests.databases import on_servers
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import questions


class Wrong(SystemClock):
    """A clock that is an hour off."""

    def __init__(self, hours: int) -> None:
        self.hours = hours

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(hours=self.hours)


@on_servers
@pytest.mark.parametrize("hours", [-1, 1])
def test_a_worker_an_hour_off_keeps_to_the_time_of_the_batch(make_line: MakeLine, hours: int) -> None:
    line = make_line()
    line.add_batch("B1", questions(3), timeout_s=600)
    line.store.clock = Wrong(hours)
    line.run(within_s=30)
    assert line.count(question_usage_log, "status") == {"success": 3}
