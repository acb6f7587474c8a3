"""Lines: the grammar of list items in AI answers, of which Markdown sees only a part.

`1. x`, `1、x`, `1．x`, `（1）x`, `**1. x**`, `### 1. x`, `① x`, `一、x`, `第1名：x`, `TOP1 x`, medals, keycaps,
`A. x`, `(b) x`, `II. x`, `方案一：x`, `Option 2: x`, bullets, table rows with outer pipes or without, and items that
run on within one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a line is."""

    BLANK = "blank"
    PROSE = "prose"
    HEADING = "heading"
    TITLE = "title"
    """A line that is bold as a whole: a heading by its looks."""
    NUMBERED = "numbered"
    BULLET = "bullet"
    ROW = "row"
    """A row of a table."""


BLANK, PROSE, HEADING, TITLE, NUMBERED, BULLET, ROW = Kind
"""The members by themselves: Python 3.11 takes longer to find one in its class than to look at a short line."""


class Line(NamedTuple):
    """One line of the raw text; positions are code points."""

    kind: Kind
    start: int
    end: int
    body: int
    """Where the text after the marker starts."""
    indent: int = 0
    level: int = 0
    """Number of `#` of a heading."""
    number: int | None = None
    stated: bool = False
    """The number states a place (第1名, TOP 1, a medal), not only an order of writing."""
    style: str = ""
    """The sort of marker; items of one list share it."""


_HAN = {char: value for value, char in enumerate("〇一二三四五六七八九十")}
_CIRCLED = {
    chr(base + i): i + 1
    for base, count in ((0x2460, 20), (0x2776, 10), (0x2780, 10), (0x278A, 10))
    for i in range(count)
}
_MEDALS = {"🥇": 1, "🥈": 2, "🥉": 3}

_ROMAN = {
    written: value
    for value, written in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"), start=1)
}
_LETTERS = {letter: value for value, letter in enumerate("abcdefgh", start=1)}

_HAN_NUMBER = "[一二三四五六七八九十]{1,3}"
_LETTER = "[A-Ha-h]"
_TURN = rf"\d{{1,2}}|{_HAN_NUMBER}|{_LETTER}(?![A-Za-z])"
_BEHIND_LABEL = r"[ \t]*[*_]{0,3}[ \t]*(?:[:：、.．)）]|[-–—]+[ \t])[ \t]*"
_NUMBERS = (
    ("medal", "", "[🥇🥈🥉]", r"[ \t]*"),
    ("keycap", "", "[0-9]", r"\ufe0f?\u20e3[ \t]*"),
    ("circled", "", "[①-⑳❶-❿➀-➓]", r"[ \t]*[、.．]?[ \t]*"),
    ("place", "第[ ]?", rf"\d{{1,3}}|{_HAN_NUMBER}", r"[ ]?[名位][ \t]*[*_]{0,3}[:：、.．，,—-]?[ \t]*"),
    ("tier", "第[ ]?", rf"\d{{1,2}}|{_HAN_NUMBER}", r"[ ]?(?:梯队|档次?|序列|阵营)[ \t]*[*_]{0,3}[:：—-][ \t]*"),
    ("top", r"(?:[tT][oO][pP]|[nN][oO]\.?|№)[ ]?", r"\d{1,3}", r"(?!\d)[*_]{0,3}[ \t]*[:：、.．)）-]?[ \t]*"),
    ("nth", "", r"\d{1,2}", r"(?:st|nd|rd|th)(?: (?:place|choice|pick))?[*_]{0,3}[ \t]*(?:[:：.)]|[-–—][ \t])[ \t]*"),
    ("ordinal", "第", _HAN_NUMBER, "[，、：:]"),
    ("han", "", _HAN_NUMBER, r"[、.．][ \t]*"),
    ("paren", "[(（]", rf"\d{{1,2}}|{_HAN_NUMBER}", r"[)）][ \t]*"),
    ("arabic", "", r"[0-9]\d{0,2}", r"(?:\\?[.．、)）][*_]{0,3}(?!\d)|[:：](?![\d/]))[ \t]*"),
    ("hash", "#", r"\d{1,2}", r"[*_]{0,3}[ \t:：.-]+"),
    ("letter", "[(（]?", _LETTER, r"(?:[.．](?:[ \t]+(?![A-Za-z][.．])|(?![A-Za-z\d \t]))|[)）、])[ \t]*"),
    ("roman", "", "X|I?[XV]|VI{1,3}|I{1,3}|x|i?[xv]|vi{1,3}|i{1,3}", r"[.．)）、][ \t]+"),
    ("label", "(?:方案|选项|选择|推荐|候选|品牌)[ ]?", _TURN, _BEHIND_LABEL),
    (
        "option",
        "(?:[oO]ption|[pP]ick|[cC]hoice|[aA]lternative|[rR]ecommendation|[cC]andidate)[ ](?:#|[nN]o\\.?[ ]?)?",
        _TURN,
        _BEHIND_LABEL,
    ),
)
"""The sorts of numbers: name, what stands before, the number, what stands behind."""
_NUMBER = "|".join(f"{before}(?P<{sort}>{number}){behind}" for sort, before, number, behind in _NUMBERS)
_NUMBERED = re.compile(_NUMBER)
_MARKED_NUMBER = re.compile(rf"[*_]{{1,3}}(?:{_NUMBER})")
_MARKS = frozenset("*_")
_START = re.compile(
    r"(?P<indent>[ \t\u3000>]*)(?P<hashes>#{1,6}(?=[^#])[ \t]*)?(?P<bullet>[-*+•●○▪◦‣–][ \t]+|[•●▪◦‣·])?"
    rf"(?P<marks>[*_~]{{0,3}})(?:{_NUMBER})?"
)
_MAY_NUMBER = frozenset("第一二三四五六七八九十0123456789tTnN№") | frozenset(_CIRCLED)
"""Letters and digits with which a number may begin."""
_BEHIND_LETTER = frozenset(".．)）、")
_MAY_LABEL = frozenset("方案 选项 选择 推荐 候选 品牌 op pi ch al re ca ii iv vi ix".split())  # noqa: SIM905 - pairs to read
"""The first two letters of labels, and of Roman numbers."""
_TABLE_RULE = re.compile(r"^[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+$", re.MULTILINE)
"""The rule below the header of a table that has no outer pipes."""
_STATED = frozenset({"medal", "place", "nth", "tier", "top", "hash"})
_SAME_SORT = {"top": "place"}
"""Numbers that are written in two ways within one list."""
_EMOJI = re.compile(
    r"[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f946\U0001f94a-\U0001faff\ufe0f\u200d \t]*"
)
_BOLD_WHOLE = re.compile(r"\*\*(?:[^*\n]{1,80})\*\*[ \t]*[:：]?[ \t]*$|__(?:[^_\n]{1,80})__[ \t]*[:：]?[ \t]*$")
_SECOND = re.compile(r"2[.、）)]|②|❷")
_INLINE = re.compile(r"(?:^|[\s：:；;，,。.（(])(?P<n>\d{1,2})[.、）)](?!\d)|(?P<n2>[①-⑳❶-❿])")
_TICKS = frozenset("✅✔☑👉🔹🔸🔷🔶⭐★☆➤▶►📱💡🏆🔥📌")
"""Pictures that models use as bullets; crosses are none, they mark what to stay away from."""
_RULED = frozenset("-*_")
_RULE = re.compile(r"[ \t>]*(?:[-*_][ \t]*){3,}$")

