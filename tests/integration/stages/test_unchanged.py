"""Answers that a new lexicon cannot change keep their result unread, whoever else works on them meanwhile."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import delete, update

from answerwatch.domain.work import CLEAN, Claim
from answerwatch.reading import READER_VERSION
from answerwatch.stages.clean.stage import CleanStage
from answerwatch.stages.handover import hand_over
from answerwatch.store.schema import (
    answer_sample,
    brand_result,
    brand_result_history,
    clean_attempt,
    clean_result,
    clean_result_history,
    clean_state,
    dead_letter,
    entity_match_detail,
    lexicon_version,
)
from tests.integration.stages.canned import carry_through, perform, settle, take
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line
from tests.integration.stages.test_clean import INVALID_PATH, VALID_PATH, collected, path_of

NAMES = {"A牌": ["砚山咖啡"], "B牌": ["霁白咖啡"]}


@pytest.fixture
def line(make_line: MakeLine) -> Line:
    """Two answers, read with a lexicon of two brands; the second is none."""
    made = make_line()
    collected(made, "推荐砚山咖啡，霁白咖啡也行。", "很抱歉，我无法回答。")
    made.run(CLEAN)
    return made


def put_to_work(line: Line, version: int, **more: list[str]) -> None:
    """Make the next generation of all answers, with more brands in the lexicon."""
    line.add_lexicon(version, **NAMES, **more)
    ids = {"B1": [row["sub_task_id"] for row in line.rows(answer_sample)]}
    with line.store.writing() as tx:
        hand_over(tx, ids, cleaner_version=READER_VERSION, now=datetime.now(UTC))


def of_generation(line: Line, number: int) -> list[dict[str, Any]]:
    return [row for row in line.rows(clean_state) if row["generation"] == number]


def taken(line: Line, number: int) -> list[str | None]:
    return [row["taken_from"] for row in of_generation(line, number)]


def check(line: Line) -> None:
    """Every generation is whole: a result of each answer, with its brands and its candidates."""
    states = line.rows(clean_state)
    assert {row["current_state"] for row in states} == {"completed"}
    generations = Counter(row["generation"] for row in states)
    results = [*line.rows(clean_result), *line.rows(clean_result_history)]
    assert Counter(row["clean_task_id"] for row in results) == Counter(row["clean_task_id"] for row in states)
    assert {row["generation"] for row in line.rows(clean_result)} == {max(generations)}
    brands = [*line.rows(brand_result), *line.rows(brand_result_history)]
    assert Counter(row["generation"] for row in brands) == dict.fromkeys(generations, 2)
    candidates = Counter(row["clean_task_id"] for row in line.rows(entity_match_detail))
    assert sorted(candidates.values()) == [2] * len(generations)
    assert all(row["ended_at"] and row["error"] is None for row in line.rows(clean_attempt))
    assert line.is_idle()
    assert line.rows(dead_letter) == []


def test_a_result_is_taken_over_by_the_moves_of_reading(line: Line) -> None:
    put_to_work(line, 2, C牌=["九墨咖啡"])
    line.run(CLEAN)

    assert taken(line, 2) == [row["clean_task_id"] for row in of_generation(line, 1)]
    assert [path_of(row) for row in of_generation(line, 2)] == [VALID_PATH, INVALID_PATH]
    assert [row["lexicon_version"] for row in line.rows(clean_result)] == [2, 2]
    assert [(row["is_valid"], row["invalid_reason"]) for row in line.rows(answer_sample)] == [(1, None), (0, "refused")]
    check(line)


def compared(line: Line, generation: int) -> tuple[CleanStage, list[Any]]:
    """Return a stage, and its outcomes for the tasks of a generation that are not stored yet."""
    stage = CleanStage(clock=line.store.clock)
    claims: list[Claim] = [claim for claim in take(line, CLEAN) if claim.task_id.endswith(f"_G{generation}")]
    outcomes = perform(line, stage, claims)
    assert len(outcomes) == 2
    return stage, outcomes


def test_a_newer_generation_that_ends_first_stays_the_current_one(line: Line) -> None:
    put_to_work(line, 2, C牌=["九墨咖啡"])
    stage, outcomes = compared(line, 2)
    put_to_work(line, 3, C牌=["九墨咖啡", "旧港咖啡"])
    line.run(CLEAN, until=lambda: all(row["generation"] == 3 for row in line.rows(clean_result)))

    settle(line, stage, outcomes)

    assert taken(line, 2) == [None, None], "they were read, for their answers had got other results"
    check(line)


def test_an_older_generation_that_ends_in_between_is_replaced(line: Line) -> None:
    put_to_work(line, 2, C牌=["九墨咖啡"])
    held = take(line, CLEAN)
    put_to_work(line, 3, C牌=["九墨咖啡", "旧港咖啡"])
    stage, outcomes = compared(line, 3)
    carry_through(line, line.stage(CLEAN), held)

    settle(line, stage, outcomes)

    assert (taken(line, 2).count(None), taken(line, 3)) == (0, [None, None])
    check(line)


def test_two_generations_may_end_in_one_transaction(line: Line) -> None:
    put_to_work(line, 2, C牌=["九墨咖啡"])
    stage, older = compared(line, 2)
    put_to_work(line, 3, C牌=["九墨咖啡", "旧港咖啡"])
    claims = take(line, CLEAN)

    settle(line, stage, [*older, *perform(line, stage, claims)])

    check(line)


def test_what_is_lost_before_it_is_stored_is_done_again(line: Line) -> None:
    put_to_work(line, 2, C牌=["九墨咖啡"])
    late = take(line, CLEAN, lease_s=0)
    stage = CleanStage(clock=line.store.clock)
    outcomes = perform(line, stage, late)
    line.run(CLEAN)
    before = line.rows(clean_result)

    settle(line, stage, outcomes)

    assert line.rows(clean_result) == before
    assert len(taken(line, 2)) == 2
    assert None not in taken(line, 2)


def test_a_failure_and_results_of_other_rules_are_not_taken_over(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错。", "霁白咖啡不错。")
    longer = update(answer_sample).where(answer_sample.c.question_id == "Q001")
    with line.store.writing() as tx:
        tx.run(longer.values(response_length=answer_sample.c.response_length + 1))
    line.run(CLEAN)
    assert [row["clean_state"] for row in line.rows(clean_result)] == ["failed", "completed"]
    with line.store.writing() as tx:
        tx.run(longer.values(response_length=answer_sample.c.response_length - 1))
        tx.run(update(clean_result).where(clean_result.c.clean_state == "completed").values(cleaner_version="r0"))
    put_to_work(line, 2, C牌=["九墨咖啡"])
    line.run(CLEAN)

    assert taken(line, 2) == [None, None]
    results = line.rows(clean_result)
    assert [(row["clean_state"], row["cleaner_version"]) for row in results] == [("completed", READER_VERSION)] * 2


def test_a_lost_lexicon_of_before_is_not_needed(line: Line) -> None:
    with line.store.writing() as tx:
        tx.run(delete(lexicon_version))
    put_to_work(line, 2, C牌=["九墨咖啡"])
    line.run(CLEAN)

    assert taken(line, 2) == [None, None]
    check(line)
