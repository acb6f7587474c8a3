"""Cleaning stored answers anew: real answers with a lexicon that has changed, through engine and SQLite."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import process_time

import orjson

from answerwatch.reading import Answer
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.cleaning.views import Redone
from benchmarks.cleaning import POOL, load_pool
from benchmarks.frame import Options, Row, seconds
from benchmarks.names import BRANDS

NAME = "redo"
ANSWERS = 100_000
TARGET = 500.0
"""Answers a second from the call to the last stored result, one process on SQLite."""

NAMES = ("砚山工坊", "儿童", "预算")
"""New names, one after the other: one that no answer of the pool holds, one in few and one in a third of them."""


def run(options: Options) -> list[Row]:
    """Clean the answers of the pool, each many times over, then anew; raises LeftOut where the pool is not at hand."""
    answers = load_pool(options.data / POOL)
    count = options.size(ANSWERS, 300)
    letters = sum(len(one.text) for one in answers) / len(answers)
    size = f"{count:,} answers of {letters:,.0f} characters, 200 names, one process, SQLite"
    rows = []
    with _cleaned(answers, count) as ws:
        for name in NAMES:
            ws.brands.add_alias(next(iter(BRANDS)), name, force=True)
            share = sum(name in one.text for one in answers) / len(answers)
            rows.append(_redone(ws, f"redo, new name in {share:.1%}", size, target=TARGET))
        rows.append(_redone(ws, "redo of everything, by force", "every answer read again", force=True))
    return rows


def _redone(ws: Workspace, name: str, note: str, *, target: float | None = None, force: bool = False) -> Row:
    """Clean the whole workspace anew and return the figure; the CPU time in its note does not depend on other work."""
    done: list[Redone] = []
    before = process_time()
    wall = seconds(lambda: done.append(ws.cleaning.redo(everything=True, force=force)))
    cpu = process_time() - before
    count = done[0].queued
    assert (done[0].cleaned, done[0].failed, done[0].outstanding) == (count, 0, 0)
    note = f"{cpu / count * 1e3:.2f} ms of CPU each; {note}"
    return Row(name=name, measured=count / wall, unit="answers/s", target=target, note=note)


@contextmanager
def _cleaned(answers: Sequence[Answer], count: int) -> Iterator[Workspace]:
    """Give a workspace with so many cleaned answers, which tracks the brands of the benchmark."""
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder, open_workspace(Path(folder) / "ws") as ws:
        ws.init()
        for brand, names in BRANDS.items():
            ws.brands.add(brand, aliases=[name for name in names if name != brand])
        part = Path(folder) / POOL
        with part.open("wb") as file:
            for number in range(count):
                one = answers[number % len(answers)]
                # Each a question of its own: what is the same is known as a repetition and would be left out.
                question = f"{one.question} ({number // len(answers)})"
                row = {"question": question, "answer": one.text, "platform": "qwen", "round": 1}
                file.write(orjson.dumps(row) + b"\n")
        imported = ws.samples.import_file(part, platform="qwen", scene="RECOMMEND", brand=next(iter(BRANDS)))
        assert imported.imported == count
        assert ws.cleaning.run().cleaned == count
        yield ws
