"""Cleaning of real answers: the reader alone, side by side with a naive cleaner."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import orjson

from answerwatch.reading import Answer, Lexicon, clean
from benchmarks import naive_cleaner
from benchmarks.frame import LeftOut, Options, Paired, Row, paired
from benchmarks.names import BRANDS

NAME = "cleaning"


def run(options: Options) -> list[Row]:
    """Clean the pool of real answers with 200 names; raises LeftOut where the pool is not at hand."""
    answers = load_pool(options.data / "answers_pool.jsonl")[: options.size(731, 100)]
    lexicon = Lexicon.of(BRANDS)
    read = partial(_read_all, answers, lexicon)
    naive = partial(_read_naively, answers)
    assert read() > 0
    return _rows(answers, paired(read, naive, options.size(7, 1)))


def load_pool(path: Path) -> list[Answer]:
    """Return the answers of the pool."""
    if not path.is_file():
        raise LeftOut("it needs the reference data beside the checkout (../shared/data/answers_pool.jsonl)")
    rows = [orjson.loads(line) for line in path.read_bytes().split(b"\n") if line]
    return [Answer(text=row["answer"], question=row["question"], scene="RECOMMEND") for row in rows]


def _read_all(answers: list[Answer], lexicon: Lexicon) -> int:
    """Return how many answers the reader calls valid."""
    return sum(clean(answer, lexicon=lexicon).verdict.is_valid for answer in answers)


def _read_naively(answers: list[Answer]) -> int:
    """Return how many answers the naive cleaner calls valid."""
    return sum(naive_cleaner.clean(answer.text, BRANDS).valid for answer in answers)


def _rows(answers: list[Answer], measured: Paired) -> list[Row]:
    """Return the figures."""
    letters = sum(len(answer.text) for answer in answers)
    size = f"{len(answers)} answers, {letters / len(answers):,.0f} characters on average, 200 names"
    return [
        Row(name="reader", measured=len(answers) / measured.seconds_a, unit="answers/s", note=size),
        Row(name="reader per 2,000 characters", measured=measured.seconds_a / letters * 2e6, unit="ms"),
        Row(name="naive cleaner", measured=len(answers) / measured.seconds_b, unit="answers/s", note="str.find"),
        Row(name="speed of the reader", measured=measured.ratio, unit="x naive", note="in turn, median of ratios"),
    ]
