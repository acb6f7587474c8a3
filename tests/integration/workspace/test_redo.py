"""Cleaning stored answers anew: right results in every order of events, older ones in history, nothing asked."""

from __future__ import annotations

import json
import threading
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, select, text

from answerwatch.errors import UsageError
from answerwatch.reading import READER_VERSION
from answerwatch.stages.clean.redo import queue_redo
from answerwatch.stages.clean.stage import CleanStage
from answerwatch.store.schema import (
    answer_sample,
    brand_result,
    brand_result_history,
    clean_generation,
    clean_result,
    clean_result_history,
    clean_state,
    entity_match_detail,
    work_task,
)
from answerwatch.store.work import ledger
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.batches.views import Snapshot
from tests.databases import on_every_database
from tests.integration.workspace.conftest import QUICK

pytestmark = on_every_database

ANSWERS = ["推荐华为手机，拍照不错，续航也好。", "菊厂的手机系统流畅，值得买。", "抱歉，我无法回答这个问题。", ""]


def imported(ws: Workspace, folder: Path, answers: list[str], *, brand: str | None = "华为", name: str = "a") -> str:
    """Import answers as a batch and return its id."""
    rows = [{"question": f"q{n}", "platform": "kimi", "answer": answer} for n, answer in enumerate(answers)]
    file = folder / f"{name}.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    batch = ws.samples.import_file(file, scene="RECOMMEND", brand=brand).batch_id
    assert batch is not None
    return batch


def rows(ws: Workspace, table: Table) -> list[dict[str, Any]]:
    query = select(table).order_by(*(column for column in table.columns if column.primary_key))
    with ws.store.reading() as read:
        return [row._asdict() for row in read.all(query)]


@pytest.fixture
def cleaned(ws: Workspace, tmp_path: Path) -> Workspace:
    """Four answers, cleaned with a lexicon that does not know one of the names."""
    ws.brands.add("华为")
    imported(ws, tmp_path, ANSWERS)
    ws.cleaning.run()
    return ws


def check_generations(ws: Workspace) -> None:
    """Current and history together hold every ended task once, and each answer's current one is its newest."""
    current, history = rows(ws, clean_result), rows(ws, clean_result_history)
    ended = [row for row in rows(ws, clean_state) if row["current_state"] in ("completed", "failed")]
    assert Counter(row["clean_task_id"] for row in [*current, *history]) == Counter(
        row["clean_task_id"] for row in ended
    )
    newest = {row["source_task_id"]: 0 for row in ended}
    for row in ended:
        newest[row["source_task_id"]] = max(newest[row["source_task_id"]], row["generation"])
    assert {row["source_task_id"]: row["generation"] for row in current} == newest
    generation = {row["clean_task_id"]: row["generation"] for row in current}
    assert all(generation[row["clean_task_id"]] == row["generation"] for row in rows(ws, brand_result))
    older = {row["clean_task_id"] for row in history}
    assert {row["clean_task_id"] for row in rows(ws, brand_result_history)} <= older
    samples = {row["sub_task_id"]: (row["is_valid"], row["invalid_reason"]) for row in rows(ws, answer_sample)}
    assert {row["source_task_id"]: (row["is_valid"], row["invalid_reason"]) for row in current} == {
        id_: samples[id_] for id_ in newest
    }


def test_a_redo_reads_every_stored_answer_with_the_newest_lexicon(cleaned: Workspace) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    before = {row["source_task_id"]: row["is_mentioned"] for row in rows(cleaned, clean_result)}
    seen: list[Snapshot] = []

    plan = cleaned.cleaning.plan_redo(everything=True)
    redone = cleaned.cleaning.redo(everything=True, progress=seen.append)

    assert (plan.generation, plan.lexicon_version, plan.answers, plan.waiting) == (2, 2, 4, 0)
    assert [(one.answers, one.generation, one.lexicon_version) for one in plan.behind] == [(4, 1, 1)]
    assert (redone.queued, redone.cleaned, redone.valid, redone.invalid, redone.failed) == (4, 4, 2, 2, 0)
    assert redone.succeeded
    assert (seen[-1].total, seen[-1].done) == (4, 4)
    assert sorted(before.values(), key=str) == [0, 1, None, None]
    assert [row["is_mentioned"] for row in rows(cleaned, clean_result)] == [1, 1, None, None]
    assert {row["source_task_id"]: row["is_mentioned"] for row in rows(cleaned, clean_result_history)} == before
    assert {row["generation"] for row in rows(cleaned, clean_result)} == {2}
    assert len(rows(cleaned, entity_match_detail)) == 3
    check_generations(cleaned)