ITEM_LINE = re.compile(
    r"^[ \t\u3000>]*(?:#{1,6}[ \t]*)?(?:[-*+•●▪][ \t]+|[*_]{0,3}(?:\d{1,3}[.．、)）](?!\d)|[①-⑳]"
    r"|[一二三四五六七八九十]{1,3}、|[🥇🥈🥉]"
    r"|[(（]\d{1,2}[)）]|第[\d一二三四五六七八九十]{1,3}[名位]|\|))",
    re.MULTILINE,
)
"""A line that begins like an item or a table row (a quick look without the grammar)."""


def read_lines(text: str) -> Iterator[Line]:
    """Yield every line of `text` with its marker read."""
    start, has_returns = 0, "\r" in text
    rows = frozenset(_open_rows(text)) if "|" in text and "--" in text else frozenset()
    for raw in text.splitlines(keepends=True) if has_returns else text.split("\n"):
        line = raw.rstrip("\r\n")
        if not line:
            yield Line(BLANK, start, start, start)
        elif start in rows:
            indent = len(line) - len(line.lstrip(" \t"))
            yield Line(ROW, start, start + len(line), start + indent, indent, style="row")
        elif _has_second(line):
            yield from _read_all(line, start)
        else:
            yield _read(line, start)
        start += len(raw) if has_returns else len(raw) + 1


def _open_rows(text: str) -> Iterator[int]:
    """Yield where the lines of tables without outer pipes start: the header, the rule, and the rows."""
    last = 0
    for rule in _TABLE_RULE.finditer(text):
        header = text.rfind("\n", last, max(rule.start() - 1, last)) + 1 or last
        if rule.start() <= last or "|" not in text[header : rule.start()] or text.startswith("|", header):
            continue
        yield header
        start = rule.start()
        while start and "|" in text[start : (last := _line_end(text, start))]:
            yield start
            start = last + 1 if last < len(text) else 0


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _has_second(line: str) -> bool:
    """Return whether the number of a second item stands behind other text."""
    if not ("2" in line or "②" in line or "❷" in line):
        return False
    for found in _SECOND.finditer(line):
        before = line[: found.start()].rstrip(" \t")
        if before and not before[-1].isspace():
            return True
    return False


