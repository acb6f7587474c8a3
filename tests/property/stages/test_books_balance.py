"""The books balance: what the platform saw is what we recorded, and every counter equals a recount."""

import random
from collections import Counter
from pathlib import Path

import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.store.batch import counters
from answerwatch.store.schema import (
    answer_sample,
    call_attempt,
    clean_result,
    clean_state,
    dead_letter,
    late_sample,
    question_usage_log,
    task_batch,
)
from tests.integration.stages.line import Line, questions, surface

FAULTS = [
    "e422", "e429_retry_after", "e500", "e503", "empty", "html_200", "refusal_text", "content_filter", "reset",
    "truncated_json", "error_in_200", "reasoning", "garbled", "gzip_bad", "usage_missing", "model_swapped",
]  # fmt: skip


def random_script(seed: int) -> str:
    """A script with some faults, each with some probability."""
    dice = random.Random(seed)
    faults = {name: round(dice.uniform(0.02, 0.12), 2) for name in dice.sample(FAULTS, 6)}
    mix = ", ".join(f"{name}: {share}" for name, share in faults.items())
    return f"{{seed: {seed}, latency: 0, retry_after_s: 0, faults: {{{mix}}}}}"


@pytest.mark.parametrize("_", range(3))
def test_the_books_balance(tmp_path: Path, database_url: str, _: int) -> None:
    seed = random.randrange(1_000_000)
    script = random_script(seed)
    print(f"seed {seed}: {script}")  # noqa: T201 - a red run must be repeatable
    with SimulatorThread(parse_script(script)) as simulator:
        line = Line(tmp_path, database_url, {name: surface(simulator.base_url, name) for name in ("sim", "sim2")})
        line.add_lexicon(A牌=["砚山咖啡"], B牌=["霁白咖啡"])
        line.add_batch("B1", questions(12), rounds=2)
        line.add_batch("B2", questions(6), brand="B牌")
        line.run()
        calls = simulator.calls()
    seen = Counter(str(call["sim_key"]) for call in calls)
    recorded = Counter(row["sub_task_id"] for row in line.rows(call_attempt))
    assert seen == recorded
    usage = line.rows(question_usage_log)
    succeeded = {row["sub_task_id"] for row in usage if row["status"] == "success"}
    failed = {row["sub_task_id"] for row in usage if row["status"] == "failed"}
    assert len(succeeded) + len(failed) == len(usage) == 60
    assert {row["sub_task_id"] for row in line.rows(answer_sample)} == succeeded
    assert {row["task_id"] for row in line.rows(dead_letter)} == failed
    assert line.rows(late_sample) == []
    with line.store.reading() as tx:
        for batch in line.rows(task_batch):
            recount = counters.recount(tx, batch["batch_id"])
            assert recount is not None
            assert recount.exact
            assert batch["batch_status"] == ("partial" if batch["failed_sub_tasks"] else "completed")
    assert line.count(clean_state, "current_state") == {"completed": len(succeeded)}
    assert len(line.rows(clean_result)) == len(succeeded)
    answered = line.rows(call_attempt, outcome="answered")
    assert {(row["sub_task_id"], row["attempt"]) for row in answered} == {
        (row["sub_task_id"], row["attempt"]) for row in line.rows(answer_sample)
    }
    line.store.close()