def test_nothing_is_done_twice_with_the_same_versions_unless_it_is_forced(cleaned: Workspace) -> None:
    idle = cleaned.cleaning.redo(everything=True)
    assert cleaned.cleaning.plan_redo(everything=True).nothing_to_do
    assert (idle.queued, idle.cleaned, idle.generation) == (0, 0, 1)

    forced = cleaned.cleaning.redo(everything=True, force=True)

    assert (forced.generation, forced.queued, forced.cleaned) == (2, 4, 4)
    assert [(row["lexicon_version"], row["note"]) for row in rows(cleaned, clean_generation)] == [
        (1, ""),
        (1, "redo all"),
    ]
    assert cleaned.cleaning.plan_redo(everything=True).nothing_to_do
    check_generations(cleaned)


def test_one_batch_or_the_batches_of_one_brand(cleaned: Workspace, tmp_path: Path) -> None:
    cleaned.brands.add("小米")
    other = imported(cleaned, tmp_path, ["小米手机也不错，值得推荐。"], brand="小米", name="b")
    cleaned.cleaning.run()
    cleaned.brands.add_alias("小米", "米家")

    by_brand = cleaned.cleaning.redo(brand="小米")
    assert (by_brand.queued, by_brand.cleaned) == (1, 1)
    assert {row["generation"] for row in rows(cleaned, clean_result) if row["batch_id"] == other} == {3}
    rest = next(row["batch_id"] for row in rows(cleaned, clean_result) if row["batch_id"] != other)
    by_batch = cleaned.cleaning.redo(batch=rest)
    assert (by_batch.queued, by_batch.cleaned, by_batch.generation) == (4, 4, 3)
    check_generations(cleaned)
    with pytest.raises(UsageError, match="no batch"):
        cleaned.cleaning.redo(batch="BATCH_NONE")
    with pytest.raises(UsageError, match="only one"):
        cleaned.cleaning.redo(batch=rest, everything=True)


def test_a_stopped_redo_keeps_the_old_results_and_goes_on(cleaned: Workspace) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    stop = threading.Event()
    stop.set()

    stopped = cleaned.cleaning.redo(everything=True, stop=stop)

    assert (stopped.queued, stopped.cleaned + stopped.outstanding) == (4, 4)
    assert len(rows(cleaned, clean_result)) == 4
    assert cleaned.cleaning.plan_redo(everything=True).waiting == stopped.outstanding
    again = cleaned.cleaning.redo(everything=True)
    assert (again.queued, again.outstanding) == (0, 0)
    assert {row["generation"] for row in rows(cleaned, clean_result)} == {2}
    check_generations(cleaned)


def put_to_work(ws: Workspace) -> int:
    """Queue a redo of everything as somebody does who is killed right after it; return how many answers wait."""
    now = ws.store.clock.now()
    put = partial(queue_redo, batch_ids=None, cleaner_version=READER_VERSION, force=False, note="", now=now)
    return ws.store.transact(put).answers


def test_fresh_answers_go_before_a_redo(cleaned: Workspace, tmp_path: Path) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    put_to_work(cleaned)
    fresh = imported(cleaned, tmp_path, ["华为的新答案。"], name="b")
    with cleaned.store.reading() as read:
        piles = ledger.ready(read, ["clean"])
    assert [pile.group for pile in piles] == [fresh, "REDO_G2"]


def test_a_newer_lexicon_overtakes_a_redo_that_still_waits(cleaned: Workspace) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    waiting = put_to_work(cleaned)
    cleaned.brands.add("小米")

    redone = cleaned.cleaning.redo(everything=True)

    assert (redone.generation, redone.lexicon_version) == (3, 3)
    assert (waiting, redone.renewed, redone.queued, redone.cleaned) == (4, 4, 0, 4)
    assert rows(cleaned, work_task) == []
    assert {row["generation"] for row in rows(cleaned, clean_result)} == {3}
    check_generations(cleaned)


