"""Importing questions from CSV on SQLite: rows a second and the memory that it takes, dry run and import, twice."""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from answerwatch.workspace import open_workspace
from benchmarks.frame import Better, Options, Row
from benchmarks.importing import MEBIBYTE, peak

NAME = "question_bank"

SIZES = 1_000_000, 2_000
"""Rows, whole and quick."""
STEPS = {
    "dry": "dry run, into an empty bank",
    "apply": "import into an empty bank",
    "again": "dry run of the same file, nothing changes",
    "reword": "import of another text for every row",
}
"""In the order in which they run, each in a process of its own; the later ones find what the earlier ones left."""


def run(options: Options) -> list[Row]:
    """Measure in processes of their own, so that the memory is that of the work alone."""
    count = options.size(*SIZES)
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder:
        return [row for step in STEPS for row in _rows(step, folder, count, whole=not options.quick)]


def _rows(step: str, folder: str, count: int, *, whole: bool) -> list[Row]:
    command = [sys.executable, "-m", "benchmarks.question_bank", step, folder, str(count)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    taken, used, base, highest = (float(word) for word in printed.split())
    return [
        Row(
            name=f"{count:,} questions: {STEPS[step]}",
            measured=count / taken,
            unit="rows/s",
            target=5_000.0 if whole else None,
            note=f"{count / used:,.0f} a second of CPU: the same where nothing else runs",
        ),
        Row(
            name="memory of that process at its highest",
            measured=highest / MEBIBYTE,
            unit="MiB",
            target=200.0 if whole else None,
            better=Better.LOWER,
            note=f"{base / MEBIBYTE:.0f} MiB before",
        ),
    ]


def measure(step: str, folder: Path, count: int) -> str:
    """Take one step; return seconds, seconds of CPU, memory before and memory at its highest."""
    file = _write(folder, count, "问一下，" if step == "reword" else "")
    with open_workspace(folder / "workspace") as ws:
        ws.init()
        base, used, started = peak(), time.process_time(), time.perf_counter()
        outcome = ws.questions.import_file(file, apply=step in ("apply", "reword"))
        taken, used = time.perf_counter() - started, time.process_time() - used
        expected = {"again": outcome.unchanged, "reword": outcome.new_versions}.get(step, outcome.new)
        assert (expected, outcome.bad_rows, outcome.missing) == (count, 0, 0)
        return f"{taken} {used} {base} {peak()}"


def _write(folder: Path, count: int, before: str) -> Path:
    path = folder / "questions.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["编号", "场景", "问题", "关键词"])
        writer.writerows(
            [f"Q{n:07d}", "RECOMMEND", f"{before}第{n}个城市哪家咖啡值得推荐？", "咖啡、门店"] for n in range(count)
        )
    return path


if __name__ == "__main__":
    print(measure(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
