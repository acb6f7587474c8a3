"""Fuzz the reader: real answers cut, spliced and damaged, with whatever texts and Markdown can hold.

    make fuzz SECONDS=600

Every text is read with a lexicon of awkward names. What must hold: no exception, matches that slice to what they say,
and the same result twice. Seeds are printed, so that a fault can be found again; the text of a fault is written beside.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import orjson

from answerwatch.reading import Lexicon, Via, clean

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "tests" / "fixtures"
LONGEST = 20_000
"""Characters of a text: long enough for every structure, short enough for hundreds of texts a second."""

PIECES: Sequence[str] = (
    "**",
    "*",
    "__",
    "`",
    "```",
    "~~~",
    "\n",
    "\n\n",
    "\r\n",
    "\u2028",
    "\t",
    "    ",
    "> ",
    ">>>> ",
    "# ",
    "###### ",
    "- ",
    "* ",
    "1. ",
    "99999999999999999999. ",
    "①",
    "一、",
    "（1）",
    "(a) ",
    "A. ",
    "Top 10",
    "TOP１",
    "第一名：",
    "NO.1",
    "🥇",
    "|",
    "|---|",
    "|:-:|\n",
    "||||",
    "[",
    "](",
    "](http://",
    "https://华为.com/",
    "http://",
    "www.",
    "[1]",
    "[^1]",
    "【1†source】",
    "<div>",
    "</p>",
    "<!--",
    "<think>",
    "</think>",
    "&nbsp;",
    "&#x10FFFF;",
    "\x00",
    "\ufeff",
    "\u200b",
    "\u202e",
    "\u2066",
    "\ud800",
    "\udfff",
    "\U0001f468\u200d\U0001f469",
    "e\u0301",
    "ﬁ",
    "ǅ",
    "İ",
    "ß",
    "Ａ",
    "㍿",
    "—",
    "…",
    "。",
    "？",
    "！",
    "，",
    "、",
    "；",
    "：",
    "“",
    "”",
    "《",
    "》",
    "不推荐",
    "首选",
    "次选",
    "备选",
    "前者",
    "后者",
    "它",
    "没有找到关于",
    "的信息",
    "排名不分先后",
    "除了",
    "以外",
    ">",
    "＞",
    "≥",
    "≈",
    "A > B > C",
    "对不起，我无法",
    "Sorry, I can't",
    "as an AI",
    "华为",
    "HUAWEI",
    "华为云",
    "小米",
    "米",
    "大米",
    "iPhone",
    "Apple's",
    "苹果",
    "C++",
    ".NET",
    "a",
    "问界",
    "赛力斯",
    "参考资料：",
    "Sources:",
    "作为AI",
)
"""What texts are spliced with: marks, names, cues, and characters that fold, join or turn."""

LEXICON: dict[str, list[str]] = {
    "华为": ["华为", "HUAWEI", "鸿蒙"],
    "华为云": ["华为云"],
    "小米": ["小米", "米", "Xiaomi"],
    "苹果": ["苹果", "Apple", "iPhone"],
    "C++": ["C++", "cpp"],
    ".NET": [".NET"],
    "赛力斯": ["赛力斯", "问界", "AITO"],
    "A": ["a"],
    "ﬁn": ["ﬁn"],
    "İst": ["İst"],
}


def texts() -> list[str]:
    """Return real and labelled answers to begin with: those of the repository, and the pool where it lies beside it."""
    files = [*FIXTURES.glob("reading_*.jsonl"), ROOT.parent / "shared" / "data" / "answers_pool.jsonl"]
    found = []
    for file in files:
        if file.is_file():
            found += [orjson.loads(line)["answer"] for line in file.read_bytes().splitlines() if line.strip()]
    return found


def fuzzed(chance: random.Random, seeds: Sequence[str]) -> str:
    """Return a text that is like an answer, and damaged."""
    text = chance.choice(seeds)
    for _ in range(chance.randrange(1, 12)):
        text = chance.choice(WAYS)(chance, text, seeds)[:LONGEST]
    return text


def _splice(chance: random.Random, text: str, _seeds: Sequence[str]) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + "".join(chance.choices(PIECES, k=chance.randrange(1, 8))) + text[at:]


def _repeat(chance: random.Random, text: str, _seeds: Sequence[str]) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(PIECES) * chance.choice((2, 3, 50, 1000)) + text[at:]


def _cut(chance: random.Random, text: str, _seeds: Sequence[str]) -> str:
    start, stop = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    return text[:start] + text[stop:]


def _swap_lines(chance: random.Random, text: str, _seeds: Sequence[str]) -> str:
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


def _join(chance: random.Random, text: str, seeds: Sequence[str]) -> str:
    return text + chance.choice(PIECES) + chance.choice(seeds)


def _damage(chance: random.Random, text: str, _seeds: Sequence[str]) -> str:
    if not text:
        return chr(chance.randrange(0x110000))
    at = chance.randrange(len(text))
    return text[:at] + chr(chance.randrange(0x110000)) + text[at + 1 :]


def _indent(chance: random.Random, text: str, _seeds: Sequence[str]) -> str:
    mark = chance.choice(("  ", "\t", "> ", "- ", "| ", "1. "))
    return "\n".join(mark * chance.randrange(6) + line for line in text.split("\n"))


WAYS: Sequence[Callable[[random.Random, str, Sequence[str]], str]] = (
    _splice, _splice, _splice, _repeat, _cut, _swap_lines, _join, _damage, _indent,
)  # fmt: skip


def fault_of(text: str, lexicon: Lexicon) -> str | None:
    """Return what is wrong with the reading of a text, None when nothing is."""
    try:
        read = clean(text, lexicon=lexicon, question="哪个品牌好？", scene="RECOMMEND")
        again = clean(text, lexicon=lexicon, question="哪个品牌好？", scene="RECOMMEND")
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the fault that is looked for
        return f"{type(error).__name__}: {error}"
    if read != again:
        return "another result the second time"
    matches = () if read.reading is None else read.reading.matches
    for match in matches:
        end = match.match_position + match.match_length
        if not 0 <= match.match_position < end <= len(text):
            return f"{match.match_position}:{end} lies outside of {len(text)} characters"
    taken = sorted(
        (one.match_position, one.match_length) for one in matches if one.is_valid_match and one.via is Via.ALIAS
    )
    for (start, length), (following, _) in pairwise(taken):
        if following < start + length:
            return f"accepted matches at {start} and {following} overlap"
    return None


def run(seconds: float, seed: int, most: int | None = None) -> tuple[int, list[tuple[int, str, str]]]:
    """Read damaged texts for some seconds; return how many, and seed, fault and text of each that was read wrongly."""
    seeds, lexicon = texts(), Lexicon.of(LEXICON, exclude={"苹果": ["苹果汁"]})
    end, count = time.monotonic() + seconds, 0
    faults: list[tuple[int, str, str]] = []
    while time.monotonic() < end and (most is None or count < most):
        text = fuzzed(random.Random(seed + count), seeds)
        fault = fault_of(text, lexicon)
        if fault is not None:
            faults.append((seed + count, fault, text))
        count += 1
    return count, faults


def main() -> None:
    """Run, print, and exit with 1 when anything was read wrongly."""
    parser = argparse.ArgumentParser(description="Fuzz the reader.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None, help="first seed; another one each time when not given")
    parser.add_argument("--write", type=Path, default=None, help="folder for texts that were read wrongly")
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if given.seed is None else given.seed
    count, faults = run(given.seconds, seed)
    print(f"{count} texts read, seeds from {seed}, {len(faults)} faults")
    for number, fault, text in faults[:20]:
        print(f"seed {number}: {fault}")
        if given.write is not None:
            (given.write / f"{number}.txt").write_bytes(text.encode("utf-8", "surrogatepass"))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
