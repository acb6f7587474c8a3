"""The whole collection over real HTTP under the usual limits: its length, and what the platforms saw of the limits.

The simulator runs in a process of its own; its log is the judge. Cleaning goes on at the same time, as in any run.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from answerwatch.simulator import worst_excess
from answerwatch.workspace import BatchRequest, QuestionRow, Workspace, open_workspace
from benchmarks.frame import Better, Options, Row

NAME = "collection"

LIMITS: Mapping[str, tuple[float, int]] = {"alpha": (5.0, 10), "beta": (3.0, 6), "gamma": (5.0, 10)}
"""Calls a second and calls at once."""
ROUNDS = 3
ANSWER_S = 1.0
SCRIPT = f"latency: {round(ANSWER_S * 1000)}\n"


def run(options: Options) -> list[Row]:
    """Collect the same bank from three platforms at once."""
    questions = options.size(100, 10)
    calls = questions * ROUNDS
    records = _collected(questions)
    arrivals = {name: [each["arrived"] for each in records if each["profile"] == name] for name in LIMITS}
    assert all(len(times) == calls for times in arrivals.values()), "every call is made exactly once"
    started = min(min(times) for times in arrivals.values())
    taken = max(each["ended"] for each in records) - started
    bound = max((calls - capacity) / rate for rate, capacity in LIMITS.values()) + ANSWER_S
    excess = max(worst_excess(arrivals[name], rate, capacity) for name, (rate, capacity) in LIMITS.items())
    note = f"{calls} calls to each of three platforms: 5/s capacity 10, 3/s capacity 6, 5/s capacity 10"
    return [
        Row(name="makespan", measured=taken / bound, unit="x bound", target=1.05, better=Better.LOWER, note=note),
        Row(
            name="arrivals above the limit",
            measured=excess,
            unit="calls",
            target=1.0,
            better=Better.LOWER,
            note="most in any window over capacity + rate x t, in the simulator's log",
        ),
    ]


def _collected(questions: int) -> Sequence[dict[str, Any]]:
    with (
        tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder,
        simulator_process(Path(folder), SCRIPT) as (url, log),
    ):
        with open_workspace(Path(folder) / "workspace") as ws:
            _prepare(ws, questions, url)
            outcome = ws.batches.run(BatchRequest(brands=("Acme",), platforms=tuple(LIMITS), rounds=ROUNDS))
            assert all(batch.failed == 0 for batch in outcome.batches)
        return [orjson.loads(line) for line in log.read_bytes().splitlines()]


@contextmanager
def simulator_process(folder: Path, text: str) -> Iterator[tuple[str, Path]]:
    """Serve fake platforms with a script from another process; give the address and the log."""
    script, log = folder / "script.yaml", folder / "calls.jsonl"
    script.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "answerwatch", "platforms", "simulate", "--port", "0"]
    with subprocess.Popen(
        [*command, "--script", str(script), "--log", str(log)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
            assert found is not None, "the simulator says where it listens"
            yield found[0], log
        finally:
            process.terminate()


def _prepare(ws: Workspace, questions: int, url: str) -> None:
    ws.init()
    ws.brands.add("Acme")
    add_questions(ws, questions)
    for name, (rate, capacity) in LIMITS.items():
        limits = {"rate": rate, "capacity": capacity, "in_flight": 40, "answer_s": ANSWER_S}
        ws.platforms.add(name, {"base_url": f"{url}/{name}/v1", "model": "sim-answer", "key_env": "", **limits})


def add_questions(ws: Workspace, count: int) -> None:
    """Fill the bank with different questions."""
    rows = [
        QuestionRow(line=n, question_id=f"Q{n:03d}", scene_type="RECOMMEND", query_text=f"Which phone is best for {n}?")
        for n in range(count)
    ]
    ws.questions.import_rows(rows, apply=True)
