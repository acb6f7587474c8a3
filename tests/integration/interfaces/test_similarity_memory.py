"""Memory that commands about ten million pairs, or a million lines, take at their peak."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

pytestmark = pytest.mark.slow

TEXTS = 3_163
"""Of each list: 10,004,569 pairs."""
MOST_KB = 1_000_000
SENTENCES = random.Random(1)


def sentence() -> str:
    return "".join(chr(0x4E00 + SENTENCES.randrange(3_000)) for _ in range(30))


def peak_of(*words: str) -> tuple[int, str]:
    """Run a command to its good end; its largest memory in KB, and what it printed."""
    command = [sys.executable, "-m", "answerwatch", "similarity", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        out = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss, out


def test_ten_million_pairs_take_less_than_a_gigabyte(ready: Cli, tmp_path: Path) -> None:
    left, right = tmp_path / "left.txt", tmp_path / "right.txt"
    for file in (left, right):
        file.write_text("\n".join(sentence() for _ in range(TEXTS)), encoding="utf-8")

    peak, out = peak_of("submit", str(left), str(right), "--scorer", "lexical", "--yes", "--wait", "--json")
    job = json.loads(out)
    written = tmp_path / "all.csv"
    peaks = [
        peak,
        peak_of("results", job["job_id"], "--top-k", "10", "--out", str(tmp_path / "best.csv"))[0],
        peak_of("results", job["job_id"], "--min-score", "-1", "--out", str(written))[0],
    ]

    assert (job["status"], job["processed"]) == ("completed", TEXTS * TEXTS)
    with written.open("rb") as rows:
        assert sum(1 for _ in rows) == TEXTS * TEXTS + 1
    assert max(peaks) < MOST_KB, peaks


def test_a_million_equal_lines_take_less_than_a_gigabyte(ready: Cli, tmp_path: Path) -> None:
    left = tmp_path / "left.txt"
    left.write_bytes("怎么退货\n".encode() * 1_000_000)

    peak, out = peak_of("submit", str(left), "--scorer", "lexical", "--yes", "--wait", "--json")
    best, _ = peak_of("results", json.loads(out)["job_id"], "--top-k", "1", "--out", str(tmp_path / "best.csv"))

    assert max(peak, best) < MOST_KB, (peak, best)
