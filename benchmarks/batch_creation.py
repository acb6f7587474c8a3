"""Creating a batch of 100,000 sub-tasks on each database: seconds, and memory of the process that does it."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from answerwatch.workspace import BatchRequest, QuestionRow, Workspace, open_workspace
from benchmarks.frame import Better, LeftOut, Options, Row, seconds
from benchmarks.servers import MARIADB, POSTGRES, SQLITE, database

NAME = "batch_creation"

PLATFORMS = 4
ROUNDS = 5
TARGETS = {SQLITE: 6.0, POSTGRES: 15.0, MARIADB: 30.0}
"""Seconds."""
MEBIBYTE = 1 << 20


def run(options: Options) -> list[Row]:
    """Measure in processes of their own, so that the memory is that of the work alone; servers as far as they run."""
    rows: list[Row] = []
    for kind in TARGETS:
        try:
            rows += _rows(kind, options)
        except LeftOut as missing:
            print(f"{kind} is left out: {missing}")
    return rows


def _rows(kind: str, options: Options) -> list[Row]:
    questions = options.size(5_000, 250)
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder, database(kind) as url:
        command = [sys.executable, "-m", "benchmarks.batch_creation", folder, url, str(questions)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    taken, base, peak = (float(word) for word in printed.split())
    sub_tasks = questions * PLATFORMS * ROUNDS
    return [
        Row(
            name=f"create a batch of {sub_tasks:,} sub-tasks, {kind}",
            measured=taken,
            unit="s",
            target=None if options.quick else TARGETS[kind],
            better=Better.LOWER,
        ),
        Row(
            name=f"memory of the process at its highest, {kind}",
            measured=peak / MEBIBYTE,
            unit="MiB",
            target=None if options.quick else 200.0,
            better=Better.LOWER,
            note=f"{base / MEBIBYTE:.0f} MiB before the batch",
        ),
    ]


def measure(folder: Path, url: str, questions: int) -> str:
    """Create one batch in a new workspace and return seconds, memory before and memory at its highest."""
    with open_workspace(folder, database_url=url) as ws:
        _prepare(ws, questions)
        request = BatchRequest(brands=("Acme",), platforms=tuple(f"p{n}" for n in range(PLATFORMS)), rounds=ROUNDS)
        base = _peak()
        taken = seconds(lambda: ws.batches.create(request))
        (batch,) = ws.batches.list()
        assert batch.total == questions * PLATFORMS * ROUNDS
        assert ws.batches.status(batch.batch_id).pending == batch.total
    return f"{taken} {base} {_peak()}"


def _prepare(ws: Workspace, questions: int) -> None:
    ws.init()
    ws.brands.add("Acme")
    rows = [
        QuestionRow(line=n, question_id=f"Q{n:05d}", scene_type="RECOMMEND", query_text=f"Which one is best for {n}?")
        for n in range(questions)
    ]
    ws.questions.import_rows(rows, apply=True)
    for number in range(PLATFORMS):
        ws.platforms.add(f"p{number}", {"base_url": "http://127.0.0.1:9", "model": "m", "key_env": ""})


def _peak() -> int:
    """Return the highest memory of this process so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    print(measure(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
