"""Cleaning stored answers anew: real answers with a lexicon that has changed, through engine and SQLite."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import orjson

from answerwatch.reading import Answer
from answerwatch.workspace import Workspace, open_workspace
from benchmarks.cleaning import POOL, load_pool
from benchmarks.frame import Options, Row, seconds
from benchmarks.names import BRANDS

NAME = "redo"
ANSWERS = 100_000
TARGET = 500.0
"""Answers a second from the call to the last stored result, one process on SQLite."""

RARE = "砚山工坊"
"""A new name that no answer of the pool holds: the usual change of a lexicon, which few answers are touched by."""


def run(options: Options) -> list[Row]:
    """Clean the answers of the pool, each many times over, then anew; raises LeftOut where the pool is not at hand."""
    answers = load_pool(options.data / POOL)
    count = options.size(ANSWERS, 300)
    letters = sum(len(one.text) for one in answers) / len(answers)
    note = f"{count:,} answers of {letters:,.0f} characters on average, 200 names, one process, SQLite"
    with _cleaned(answers, count) as ws:
        ws.brands.add_alias(next(iter(BRANDS)), RARE)
        changed = _speed(ws, count)
        read = _speed(ws, count, force=True)
    return [
        Row(name="redo after a new name", measured=changed, unit="answers/s", target=TARGET, note=note),
        Row(name="redo of everything, by force", measured=read, unit="answers/s", note="every answer read again"),
    ]


def _speed(ws: Workspace, count: int, *, force: bool = False) -> float:
    """Return how many answers a second a redo of the whole workspace makes."""

    def redo() -> None:
        done = ws.cleaning.redo(everything=True, force=force)
        assert (done.cleaned, done.failed, done.outstanding) == (count, 0, 0)

    return count / seconds(redo)


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
