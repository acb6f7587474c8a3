"""Similarity jobs with `use`, whole and from memory, beside the encoder alone in the same number of processes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from sqlalchemy import func, select

from answerwatch.scorers.processes import Processes
from answerwatch.scorers.use import encode
from answerwatch.similarity.products import best, product
from answerwatch.similarity.scorer import Floats
from answerwatch.similarity.scores import VECTOR_PRECISION, packed
from answerwatch.store.schema.similarity import similarity_block
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.similarity.views import JobRequest, ListSource
from benchmarks.frame import Better, LeftOut, Options, Row, median_seconds, seconds

NAME = "similarity"
PROCESSES = 2
SCORER = "bench"
LONG = 500
SHORT = 20
TOP = 10


def run(options: Options) -> list[Row]:
    """Score every pair of two lists of long texts, then of short ones."""
    text = _text(options)
    lines = options.size(2_000, 60)
    left, right = _cut(text, lines, LONG, 0), _cut(text, lines, LONG, LONG // 2)
    rows = _long(left, right)
    rows += _products(lines)
    short = _cut(text, 100, SHORT, 0), _cut(text, options.size(1_000, 100), SHORT, 7)
    return rows + _short(*short)


def _text(options: Options) -> str:
    file = options.data / "answers_pool.jsonl"
    if not file.is_file():
        raise LeftOut(f"the texts of {file} are not here")
    lines = file.read_text(encoding="utf-8").splitlines()
    return "".join("".join(json.loads(line)["answer"].split()) for line in lines)


def _cut(text: str, count: int, length: int, offset: int) -> tuple[str, ...]:
    step = (len(text) - length - offset) // count
    return tuple(text[offset + place * step : offset + place * step + length] for place in range(count))


@contextmanager
def _workspace() -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder:
        home = Path(folder) / "workspace"
        with open_workspace(home) as workspace:
            workspace.init()
        (home / "scorers.toml").write_text(f'[{SCORER}]\nkind = "use"\nprocesses = {PROCESSES}\n', encoding="utf-8")
        with open_workspace(home) as workspace:
            workspace.similarity.desk.get(SCORER)
            yield workspace


def _job(workspace: Workspace, left: tuple[str, ...], right: tuple[str, ...]) -> None:
    request = JobRequest(left=ListSource(texts=left), right=ListSource(texts=right), scorer=SCORER)
    job = workspace.similarity.submit(request)
    done = workspace.similarity.run(job.job_id)
    assert done.processed == done.total
    assert not done.failed


def _alone(texts: tuple[str, ...]) -> float:
    """Return the seconds of the encoder alone, its processes started before."""
    processes = Processes(encode, PROCESSES)
    processes.run(texts[:200])
    took = seconds(lambda: processes.run(texts))
    processes.close()
    return took


def _long(left: tuple[str, ...], right: tuple[str, ...]) -> list[Row]:
    pairs = len(left) * len(right)
    alone = _alone((*left, *right))
    with _workspace() as workspace:
        _job(workspace, left[:60], right[:60])  # starts the processes
        whole = seconds(lambda: _job(workspace, left, right))
        again = seconds(lambda: _job(workspace, left, right))
        with workspace.store.reading() as read:
            size = int(read.scalar(select(func.sum(func.length(similarity_block.c.scores)))))
            cells = int(read.scalar(select(func.sum(similarity_block.c.rows * similarity_block.c.cols))))
    note = f"{len(left)} x {len(right)} texts of {LONG} characters, {PROCESSES} processes"
    return [
        Row(name="encoder alone", measured=pairs / alone, unit="pairs/s", note=note),
        Row(name="whole job", measured=pairs / whole, unit="pairs/s", note="submitted, encoded, multiplied, stored"),
        Row(name="whole job", measured=alone / whole, unit="x encoder alone", target=0.85),
        Row(name="the same job again", measured=whole / again, unit="x faster", target=20, note="vectors remembered"),
        Row(name="stored", measured=size / cells, unit="bytes a pair", target=2.1, better=Better.LOWER),
    ]


def _products(lines: int) -> list[Row]:
    """Multiply, take the best of each row and pack, without a model and a database."""
    vectors = np.random.default_rng(1).standard_normal((lines, 512), dtype=np.float32)

    def work() -> bytes:
        scores: Floats = product(vectors, [vectors], lines)
        best(scores, TOP)
        return packed(scores, VECTOR_PRECISION)

    took = median_seconds(work, 3)
    name = f"product, best {TOP} and packing of {lines * lines:,} cells"
    return [Row(name=name, measured=took, unit="s", target=1.0, better=Better.LOWER)]


def _short(left: tuple[str, ...], right: tuple[str, ...]) -> list[Row]:
    alone = _alone((*left, *right))
    with _workspace() as workspace:
        _job(workspace, ("a",), ("b",))
        whole = seconds(lambda: _job(workspace, left, right))
    name = f"{len(left)} x {len(right)} short sentences beyond the encoder alone"
    return [Row(name=name, measured=whole - alone, unit="s", target=2.0, better=Better.LOWER)]
