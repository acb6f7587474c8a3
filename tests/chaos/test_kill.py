"""A real worker process is killed with -9 again and again; what comes out equals an undisturbed run.

The long form (at least 25 kills) runs with the slow tests, the short form always.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.store.batch import counters
from answerwatch.store.objects import raw_key
from answerwatch.store.schema import (
    answer_sample,
    brand_result,
    call_attempt,
    clean_result,
    clean_state,
    dead_letter,
    entity_match_detail,
    late_sample,
    question_usage_log,
    task_batch,
)
from tests.chaos.servers import python_environ, until
from tests.chaos.worker import line_in
from tests.conftest import ROOT
from tests.databases import SQLITE, Databases
from tests.integration.stages.line import Line, questions

pytestmark = pytest.mark.chaos

SCRIPT = """
seed: 5
latency: 120
answers: by_question
retry_after_s: 0
faults: {e500: 0.08, e429_retry_after: 0.04}
per_question: {第3个: e422, 第7个: refusal_text_zh}
"""
SLOTS = 8
TIMES = ("at", "cleaned_at", "created_at", "finished_at", "updated_at", "match_id")


def start(line: Line, base_url: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.chaos.worker", str(line.folder), line.url, base_url, *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=python_environ(), stdout=subprocess.PIPE, text=True)


def finish(line: Line, base_url: str) -> None:
    with start(line, base_url) as worker:
        assert worker.wait(180) == 0


def prepare(folder: Path, url: str, base_url: str, asked: int) -> Line:
    folder.mkdir()
    line = line_in(folder, url, base_url)
    line.add_lexicon(A牌=["砚山咖啡"], B牌=["霁白咖啡", "九墨咖啡"])
    line.add_batch("B1", questions(asked), rounds=2)
    return line


def results(line: Line) -> dict[str, object]:
    """Everything that must not depend on kills."""
    found: dict[str, object] = {
        table.name: sorted(
            repr([value for name, value in row.items() if name not in TIMES]) for row in line.rows(table)
        )
        for table in (brand_result, entity_match_detail)
    }
    found["usage"] = {row["sub_task_id"]: row["status"] for row in line.rows(question_usage_log)}
    found["samples"] = {row["sub_task_id"]: row["raw_response"] for row in line.rows(answer_sample)}
    found["histories"] = {
        row["clean_task_id"]: [move["to"] for move in row["state_history"]] for row in line.rows(clean_state)
    }
    metrics = ("is_valid", "invalid_reason", "is_mentioned", "mention_count", "recommendation_rank", "clean_state")
    found["results"] = {row["clean_task_id"]: [row[name] for name in metrics] for row in line.rows(clean_result)}
    (batch,) = line.rows(task_batch)
    found["batch"] = [batch[name] for name in ("batch_status", "completed_sub_tasks", "failed_sub_tasks")]
    found["dead"] = sorted(row["task_id"] for row in line.rows(dead_letter))
    return found


def disturbed(line: Line, simulator: SimulatorThread, kills: int, asked: int, dice: random.Random) -> int:
    """Kill a worker at random moments until it was done `kills` times; return how often it was still at work.

    A moment is a number of further calls and a little time: how far a worker gets in a time depends on the machine.
    """
    hit = 0
    for _ in range(kills):
        wanted = len(simulator.calls()) + dice.randint(1, asked // (kills + 1))
        with start(line, simulator.base_url) as worker:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
            try:
                until(partial(_called, simulator, worker, wanted), 60, f"{wanted} calls")
                worker.wait(dice.uniform(0, 0.1))
            except subprocess.TimeoutExpired:
                hit += 1
            worker.kill()
    return hit


def _called(simulator: SimulatorThread, worker: subprocess.Popen[str], wanted: int) -> bool:
    return len(simulator.calls()) >= wanted or worker.poll() is not None


def check_books(line: Line, calls: list[dict[str, Any]], kills: int) -> None:
    """The simulator's log equals the attempts but for calls in flight at a kill; nothing kept was asked for again."""
    seen = Counter(str(call["sim_key"]) for call in calls)
    recorded = Counter(row["sub_task_id"] for row in line.rows(call_attempt))
    assert not recorded - seen
    lost = seen - recorded
    assert lost.total() <= kills * 2 * SLOTS, sorted(lost.items())  # in flight, or answered and not kept yet
    assert line.rows(late_sample) == []
    for sample in line.rows(answer_sample):
        kept = line.objects.below(raw_key("B1", sample["sub_task_id"], 0).removesuffix("0.gz"))
        assert [Path(key).name for key in kept] == [f"{sample['attempt']}.gz"]
    with line.store.reading() as tx:
        recount = counters.recount(tx, "B1")
    assert recount is not None
    assert recount.exact


@pytest.mark.parametrize(
    ("kills", "asked"), [pytest.param(3, 20), pytest.param(30, 150, marks=pytest.mark.slow)], ids=["short", "long"]
)
def test_kills_change_nothing(tmp_path: Path, databases: Databases, database_url: str, kills: int, asked: int) -> None:
    """The undisturbed run is one on SQLite: what comes out is the same on every database."""
    seed = random.randrange(1_000_000)
    print(f"seed {seed}")  # noqa: T201 - a red run must be repeatable
    with (
        SimulatorThread(parse_script(SCRIPT)) as calm,
        SimulatorThread(parse_script(SCRIPT)) as rough,
        databases.ready(SQLITE) as calm_url,
    ):
        quiet = prepare(tmp_path / "calm", calm_url, calm.base_url, asked)
        finish(quiet, calm.base_url)
        line = prepare(tmp_path / "rough", database_url, rough.base_url, asked)
        hit = disturbed(line, rough, kills, asked * 2, random.Random(seed))
        finish(line, rough.base_url)
        assert hit >= kills * 2 // 3, "too few kills hit a worker at work"
        assert results(line) == results(quiet)
        check_books(line, rough.calls(), kills)
        check_books(quiet, calm.calls(), 0)
        quiet.store.close()
        line.store.close()


def test_rep_double_count(tmp_path: Path, database_url: str) -> None:
    """One kill at each point of a sub-task's way into the store, with one call at a time."""
    script = "{seed: 5, latency: 0, answers: by_question, per_question: {4个: e422, 5个: e422}}"
    with SimulatorThread(parse_script(script)) as simulator:
        folder = tmp_path / "line"
        folder.mkdir()
        line = line_in(folder, database_url, simulator.base_url)
        line.add_lexicon(A牌=["砚山咖啡"])
        line.add_batch("B1", questions(20))
        for point in ("answered:4", "stored:2", "committed:2"):
            with start(line, simulator.base_url, "--slots", "1", "--die", point) as worker:
                assert worker.wait(60) == -9, point
            (batch,) = line.rows(task_batch)
            assert batch["completed_sub_tasks"] + batch["failed_sub_tasks"] < 20
        finish(line, simulator.base_url)
        (batch,) = line.rows(task_batch)
        assert (batch["batch_status"], batch["completed_sub_tasks"], batch["failed_sub_tasks"]) == ("partial", 16, 4)
        assert len(line.rows(answer_sample)) == len(line.rows(clean_result)) == 16
        assert len(line.rows(dead_letter)) == 4
        check_books(line, simulator.calls(), kills=3)
        line.store.close()
