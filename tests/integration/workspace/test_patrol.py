"""The patrol of the question bank: who was asked and never answered is left out of new batches."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from answerwatch.clock import HeldClock
from answerwatch.domain.questions import STALE_AFTER
from answerwatch.domain.said import Said
from answerwatch.stages.clean.duties import EVERY_S, do_duties
from answerwatch.store.database import Store
from answerwatch.store.schema import question_bank, question_usage_log
from answerwatch.workspace import Workspace

DAY = timedelta(days=1)


@pytest.fixture
def store(ws: Workspace) -> Iterator[Store]:
    opened = Store(ws.settings.database_url)
    yield opened
    opened.close()


@pytest.fixture
def bank(ws: Workspace, store: Store) -> Workspace:
    """Four old questions: never asked, answered lately, answered long ago, and asked but never answered."""
    for number in range(4):
        ws.questions.add(f"问题{number}？", scene="RISK", question_id=f"Q{number}")
    now = datetime.now(UTC)
    old, lately, long_ago = now - 90 * DAY, now - 3 * DAY, now - 40 * DAY
    with store.writing() as tx:
        tx.run(update(question_bank).values(created_at=old, updated_at=old))
        tx.insert(question_usage_log, [usage("Q1", old, lately), usage("Q2", old, long_ago), usage("Q3", old, None)])
    return ws


def usage(question_id: str, asked: datetime, answered: datetime | None) -> dict[str, object]:
    status = "pending" if answered is None else "success"
    return {
        "sub_task_id": f"B_{question_id}", "question_id": question_id, "question_version": 1, "batch_id": "B",
        "platform": "kimi", "scene_type": "RISK", "round": 1, "status": status, "error_type": None, "error": None,
        "retry_count": 0, "created_at": asked, "finished_at": answered,
    }  # fmt: skip


def test_a_patrol_tells_first_and_retires_only_when_it_is_asked_to(bank: Workspace) -> None:
    told = {one.question_id: one.freshness for one in bank.questions.patrol()}

    assert told == {"Q0": "never_asked", "Q1": "fresh", "Q2": "stale", "Q3": "stale"}
    assert len(bank.questions.list(active=True)) == 4
    assert bank.alerts.list() == ()

    bank.questions.patrol(apply=True)

    assert [one.question_id for one in bank.questions.list(active=True)] == ["Q0", "Q1"]
    (alert,) = bank.alerts.list()
    assert (alert.kind, "Q2" in alert.message, "2 questions" in alert.message) == ("questions_stale", True, True)


def test_the_history_tells_what_a_patrol_retired_and_why(bank: Workspace, store: Store) -> None:
    bank.questions.patrol(apply=True)
    clock = HeldClock(datetime.now(UTC))
    for now in (clock.now(), clock.now() + STALE_AFTER + DAY):
        with store.writing() as tx:
            do_duties(tx, now)

    (by_hand,), (by_itself,) = (bank.questions.history(one).activity for one in ("Q2", "Q1"))

    assert (by_hand.action, by_hand.actor) == ("question.retire", bank.settings.actor)
    assert (by_itself.action, by_itself.actor) == ("question.retire", "patrol")
    why = [one.detail["why"] for one in (by_hand, by_itself)]
    assert [Said.of_row(one) for one in why if isinstance(one, dict)] == ["no answer for 30 days"] * 2


def test_restoring_a_question_begins_its_time_anew(bank: Workspace) -> None:
    bank.questions.patrol(apply=True)
    bank.questions.restore(["Q2"])

    bank.questions.patrol(apply=True)

    assert "Q2" in [one.question_id for one in bank.questions.list(active=True)]


def test_workers_patrol_once_a_month(bank: Workspace, store: Store) -> None:
    clock = HeldClock(datetime.now(UTC))
    with store.writing() as tx:
        do_duties(tx, clock.now())
    assert len(bank.questions.list(active=True)) == 4, "the first round only begins the time"

    with store.writing() as tx:
        do_duties(tx, clock.now() + timedelta(seconds=EVERY_S + 1))
    assert len(bank.questions.list(active=True)) == 4

    with store.writing() as tx:
        do_duties(tx, clock.now() + STALE_AFTER + DAY)
    assert [one.question_id for one in bank.questions.list(active=True)] == ["Q0"], "Q1 went stale meanwhile"
