"""Alerts about what lasts: looked for once a minute, told once, open again only after it was gone."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from answerwatch.domain.clean_states import CleanState
from answerwatch.stages.clean.duties import EVERY_S, do_duties
from answerwatch.store.ops import alerts
from answerwatch.store.schema import alert, clean_state
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line

BEGIN = datetime(2026, 11, 1, tzinfo=UTC)
MINUTE = timedelta(seconds=EVERY_S)
DAY = timedelta(days=1)


@pytest.fixture
def line(make_line: MakeLine) -> Line:
    """A line with a task that is stuck for ever, which a round has told and a person has acknowledged."""
    made = make_line()
    long_ago = BEGIN - DAY
    with made.store.writing() as tx:
        row = {
            "clean_task_id": "S1_G1", "source_task_id": "S1", "batch_id": "B1", "generation": 1,
            "current_state": CleanState.VALIDATING, "state_history": [], "retry_count": 0, "last_error": None,
            "taken_from": None, "created_at": long_ago, "updated_at": long_ago,
        }  # fmt: skip
        tx.insert(clean_state, [row])
        do_duties(tx, BEGIN)
        assert alerts.acknowledge(tx) == 1
    return made


def round_at(line: Line, now: datetime, *, seen_before: timedelta) -> tuple[int, bool]:
    """Make a round and return how often the alert was counted and whether it is open."""
    with line.store.writing() as tx:
        tx.run(update(alert).values(last_at=line.store.clock.now() - seen_before))
        do_duties(tx, now)
    (told,) = line.rows(alert)
    return told["count"], told["acknowledged_at"] is None


def test_what_lasts_counts_up_and_stays_acknowledged(line: Line) -> None:
    assert round_at(line, BEGIN + MINUTE, seen_before=MINUTE) == (2, False)
    assert round_at(line, BEGIN + 2 * MINUTE, seen_before=MINUTE) == (3, False)


def test_rounds_are_a_minute_apart(line: Line) -> None:
    assert round_at(line, BEGIN + MINUTE - timedelta(seconds=1), seen_before=MINUTE) == (1, False)


def test_what_one_round_did_not_see_was_not_gone(line: Line) -> None:
    assert round_at(line, BEGIN + MINUTE, seen_before=2 * MINUTE) == (2, False)


def test_what_was_gone_and_comes_again_is_open_again(line: Line) -> None:
    assert round_at(line, BEGIN + MINUTE, seen_before=4 * MINUTE) == (2, True)


def test_while_no_worker_looked_nothing_was_gone(line: Line) -> None:
    assert round_at(line, BEGIN + DAY, seen_before=DAY) == (2, False)
