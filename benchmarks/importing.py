"""Importing answers from JSONL on SQLite: rows a second, and the memory that it takes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from answerwatch.workspace import open_workspace
from benchmarks.frame import Better, Options, Row

NAME = "importing"

SIZES = 1_000_000, 20_000
"""Answers, whole and quick."""
SPOKEN = "砚山咖啡的门店多，豆子新鲜，价格也合适；如果更看重环境，可以考虑云脚咖啡，它的座位宽，甜点也好。" * 4
MEBIBYTE = 1 << 20


def run(options: Options) -> list[Row]:
    """Measure in a process of its own, so that the memory is that of the work alone."""
    count = options.size(*SIZES)
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder:
        command = [sys.executable, "-m", "benchmarks.importing", folder, str(count)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    taken, used, base, highest = (float(word) for word in printed.split())
    return [
        Row(
            name=f"import {count:,} answers",
            measured=count / taken,
            unit="rows/s",
            target=None if options.quick else 2_000.0,
            note=f"{count / used:,.0f} a second of CPU: the same where nothing else runs",
        ),
        Row(
            name="memory of the process at its highest",
            measured=highest / MEBIBYTE,
            unit="MiB",
            target=None if options.quick else 200.0,
            better=Better.LOWER,
            note=f"{base / MEBIBYTE:.0f} MiB before the import",
        ),
    ]


def measure(folder: Path, count: int) -> str:
    """Import a file into a new workspace; return seconds, seconds of CPU, memory before and memory at its highest."""
    file = _write_answers(folder, count)
    with open_workspace(folder / "workspace") as ws:
        ws.init()
        base, used, started = peak(), time.process_time(), time.perf_counter()
        outcome = ws.samples.import_file(file)
        taken = time.perf_counter() - started
        assert outcome.imported == count
        return f"{taken} {time.process_time() - used} {base} {peak()}"


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


def peak() -> int:
    """Return the highest memory of this process so far, in bytes."""
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest if sys.platform == "darwin" else highest * 1024


if __name__ == "__main__":
    print(measure(Path(sys.argv[1]), int(sys.argv[2])))
