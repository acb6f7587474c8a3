"""Whatever a file of questions says: a dry run tells what the import does, and the second import changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from answerwatch.clock import HeldClock
from answerwatch.domain.questions import Question, id_key
from answerwatch.store import migrations
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Store
from answerwatch.store.schema import question_bank, question_version
from answerwatch.workspace.authors import author
from answerwatch.workspace.questions import run
from answerwatch.workspace.questions.importing import go_through
from answerwatch.workspace.questions.views import QuestionRow

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
IDS = st.sampled_from(["Q1", "q1", "Q2", "Ｑ2", "q3", "Q20260701_001", "Q20260701_002"])
TEXTS = st.sampled_from(["手机哪个好", "哪款手机好", "有什么缺点", "续航最久的笔记本"])
SCENES = st.sampled_from(["RISK", "OTHER"])
ROWS = st.lists(
    st.builds(
        QuestionRow,
        line=st.just(0),
        question_id=st.none() | IDS,
        scene_type=st.none() | SCENES,
        query_text=TEXTS,
        target_keywords=st.none() | st.just(("手机",)),
        is_active=st.none() | st.booleans(),
    ),
    max_size=6,
)
BANKS = st.lists(
    st.builds(Question, question_id=IDS, scene_type=SCENES, query_text=TEXTS, is_active=st.booleans()),
    max_size=4,
    unique_by=lambda one: one.question_id,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path_factory.mktemp('bank') / 'bank.db'}", HeldClock(NOW))
    migrations.upgrade(opened)
    yield opened
    opened.close()


def imported(store: Store, rows: list[QuestionRow], *, apply: bool) -> run.Found:
    return go_through(store, lambda read: run.Run(read, rows, NOW), author("me") if apply else None).found


def held(store: Store) -> list[Question]:
    with store.reading() as read:
        return [one.question for one in bank.find(read, bank.Wanted())]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(stored=BANKS, rows=ROWS)
def test_a_dry_run_tells_what_the_import_does_and_the_second_import_does_nothing(
    store: Store, stored: list[Question], rows: list[QuestionRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "ROWS_TOGETHER", 2)
    with store.writing() as tx:
        tx.run(delete(question_bank))
        tx.run(delete(question_version))
        bank.add(tx, stored, by="me", now=NOW)
    numbered = [
        QuestionRow(
            line=line, question_id=row.question_id, scene_type=row.scene_type, query_text=row.query_text,
            target_keywords=row.target_keywords, is_active=row.is_active,
        )
        for line, row in enumerate(rows, start=2)
    ]  # fmt: skip

    dry = imported(store, numbered, apply=False)
    assert held(store) == sorted(stored, key=lambda one: one.question_id)
    assert imported(store, numbered, apply=True) == dry

    after = {one.question_id: one for one in held(store)}
    if dry.is_bad:
        assert list(after.values()) == sorted(stored, key=lambda one: one.question_id)
        return
    assert len(after) == len(stored) + dry.new
    assert dry.rows == dry.new + dry.changed + dry.new_versions + dry.unchanged + dry.repeated
    fresh = [id_key(one) for one in after.keys() - {one.question_id for one in stored}]
    assert len(set(fresh)) == len(fresh)
    again = imported(store, numbered, apply=False)
    assert (again.is_bad, again.new, again.changed, again.new_versions) == (False, 0, 0, 0), again