def test_a_redo_that_was_begun_ends_beside_a_newer_one(cleaned: Workspace) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    put_to_work(cleaned)
    stage = CleanStage(clock=cleaned.store.clock)
    with cleaned.store.writing() as tx:
        (pile,) = ledger.ready(tx, ["clean"])
        held = ledger.claim(tx, pile, most=2, worker_id="killed", lease_s=0.01)
        stage.claimed(tx, held)
    cleaned.brands.add("小米")

    redone = cleaned.cleaning.redo(everything=True)
    cleaned.cleaning.run()

    assert (redone.renewed, redone.queued) == (2, 2)
    assert {row["generation"] for row in rows(cleaned, clean_result)} == {3}
    assert Counter(row["generation"] for row in rows(cleaned, clean_result_history)) == {1: 4, 2: 2}
    check_generations(cleaned)


def test_cleaning_goes_on_with_a_redo_and_keeps_it_behind_fresh_work(cleaned: Workspace) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    waiting = put_to_work(cleaned)
    cleaned.brands.add("小米")
    run = cleaned.cleaning.run()
    assert (run.renewed, run.outstanding) == (waiting, 0)
    check_generations(cleaned)


def test_two_redos_at_once_clean_each_answer_once(cleaned: Workspace, made_home: Path) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    found: list[int] = []
    broken: list[BaseException] = []

    def again() -> None:
        try:
            with open_workspace(made_home, **QUICK) as other:
                found.append(other.cleaning.redo(everything=True).queued)
        except BaseException as error:  # noqa: BLE001 - told to the test, which fails with it
            broken.append(error)

    threads = [threading.Thread(target=again) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert broken == []
    assert sum(found) == 4
    assert sum(row["generation"] == 2 for row in rows(cleaned, clean_state)) == 4
    assert {row["generation"] for row in rows(cleaned, clean_result)} == {2}
    check_generations(cleaned)


def test_answers_that_come_during_a_redo_are_cleaned_too(cleaned: Workspace, tmp_path: Path, made_home: Path) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    broken: list[BaseException] = []

    def collect() -> None:
        try:
            with open_workspace(made_home, **QUICK) as other:
                for number in range(5):
                    imported(other, tmp_path, [f"菊厂的新答案 {number}，值得推荐。"], name=f"fresh{number}")
        except BaseException as error:  # noqa: BLE001 - told to the test, which fails with it
            broken.append(error)

    collecting = threading.Thread(target=collect)
    collecting.start()
    cleaned.cleaning.redo(everything=True)
    collecting.join()
    cleaned.cleaning.run()

    assert broken == []
    assert [row["is_mentioned"] for row in rows(cleaned, clean_result) if row["is_valid"]] == [1] * 7
    assert len(rows(cleaned, clean_state)) == 4 + 4 + 5
    assert rows(cleaned, work_task) == []
    check_generations(cleaned)


def test_a_redo_counts_its_own_answers_and_none_that_others_bring_into_its_generation(
    cleaned: Workspace, tmp_path: Path, made_home: Path
) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    imported(cleaned, tmp_path, ["早来的答案，推荐菊厂。"], name="early")
    brought: list[str] = []

    def bring(_: Snapshot) -> None:
        if not brought:
            with open_workspace(made_home, **QUICK) as other:
                brought.append(imported(other, tmp_path, ["后来的答案。", "又来的答案。"], name="late"))
                other.cleaning.run()

    redone = cleaned.cleaning.redo(everything=True, progress=bring)

    assert len(brought) == 1
    assert (redone.queued, redone.cleaned, redone.valid, redone.invalid) == (4, 4, 2, 2)


def test_progress_is_shown_by_one_at_a_time_also_when_the_work_ends_first(cleaned: Workspace) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    free, busy, met = threading.Event(), threading.Lock(), []

    def slow(_: Snapshot) -> None:
        met.append(busy.acquire(blocking=False))
        free.wait(timeout=1.0)  # longer than four answers take: the work ends while this goes on
        if met[-1]:
            busy.release()

    cleaned.cleaning.redo(everything=True, progress=slow)

    assert set(met) == {True}


def test_a_damaged_answer_fails_in_the_new_generation_and_keeps_its_old_result_in_history(cleaned: Workspace) -> None:
    with cleaned.store.writing() as tx:
        tx.run(text("UPDATE answer_sample SET response_length = response_length + 1 WHERE question_id LIKE '%1'"))
    damaged = [
        row["sub_task_id"] for row in rows(cleaned, answer_sample) if len(row["raw_response"]) != row["response_length"]
    ]
    assert len(damaged) == 1
    cleaned.brands.add_alias("华为", "菊厂")
    seen: list[Snapshot] = []

    redone = cleaned.cleaning.redo(everything=True, progress=seen.append)

    assert (redone.cleaned, redone.failed, redone.succeeded) == (4, 1, False)
    assert (seen[-1].done, seen[-1].failed) == (4, 1)
    (failed,) = (row for row in rows(cleaned, clean_result) if row["source_task_id"] == damaged[0])
    assert (failed["clean_state"], failed["is_valid"], failed["generation"]) == ("failed", None, 2)
    check_generations(cleaned)
    with cleaned.store.writing() as tx:
        tx.run(text("UPDATE answer_sample SET response_length = response_length - 1 WHERE question_id LIKE '%1'"))
    assert len(cleaned.dead.replay(everything=True).replayed) == 1
    run = cleaned.cleaning.run(progress=seen.append)
    assert (run.cleaned, run.failed, seen[-1].done, seen[-1].failed) == (1, 0, 1, 0)
    assert {row["clean_state"] for row in rows(cleaned, clean_result)} == {"completed"}
    check_generations(cleaned)


def test_answers_without_a_changed_name_keep_their_result_in_the_new_generation(cleaned: Workspace) -> None:
    before = {row["source_task_id"]: row for row in rows(cleaned, clean_result)}
    cleaned.brands.add_alias("华为", "菊厂")

    redone = cleaned.cleaning.redo(everything=True)

    states = {row["source_task_id"]: row for row in rows(cleaned, clean_state) if row["generation"] == 2}
    named, *others = sorted(
        rows(cleaned, clean_result), key=lambda row: states[row["source_task_id"]]["taken_from"] or ""
    )
    assert states[named["source_task_id"]]["taken_from"] is None, "the answer that names it was read"
    assert (named["is_mentioned"], before[named["source_task_id"]]["is_mentioned"]) == (1, 0)
    assert (redone.cleaned, redone.valid, redone.invalid) == (4, 2, 2)
    new = {"clean_task_id", "generation", "lexicon_version", "cleaned_at"}
    for row in others:
        old = before[row["source_task_id"]]
        assert states[row["source_task_id"]]["taken_from"] == old["clean_task_id"]
        assert {name: row[name] for name in row if name not in new} == {
            name: old[name] for name in old if name not in new
        }
        assert (row["generation"], row["lexicon_version"]) == (2, 2)
        assert row["cleaned_at"] > old["cleaned_at"]
        told = cleaned.cleaning.explain(row["source_task_id"])
        assert (told.taken_from, told.lexicon_version) == (old["clean_task_id"], 2)
    assert cleaned.cleaning.explain(named["source_task_id"]).taken_from is None
    matched = Counter(row["clean_task_id"] for row in rows(cleaned, entity_match_detail))
    assert sorted(matched.values()) == [1, 1, 1], "the first answer's name in both generations, the new name in one"
    check_generations(cleaned)


def test_a_forced_redo_reads_answers_that_have_not_changed(cleaned: Workspace) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    cleaned.cleaning.redo(everything=True, force=True)
    cleaned.cleaning.redo(everything=True, force=True)
    assert [row["reads_all"] for row in rows(cleaned, clean_generation)] == [0, 1, 1]
    assert {row["taken_from"] for row in rows(cleaned, clean_state)} == {None}
    check_generations(cleaned)


def test_an_older_generation_is_explained_beside_the_newest(cleaned: Workspace) -> None:
    cleaned.brands.add_alias("华为", "菊厂")
    cleaned.cleaning.redo(everything=True)
    sample = rows(cleaned, answer_sample)[1]["sub_task_id"]

    now, before = cleaned.cleaning.explain(sample), cleaned.cleaning.explain(sample, generation=1)

    assert (now.generation, now.generations, before.generation) == (2, (2, 1), 1)
    assert cleaned.cleaning.explain(now.clean_task_id, generation=1) == before
    with pytest.raises(UsageError, match="no generation 7; the newest is 2"):
        cleaned.cleaning.explain(sample, generation=7)
