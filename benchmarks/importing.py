"""Importing answers from JSONL and questions from CSV on SQLite: rows a second, and the memory that it takes."""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from answerwatch.workspace import open_workspace
from benchmarks.frame import Better, Options, Row, seconds

NAME = "importing"

ANSWERS = "answers"
QUESTIONS = "questions"
SIZES = {ANSWERS: (1_000_000, 20_000), QUESTIONS: (50_000, 2_000)}
"""Rows, whole and quick."""
TARGETS = {ANSWERS: 2_000.0, QUESTIONS: 5_000.0}
"""Rows a second."""
SPOKEN = "砚山咖啡的门店多，豆子新鲜，价格也合适；如果更看重环境，可以考虑云脚咖啡，它的座位宽，甜点也好。" * 4
MEBIBYTE = 1 << 20


def run(options: Options) -> list[Row]:
    """Measure in processes of their own, so that the memory is that of the work alone."""
    return [row for kind in SIZES for row in _rows(kind, options)]


def _rows(kind: str, options: Options) -> list[Row]:
    count = options.size(*SIZES[kind])
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder:
        command = [sys.executable, "-m", "benchmarks.importing", kind, folder, str(count)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    taken, used, base, peak = (float(word) for word in printed.split())
    return [
        Row(
            name=f"import {count:,} {kind}",
            measured=count / taken,
            unit="rows/s",
            target=None if options.quick else TARGETS[kind],
            note=f"{count / used:,.0f} a second of CPU: the same where nothing else runs",
        ),
        Row(
            name=f"memory of the process at its highest, {kind}",
            measured=peak / MEBIBYTE,
            unit="MiB",
            target=None if options.quick else 200.0,
            better=Better.LOWER,
            note=f"{base / MEBIBYTE:.0f} MiB before the import",
        ),
    ]


def measure(kind: str, folder: Path, count: int) -> str:
    """Import a file into a new workspace; return seconds, seconds of CPU, memory before and memory at its highest."""
    file = _write_answers(folder, count) if kind == ANSWERS else _write_questions(folder, count)
    with open_workspace(folder / "workspace") as ws:
        ws.init()
        base, used = _peak(), time.process_time()
        if kind == ANSWERS:
            started = time.perf_counter()
            outcome = ws.samples.import_file(file)
            taken = time.perf_counter() - started
            assert outcome.imported == count
        else:
            taken = seconds(lambda: ws.questions.import_file(file, apply=True))
            assert len(ws.questions.list(limit=count + 1)) == count
        return f"{taken} {time.process_time() - used} {base} {_peak()}"


def _write_answers(folder: Path, count: int) -> Path:
    """Write answers to a question each, the hardest case for what is held in memory."""
    path = folder / "answers.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            row = {
                "platform": ("kimi", "qwen", "deepseek")[number % 3],
                "question": f"第{number}个城市哪家咖啡值得推荐？",
                "answer": f"{number}：{SPOKEN}",
                "asked_at": f"2026-07-{1 + number % 28:02d}T08:30:00+08:00",
                "sources": [f"https://a.example/{number}"],
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def _write_questions(folder: Path, count: int) -> Path:
    path = folder / "questions.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["编号", "场景", "问题", "关键词"])
        writer.writerows(
            [f"Q{n:07d}", "RECOMMEND", f"第{n}个城市哪家咖啡值得推荐？", "咖啡、门店"] for n in range(count)
        )
    return path


def _peak() -> int:
    """Return the highest memory of this process so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    print(measure(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
