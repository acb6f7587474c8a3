"""What a screen asks for reads what it shows, however much there is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import event

from answerwatch.domain.alerts import AlertKind
from answerwatch.store.bank import questions
from answerwatch.store.clean import results
from answerwatch.store.database import Read, Store
from answerwatch.store.ops import alerts, audit
from answerwatch.store.sample import listing
from tests.databases import SQLITE

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ask", "step"),
    [
        (
            lambda read: listing.find(read, listing.Wanted(platform="rare")),
            "SEARCH answer_sample USING INDEX ix_answer_sample_platform_sub_task_id (platform=?)",
        ),
        (
            lambda read: listing.find(read, listing.Wanted(platform="rare", after="S1")),
            "SEARCH answer_sample USING INDEX ix_answer_sample_platform_sub_task_id (platform=? AND sub_task_id>?)",
        ),
        (
            listing.count,
            "SCAN answer_sample USING COVERING INDEX ix_answer_sample_question_id_round",
        ),
        (
            lambda read: results.stored_since(read, NOW),
            "SEARCH clean_result USING COVERING INDEX ix_clean_result_cleaned_at_is_valid (cleaned_at>?)",
        ),
        (
            lambda read: questions.of_texts(read, ["手机哪个好"]),
            "SEARCH question_bank USING INDEX ix_question_bank_query_text (query_text=?)",
        ),
        (
            lambda read: audit.of_subject(read, "Q1", ["question.retire"]),
            "SEARCH audit_event USING INDEX ix_audit_event_subject (subject=?)",
        ),
    ],
    ids=[
        "a page of a platform",
        "the next page",
        "how many samples",
        "progress of cleaning",
        "a question by its text",
        "what was done to a question",
    ],
)
@pytest.mark.parametrize("database_kind", [SQLITE])  # a plan is worded differently by each database
def test_a_question_of_a_screen_is_answered_from_an_index(
    ask: Callable[[Read], object], step: str, store: Store
) -> None:
    assert plan(store, ask)[0] == step
    assert "USE TEMP B-TREE FOR ORDER BY" not in plan(store, ask)


def plan(store: Store, ask: Callable[[Read], object]) -> list[str]:
    """The steps by which SQLite answers what `ask` asks for."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_rest: object) -> None:  # noqa: ANN401 - what the driver takes
        asked.append((statement, parameters))

    event.listen(store.engine, "before_cursor_execute", note)
    with store.reading() as read:
        ask(read)
    event.remove(store.engine, "before_cursor_execute", note)
    statement, parameters = next(one for one in asked if one[0].startswith("SELECT"))
    with store.reading() as read:
        rows = read.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        return [row.detail for row in rows]


def test_a_storm_of_alerts_is_counted_and_shown_in_part(store: Store) -> None:
    with store.writing() as tx:
        for number in range(60):
            alerts.ring(tx, kind=AlertKind.LANE_PARKED, subject=f"lane {number}", cause="bad_key", message="no")

    with store.writing() as tx:
        shown = alerts.every(tx)
        assert (len(shown), alerts.count_open(tx)) == (50, 60)
        assert alerts.known(tx, [shown[0].alert_id, 1_000]) == {shown[0].alert_id}
        assert alerts.acknowledge(tx, [shown[0].alert_id, shown[1].alert_id]) == 2
        assert (alerts.count_open(tx), len(alerts.every(tx, open_only=False, most=100))) == (58, 60)
