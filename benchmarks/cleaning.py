"""Cleaning of real answers: the reader alone and the whole way on SQLite, side by side with a naive cleaner."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import orjson

from answerwatch.reading import Answer, Lexicon, clean
from answerwatch.workspace import Workspace, open_workspace
from benchmarks import naive_cleaner
from benchmarks.frame import LeftOut, Options, Paired, Row, median_seconds, paired, seconds
from benchmarks.names import BRANDS

NAME = "cleaning"
POOL = "answers_pool.jsonl"
TARGET = 300.0
"""Answers a second from the samples to the stored results, one process on SQLite."""


def run(options: Options) -> list[Row]:
    """Clean the pool of real answers with 200 names; raises LeftOut where the pool is not at hand."""
    path = options.data / POOL
    answers = load_pool(path)[: options.size(731, 100)]
    read, naive = partial(_read_all, answers, Lexicon.of(BRANDS)), partial(_read_naively, answers)
    assert read() > 0
    alone = paired(read, naive, options.size(7, 1))
    return [*_reader_rows(answers, alone), *_whole_way_rows(path, answers, naive, rounds=options.size(3, 1))]


def load_pool(path: Path) -> list[Answer]:
    """Return the answers of the pool."""
    if not path.is_file():
        raise LeftOut(f"it needs the reference data beside the checkout (../shared/data/{POOL})")
    rows = [orjson.loads(line) for line in path.read_bytes().split(b"\n") if line]
    return [Answer(text=row["answer"], question=row["question"], scene="RECOMMEND") for row in rows]


def _read_all(answers: Sequence[Answer], lexicon: Lexicon) -> int:
    """Return how many answers the reader calls valid."""
    return sum(clean(answer, lexicon=lexicon).verdict.is_valid for answer in answers)


def _read_naively(answers: Sequence[Answer]) -> int:
    """Return how many answers the naive cleaner calls valid."""
    return sum(naive_cleaner.clean(answer.text, BRANDS).valid for answer in answers)


def _reader_rows(answers: Sequence[Answer], measured: Paired) -> list[Row]:
    """Return the figures of the reader alone."""
    letters = sum(len(answer.text) for answer in answers)
    size = f"{len(answers)} answers, {letters / len(answers):,.0f} characters on average, 200 names"
    return [
        Row(name="reader", measured=len(answers) / measured.seconds_a, unit="answers/s", note=size),
        Row(name="reader per 2,000 characters", measured=measured.seconds_a / letters * 2e6, unit="ms"),
        Row(name="naive cleaner", measured=len(answers) / measured.seconds_b, unit="answers/s", note="str.find"),
        Row(name="speed of the reader", measured=measured.ratio, unit="x naive", note="in turn, median of ratios"),
    ]


def _whole_way_rows(path: Path, answers: Sequence[Answer], naive: Callable[[], int], *, rounds: int) -> list[Row]:
    """Return the figures of import and cleaning through the engine: the best of some rounds, for others disturb."""
    taken = [_whole_way(path, answers) for _ in range(rounds)]
    imported, cleaned = min(one[0] for one in taken), min(one[1] for one in taken)
    beside = median_seconds(naive, rounds)
    note = f"{len(answers)} answers through engine and SQLite, one process, best of {rounds}"
    return [
        Row(name="import", measured=len(answers) / imported, unit="answers/s", note=note),
        Row(name="cleaning", measured=len(answers) / cleaned, unit="answers/s", target=TARGET, note=note),
        Row(name="speed of cleaning", measured=beside / cleaned, unit="x naive", note="which stores nothing"),
    ]


def _whole_way(path: Path, answers: Sequence[Answer]) -> tuple[float, float]:
    """Import answers into a new workspace and clean them; return the seconds of both."""
    with _workspace() as ws, tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / POOL
        part.write_bytes(b"\n".join(path.read_bytes().split(b"\n")[: len(answers)]))
        imported = seconds(lambda: ws.samples.import_file(part, platform="qwen", scene="RECOMMEND"))
        cleaned = seconds(ws.cleaning.run)
        states = dict(ws.cleaning.status().states)
        assert states == dict.fromkeys(states, 0) | {"completed": len(answers)}
    return imported, cleaned


@contextmanager
def _workspace() -> Iterator[Workspace]:
    """Give a new workspace that tracks the brands of the benchmark."""
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder, open_workspace(Path(folder)) as ws:
        ws.init()
        for brand, names in BRANDS.items():
            ws.brands.add(brand, aliases=[name for name in names if name != brand])
        yield ws
