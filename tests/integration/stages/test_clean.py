"""Cleaning through the engine: states, results by generation, failures, replays."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from sqlalchemy import update

from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.work import CLEAN, COLLECT
from answerwatch.errors import UsageError
from answerwatch.reading import READER_VERSION
from answerwatch.stages.handover import hand_over
from answerwatch.store.clean import cleaning_tasks, results
from answerwatch.store.schema import (
    alert,
    answer_sample,
    brand_result,
    brand_result_history,
    clean_attempt,
    clean_generation,
    clean_result,
    clean_result_history,
    clean_state,
    dead_letter,
    entity_match_detail,
)
from answerwatch.store.work import ledger
from tests.integration.stages.canned import Canned, carry_through, chat_body, perform, settle, take
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line, questions

VALID_PATH = ["pending", "validating", "valid", "extracting", "extracted", "completed"]
INVALID_PATH = ["pending", "validating", "invalid", "completed"]


def collected(line: Line, *texts: str) -> None:
    """Store one sample for each text, with its clean task waiting."""
    asked = questions(len(texts))
    answers = {question.query_text: text for question, text in zip(asked, texts, strict=True)}
    line.add_batch("B1", asked)
    stage = line.collect_stage(Canned(lambda question: chat_body(answers[question])))
    settle(line, stage, perform(line, stage, take(line, COLLECT)))


def path_of(row: dict[str, object]) -> list[str]:
    """The states that a task went through, after checking that its history is one unbroken chain."""
    history = row["state_history"]
    assert isinstance(history, list)
    for earlier, later in pairwise(history):
        assert earlier["to"] == later["from"]
        assert earlier["at"] <= later["at"]
    assert row["current_state"] == (history[-1]["to"] if history else "pending")
    return [history[0]["from"], *(move["to"] for move in history)] if history else ["pending"]


def test_valid_answers_are_read_and_every_match_leads_to_its_characters(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "推荐：\n1. 砚山咖啡\n2. 霁白咖啡", "霁白咖啡也不错。")
    line.run(CLEAN)
    assert [path_of(row) for row in line.rows(clean_state)] == [VALID_PATH, VALID_PATH]
    first, second = line.rows(clean_result)
    assert (first["is_valid"], first["is_mentioned"], first["recommendation_rank"]) == (1, 1, 1)
    assert (second["is_mentioned"], second["mention_count"], second["recommendation_rank"]) == (0, 0, None)
    assert [(row["clean_task_id"], row["brand_name"]) for row in line.rows(brand_result)] == [
        (first["clean_task_id"], "A牌"),
        (first["clean_task_id"], "B牌"),
        (second["clean_task_id"], "B牌"),
    ]
    texts = {f"{row['sub_task_id']}_G1": row["raw_response"] for row in line.rows(answer_sample)}
    details = line.rows(entity_match_detail)
    assert len(details) == 3
    for row in details:
        start = row["match_position"]
        assert texts[row["clean_task_id"]][start : start + row["match_length"]] == row["matched_alias"]
    assert [row["is_valid"] for row in line.rows(answer_sample)] == [1, 1]
    attempts = line.rows(clean_attempt)
    assert all(row["worker"] and row["ended_at"] and row["error"] is None for row in attempts)


def test_pronouns_are_kept_with_their_brand_and_never_counted(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "它们都行，先看砚山咖啡。它的豆子新鲜，它的价格也低。")
    line.run(CLEAN)
    (result,) = line.rows(clean_result)
    (brand,) = line.rows(brand_result)
    details = line.rows(entity_match_detail)
    assert (result["mention_count"], brand["mention_count"]) == (1, 1)
    assert [(row["matched_alias"], row["standard_name"], row["via"], row["is_valid_match"]) for row in details] == [
        ("砚山咖啡", "A牌", "alias", 1),
        ("它", "A牌", "pronoun", 1),
        ("它", "A牌", "pronoun", 1),
    ]
    assert [row["match_position"] for row in details] == [7, 12, 19]


def test_where_an_answer_is_not_valid_every_metric_is_unknown(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "很抱歉，我无法回答这个问题，砚山咖啡也不行。")
    line.run(CLEAN)
    (row,) = line.rows(clean_result)
    assert (row["is_valid"], row["invalid_reason"], row["clean_state"]) == (0, "refused", "completed")
    metrics = (
        "is_mentioned",
        "mention_count",
        "is_recommended",
        "recommendation_rank",
        "has_citation",
        "mention_order",
    )
    assert {row[name] for name in metrics} == {None}
    assert line.rows(brand_result) == line.rows(entity_match_detail) == []
    assert [path_of(row) for row in line.rows(clean_state)] == [INVALID_PATH]
    (sample,) = line.rows(answer_sample)
    assert (sample["is_valid"], sample["invalid_reason"]) == (0, "refused")


def test_a_focal_brand_that_nobody_looked_for_is_unknown_not_absent(make_line: MakeLine) -> None:
    line = make_line()
    asked = questions(1)
    line.add_batch("B1", asked, brand="C牌")
    stage = line.collect_stage(Canned(lambda _: chat_body("砚山咖啡不错，值得推荐。")))
    settle(line, stage, perform(line, stage, take(line, COLLECT)))
    line.run(CLEAN)
    (row,) = line.rows(clean_result)
    assert (row["is_valid"], row["is_mentioned"], row["mention_count"]) == (1, None, None)
    assert row["has_citation"] == 0
    assert [one["brand_name"] for one in line.rows(brand_result)] == ["A牌"]


def test_a_new_lexicon_is_used_for_the_next_sample_and_makes_a_generation(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错。")
    line.add_lexicon(2, A牌=["九墨咖啡"])
    line.add_batch("B2", questions(1))
    stage = line.collect_stage(Canned(lambda _: chat_body("九墨咖啡不错。")))
    settle(line, stage, perform(line, stage, take(line, COLLECT)))
    line.run(CLEAN)
    found = [(row["generation"], row["lexicon_version"], row["is_mentioned"]) for row in line.rows(clean_result)]
    assert found == [(1, 1, 1), (2, 2, 1)]
    assert [row["cleaner_version"] for row in line.rows(clean_generation)] == [READER_VERSION] * 2


def test_cleaning_again_sends_the_older_generation_to_history(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错，霁白咖啡也行。")
    line.run(CLEAN)
    clean_again(line)
    line.run(CLEAN)
    (row,) = line.rows(clean_result)
    assert (row["generation"], row["mention_count"]) == (2, 2)
    (old,) = line.rows(clean_result_history)
    assert (old["generation"], old["mention_count"]) == (1, 1)
    assert [one["brand_name"] for one in line.rows(brand_result)] == ["A牌"]
    assert [one["brand_name"] for one in line.rows(brand_result_history)] == ["A牌", "B牌"]


def test_an_older_generation_that_ends_late_goes_to_history_itself(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错。")
    old = take(line, CLEAN)
    clean_again(line)
    line.run(CLEAN, until=lambda: len(line.rows(clean_result)) == 1)
    carry_through(line, line.stage(CLEAN), old)
    assert line.is_idle()
    assert [row["generation"] for row in line.rows(clean_result_history)] == [1]
    assert [row["generation"] for row in line.rows(clean_result)] == [2]
    (sample,) = line.rows(answer_sample)
    assert sample["is_valid"] == 1


def clean_again(line: Line) -> None:
    """Make a new lexicon version and clean tasks of its generation for all samples."""
    line.add_lexicon(2, A牌=["砚山咖啡", "霁白咖啡"])
    ids = {"B1": [row["sub_task_id"] for row in line.rows(answer_sample)]}
    with line.store.writing() as tx:
        hand_over(tx, ids, cleaner_version=READER_VERSION, now=datetime.now(UTC))


def test_delivered_twice_is_processed_once(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错。")
    line.run(CLEAN)
    before = (line.rows(clean_state), line.rows(clean_result), line.rows(entity_match_detail))
    with line.store.writing() as tx:
        hand_over(
            tx,
            {"B1": [row["sub_task_id"] for row in line.rows(answer_sample)]},
            cleaner_version=READER_VERSION,
            now=datetime.now(UTC),
        )
    assert not line.is_idle()
    line.run(CLEAN)
    assert (line.rows(clean_state), line.rows(clean_result), line.rows(entity_match_detail)) == before
    assert line.rows(dead_letter) == []


def test_damaged_raw_data_fails_alone_and_a_replay_replaces_its_result(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错。", "霁白咖啡不错。")
    damage = update(answer_sample).where(answer_sample.c.question_id == "Q001")
    with line.store.writing() as tx:
        tx.run(damage.values(response_length=3))
    line.run(CLEAN)
    failed, fine = line.rows(clean_result)
    assert (failed["clean_state"], failed["is_valid"], failed["is_mentioned"]) == ("failed", None, None)
    assert fine["clean_state"] == "completed"
    (letter,) = line.rows(dead_letter)
    assert (letter["queue"], letter["error_type"], letter["attempts"]) == ("clean", "raw_damaged", 1)
    assert [row["kind"] for row in line.rows(alert)] == ["clean_failed"]
    with line.store.writing() as tx:
        tx.run(damage.values(response_length=7))
    assert line.replay(CLEAN) == 1
    line.run(CLEAN)
    assert [row["clean_state"] for row in line.rows(clean_result)] == ["completed", "completed"]
    (path,) = [path_of(row) for row in line.rows(clean_state) if "failed" in str(row["state_history"])]
    assert path == ["pending", "validating", "failed", *VALID_PATH]


def test_an_illegal_move_is_an_error_and_changes_nothing(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错。", "霁白咖啡不错。")
    before = line.rows(clean_state)
    good, bad = (row["clean_task_id"] for row in before)
    paths = {good: (CleanState.VALIDATING,), bad: (CleanState.COMPLETED,)}
    with pytest.raises(UsageError, match="pending to completed"):
        line.store.transact(lambda tx: cleaning_tasks.move(tx, paths, datetime.now(UTC)))
    assert line.rows(clean_state) == before


def test_a_task_left_in_extracting_resumes_there(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错。")
    claims = take(line, CLEAN, lease_s=0.2)
    judged = {claim.task_id: (CleanState.VALID, CleanState.EXTRACTING) for claim in claims}
    with line.store.writing() as tx:  # as versions did that stored the verdict by itself
        cleaning_tasks.move(tx, judged, datetime.now(UTC))
        ledger.advance(tx, claims)
    assert line.count(clean_state, "current_state") == {"extracting": 1}
    line.run(CLEAN)
    assert [path_of(row) for row in line.rows(clean_state)] == [VALID_PATH]


def test_stuck_tasks_are_counted_and_alerted_once_for_each_cause(make_line: MakeLine) -> None:
    line = make_line()
    collected(line, "砚山咖啡不错。")
    take(line, CLEAN)
    later = datetime.now(UTC) + timedelta(seconds=301)
    with line.store.reading() as tx:
        assert cleaning_tasks.count_stuck(tx, datetime.now(UTC)) == 0
        (stuck,) = cleaning_tasks.stuck(tx, later)
    assert stuck.state is CleanState.VALIDATING
    with line.store.writing() as tx:
        old = datetime.now(UTC) - timedelta(seconds=301)
        tx.run(update(clean_state).values(updated_at=old))
    for _ in range(2):
        line.stage(CLEAN).swept(line.store)
    (told,) = line.rows(alert)
    assert told["kind"] == "stuck"


def test_nothing_to_store_is_no_statement_and_no_error(make_line: MakeLine) -> None:
    line = make_line()
    with line.store.writing() as tx:
        assert results.store(tx, []).current == ()
        cleaning_tasks.move(tx, {}, datetime.now(UTC))
