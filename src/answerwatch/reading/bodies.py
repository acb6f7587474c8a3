"""Bodies of items: a verdict against without a name in its clause speaks of the one that heads the item."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from answerwatch.reading.leaning import AGAINST
from answerwatch.reading.lines import HEADING, TITLE
from answerwatch.reading.lists import Item
from answerwatch.reading.needs import Evidence
from answerwatch.reading.patterns import has_any
from answerwatch.reading.records import Match

_WORDS = ("不推荐", "不建议", "不考虑", "elsewhere", "instead", "skip", "avoid", "pass on", "not recommended")
"""One of them stands in every text with such a verdict."""
_VERDICT = re.compile(
    r"(?<=[，。；！：,;:\n])[ *_]*(?:但是?|所以|因此|总之|故|综合来看)?(?:目前|现阶段|暂时|个人|我|也|并)*"
    r"不(?:太|大)?(?:推荐|建议|考虑)(?:购买|入手|选择|考虑|作为首选|选|买)?[ *_]*(?=[。！；\n]|$)"
    r"|\b(?:look elsewhere|skip (?:it|this one)|not recommended"
    r"|i(?:'d| would) (?:skip|avoid|pass on) (?:it|this one)"
    r"|(?:look at|choose|consider|pick|try|go with) (?:the |one of the )?[a-z ]{3,24} instead)\b"
)
_CLAUSE_START = re.compile(r"[，。；！？,;!?\n]")
_REACH = 160
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def verdicts(text: str, items: list[Item], mentions: tuple[Match, ...]) -> Iterator[Evidence]:
    """Yield what bodies of items with one tracked brand say against it; `text` is in lower case."""
    if not items or not has_any(text, _WORDS):
        return
    for found in _VERDICT.finditer(text):
        index = bisect_right(items, found.start(), key=lambda item: item.start) - 1
        item = _with_a_brand(items[index]) if index >= 0 else None
        if item is None or not _belongs(text, item, items[index], found.start()):
            continue
        if not _names_another(text, found, mentions):
            yield Evidence(brand=item.brands[0], position=found.start(), leaning=AGAINST, group=-1)


def _with_a_brand(item: Item) -> Item | None:
    """Return the item, or the nearest around it, whose head names one brand and nothing else does on the way."""
    here: Item | None = item
    while here is not None and not here.brands:
        here = here.owner.parent
    return here if here is not None and len(here.brands) == 1 else None


def _belongs(text: str, item: Item, nearest: Item, position: int) -> bool:
    """Return whether a position lies in the body of an item: in the paragraph of its last line, or below its title."""
    below = 1 if nearest is item and item.line.kind in {HEADING, TITLE} else 0
    stretch = text[nearest.line.end : min(position, nearest.line.end + 20 * _REACH)]
    return position - nearest.line.end < 20 * _REACH and len(_PARAGRAPH.findall(stretch)) <= below


def _names_another(text: str, found: re.Match[str], mentions: tuple[Match, ...]) -> bool:
    """Return whether a tracked brand stands in the clause of a verdict."""
    starts = [edge.end() for edge in _CLAUSE_START.finditer(text, max(0, found.start() - _REACH), found.start())]
    low = starts[-1] if starts else max(0, found.start() - _REACH)
    index = bisect_left(mentions, low, key=lambda match: match.match_position)
    return index < len(mentions) and mentions[index].match_position < found.end()
