"""The reader alone: a lexicon of 1,000 names on real answers, what each step costs, and others beside it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from answerwatch.reading import Answer, Lexicon, clean, extract, validate
from answerwatch.reading.advice import advise
from answerwatch.reading.citations import find_citations
from answerwatch.reading.fold import squeeze
from answerwatch.reading.matching import Text, find_matches
from answerwatch.reading.pronouns import resolve_pronouns
from benchmarks import naive_cleaner
from benchmarks.cleaning import POOL, load_pool
from benchmarks.frame import ROOT, Better, Options, Row, median_seconds, paired
from benchmarks.names import BRANDS

NAME = "reading"
NAMES, MOST_NAMES = 1_000, 10_000
FEW_BRANDS = 10
PEER = "GEO_SCOPE_PYTHON"
"""Names an interpreter that has the package geo-scope; without it that row is left out."""
_CHINESE = "美丽新光华东方城海洋金银山河天地龙凤宝通达科技力源生康健乐和平安泰福德信诚"
_ENGLISH = ("nova", "tech", "lab", "soft", "max", "zen", "core", "data", "cloud", "flow", "ly", "mart", "wave", "bio")


def run(options: Options) -> list[Row]:
    """Read the pool; raises LeftOut where it is not at hand."""
    answers = load_pool(options.data / POOL)[: options.size(731, 60)]
    names = many_names(NAMES)
    lexicon, rounds = Lexicon.of(names), options.size(5, 1)
    beside = paired(partial(_read, answers, lexicon), partial(_read_naively, answers, names), rounds)
    letters = sum(len(answer.text) for answer in answers)
    size = f"{len(answers)} answers, {letters / len(answers):,.0f} characters on average, {NAMES:,} names"
    per_2000 = beside.seconds_a / letters * 2e6
    octets = sum(len(answer.text.encode("utf-8", "replace")) for answer in answers)
    return [
        Row(
            name="reader per 2,000 characters", measured=per_2000, unit="ms", target=2.5, better=Better.LOWER, note=size
        ),
        Row(name="reader", measured=octets / beside.seconds_a / 1e6, unit="MB/s", note="UTF-8"),
        Row(name="speed of the reader", measured=beside.ratio, unit="x naive", note="substring search of every name"),
        *_steps(answers, lexicon, rounds, letters),
        Row(
            name=f"lexicon of {MOST_NAMES:,} names",
            measured=median_seconds(partial(Lexicon.of, many_names(MOST_NAMES)), rounds),
            unit="s",
            target=0.5,
            better=Better.LOWER,
        ),
        *_with_few_brands(answers, rounds),
    ]


def many_names(count: int) -> dict[str, tuple[str, ...]]:
    """Return brands with so many names together: well-known ones first, then made-up ones, Chinese and English."""
    found = {brand: tuple(names) for brand, names in BRANDS.items()}
    chance, total = random.Random(1), sum(map(len, found.values()))
    while total < count:
        name = "".join(chance.choices(_CHINESE, k=chance.randint(3, 5)))
        if name not in found:
            found[name] = (name, "".join(chance.choices(_ENGLISH, k=3)).capitalize())
            total += 2
    return found


def _read(answers: Sequence[Answer], lexicon: Lexicon) -> int:
    return sum(clean(answer, lexicon=lexicon).verdict.is_valid for answer in answers)


def _read_naively(answers: Sequence[Answer], names: dict[str, tuple[str, ...]]) -> int:
    return sum(naive_cleaner.clean(answer.text, names).valid for answer in answers)


def _steps(answers: Sequence[Answer], lexicon: Lexicon, rounds: int, letters: int) -> list[Row]:
    """Return what each step costs when it is done alone; the two halves do what they share twice."""
    texts = [Text.of(answer.text, answer.question) for answer in answers]
    found = [find_matches(text, lexicon) for text in texts]
    mentions = [tuple(match for match in one if match.is_valid_match) for one in found]
    both = list(zip(answers, texts, found, mentions, strict=True))
    steps: dict[str, Callable[[], object]] = {
        "folding": lambda: [squeeze(one.text) for one in answers],
        "folding, Markdown and regions": lambda: [Text.of(one.text, one.question) for one in answers],
        "names": lambda: [find_matches(text, lexicon) for text in texts],
        "items, clauses, polarity and rank": lambda: [
            advise(text.plain, valid, which=True) for _, text, _, valid in both
        ],
        "pronouns": lambda: [resolve_pronouns(text.plain, one, text.regions) for _, text, one, _ in both],
        "citations": lambda: [find_citations(one.text, text.regions, one.citations) for one, text, _, _ in both],
        "judging alone": lambda: [validate(one, lexicon) for one in answers],
        "reading alone": lambda: [extract(one, lexicon) for one in answers],
    }
    return [
        Row(name=f"step: {name}", measured=median_seconds(work, rounds) / letters * 2e6, unit="ms/2,000")
        for name, work in steps.items()
    ]


def _with_few_brands(answers: Sequence[Answer], rounds: int) -> list[Row]:
    """Return answers a second with ten brands, and those of the parser of geo-scope in the same run."""
    few = dict(list(BRANDS.items())[:FEW_BRANDS])
    ours = len(answers) / median_seconds(partial(_read, answers, Lexicon.of(few)), rounds)
    rows = [Row(name=f"reader, {FEW_BRANDS} brands", measured=ours, unit="answers/s")]
    interpreter = os.environ.get(PEER)
    if not interpreter:
        return rows
    theirs = len(answers) / _peer_seconds(interpreter, answers, few)
    rows.append(Row(name=f"geo-scope, {FEW_BRANDS} brands", measured=theirs, unit="answers/s", note="its parser alone"))
    rows.append(Row(name="speed of the reader", measured=ours / theirs, unit="x geo-scope"))
    return rows


def _peer_seconds(interpreter: str, answers: Sequence[Answer], few: dict[str, tuple[str, ...]]) -> float:
    lines = "\n".join(json.dumps({"answer": one.text, "question": one.question or ""}) for one in answers)
    with tempfile.TemporaryDirectory() as folder:
        brands = Path(folder) / "brands.json"
        brands.write_text(json.dumps({name: list(names) for name, names in few.items()}), encoding="utf-8")
        command = [interpreter, str(ROOT / "scripts" / "geo_scope_speed.py"), str(brands)]
        done = subprocess.run(command, input=lines.encode(), capture_output=True, check=True)
    return float(done.stdout)
