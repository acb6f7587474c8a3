"""Reading texts that are made to be slow: the time must grow as their length does."""

from __future__ import annotations

import time

from answerwatch.reading import Answer, Lexicon, extract, validate
from benchmarks.frame import Better, Options, Row
from benchmarks.hostile_texts import HOSTILE, nested_list

NAME = "hostile_answers"
TIMES = 8
MOST_RATIO = 16.0
"""Eight times the text may take so many times as long: 8 where it grows with the length, 64 with its square."""
DEEPEST = 1_000


def run(options: Options) -> list[Row]:
    """Return the slowest texts, the worst ratio of doubling, and the texts that the product names."""
    length = 5_000 if options.quick else 50_000
    times = {name: (_best(make(length)), _best(make(TIMES * length))) for name, make in HOSTILE.items()}
    ratios = {name: more / once for name, (once, more) in times.items()}
    costs = {name: more / (TIMES * length) for name, (_, more) in times.items()}
    worst, slowest = max(ratios, key=ratios.__getitem__), max(costs, key=costs.__getitem__)
    scale = 100 if options.quick else 1
    return [
        Row(
            name=f"time of {TIMES} times the text, the worst of {len(times)} texts",
            measured=ratios[worst],
            unit="times",
            target=MOST_RATIO,
            better=Better.LOWER,
            note=f"{worst}; {length:,} and {TIMES * length:,} characters",
        ),
        Row(name="the slowest text", measured=costs[slowest] * 1e6, unit="µs/character", note=slowest),
        Row(name="10 MB of **", measured=_seconds("**" * (5_000_000 // scale)), unit="s"),
        Row(name="1 MB of one name", measured=_seconds("华为" * (166_667 // scale)), unit="s"),
        Row(name=f"lists {DEEPEST:,} deep", measured=_seconds(nested_list(DEEPEST)), unit="s"),
    ]


def _best(text: str) -> float:
    """Return the shortest of three times: what else the machine does only adds to it."""
    return min(_seconds(text) for _ in range(3))


def _seconds(text: str) -> float:
    lexicon = Lexicon.of({"华为": ["华为", "HUAWEI"], "小米": ["小米"], "苹果": ["苹果", "Apple"]})
    answer = Answer(text=text, question="推荐什么手机", scene="RECOMMEND")
    began = time.perf_counter()
    validate(answer, lexicon)
    extract(answer, lexicon)  # whatever the verdict: most of these texts say one thing over and over
    return time.perf_counter() - began