def _read_all(line: str, start: int) -> Iterator[Line]:
    """Yield the line, cut before the items of an enumeration that runs on within it: `推荐：1.华为；2.小米`."""
    last = 0
    for cut in _inline_cuts(line):
        if line[last:cut].strip():
            yield _read(line[last:cut], start + last)
        last = cut
    yield _read(line[last:], start + last)


def _inline_cuts(line: str) -> list[int]:
    """Return where items 1, 2, 3, ... start within a line; empty where they do not follow one another."""
    cuts: list[int] = []
    for found in _INLINE.finditer(line):
        written = found["n"] or found["n2"]
        if number_of(written) == len(cuts) + 1:
            cuts.append(found.end() - len(found[0].lstrip(" \t：:；;，,。.（(")))
    return cuts if len(cuts) > 1 else []


def _read(line: str, start: int) -> Line:
    end = start + len(line)
    bare = line.strip(" \t>\u3000")
    first = bare[:1]
    if not bare or (first in _RULED and not bare.strip("-*_ \t") and _RULE.match(line)):
        return Line(BLANK, start, end, end)
    if first.isalnum() and not _may_number(bare):
        return Line(PROSE, start, end, start + line.index(first), len(line) - len(line.lstrip(" \t")))
    head = _START.match(line)
    assert head is not None  # noqa: S101 - every part of the pattern is optional; tells the type checker
    before, hashes, bullet, marks = head.group("indent", "hashes", "bullet", "marks")
    indent = len(before.expandtabs(4).replace("\u3000", "  ")) if before else 0
    if first == "|":
        return Line(ROW, start, end, start + line.index("|"), indent, style="row")
    text = head.start("marks")
    at, sort, number = _number(line, head)
    level = hashes.count("#") if hashes else 0
    kind = _kind(line, text, heading=bool(level), numbered=number is not None, bullet=bool(bullet))
    style = f"{'#' * level}{bullet.strip() if bullet else ''}{marks if sort else ''}{_SAME_SORT.get(sort, sort)}"
    return Line(kind, start, end, start + at, indent, level, number, sort in _STATED, style)


def _may_number(bare: str) -> bool:
    """Return whether a line that begins with a letter or digit may begin with a number."""
    return bare[0] in _MAY_NUMBER or bare[1:2] in _BEHIND_LETTER or bare[:2].lower() in _MAY_LABEL


def _kind(line: str, at: int, *, heading: bool, numbered: bool, bullet: bool) -> Kind:
    """Return what the line is whose text starts at `at`, behind a marker of one of these sorts or of none."""
    if heading:
        return HEADING
    if numbered:
        return NUMBERED
    if bullet:
        return BULLET
    if line[at : at + 1] in _TICKS:
        return TITLE if _BOLD_WHOLE.match(line, _after_emoji(line, at)) else BULLET
    return TITLE if line.startswith(("**", "__"), at) and _BOLD_WHOLE.match(line, at) else PROSE


def _number(line: str, head: re.Match[str]) -> tuple[int, str, int | None]:
    """Read the number behind the marks, or behind pictures there; return where the text starts, its sort and itself."""
    marked, found = head.end("marks"), head
    if head.end() == marked:
        place = _after_emoji(line, marked)
        if place == marked:
            return head.start("marks"), "", None
        after = _NUMBERED.match(line, place) or (
            _MARKED_NUMBER.match(line, place) if line[place : place + 1] in _MARKS else None
        )
        if after is None:
            return place, "", None
        found = after
    sort = found.lastgroup or ""
    return found.end(), sort, number_of(found[sort])


def _after_emoji(line: str, at: int) -> int:
    """Return the position after pictures at `at`; most lines begin with none."""
    first = line[at : at + 1]
    if first < "\u2190" or "\u3000" <= first <= "\uf8ff":
        return at
    found = _EMOJI.match(line, at)
    return found.end() if found else at


def number_of(text: str) -> int:
    """Return the number that a marker writes: `3`, `十二`, `③`, `C`, `iv` or a medal."""
    if text in _MEDALS:
        return _MEDALS[text]
    if text in _CIRCLED:
        return _CIRCLED[text]
    if text.isdigit():
        return int(text)
    if text.isascii():
        small = text.lower()
        return _LETTERS.get(small) or _ROMAN[small]
    tens, found, ones = text.rpartition("十")
    if not found:
        return _HAN[text[0]]
    return (_HAN[tens[0]] if tens else 1) * 10 + (_HAN[ones[0]] if ones else 0)
