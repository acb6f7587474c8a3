"""Tables: the cells of a row, and the columns in which an answer says which rows it would take."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple

from answerwatch.reading.cues import FIRST
from answerwatch.reading.lines import Line
from answerwatch.reading.records import Match
from answerwatch.reading.titles import TURNED_DOWN

_TITLE = re.compile(
    r"(?:是否|值不值得?|要不要|能不能|可否|该不该)?(?:值得|建议|可以)?(?:推荐|购买|入手|买|选|考虑)(?:吗|与否|结论|意见|建议|态度)?[?？]?"
    r"|(?:最终|综合|总体|总的|我的|个人|购买|选购|一句话)?(?:结论|建议|评判|判断|态度|意见|推荐)"
    r"|(?:our |my |final |overall |the )?(?:verdict|take|recommendation|call|advice|conclusion)"
    r"|recommend(?:ed)?(?: (?:it|for us|for you|by us))?\??"
    r"|(?:should (?:you|i|we) )?(?:buy|get)(?: it)?(?: or (?:skip|not|pass))?\??"
    r"|worth (?:it|buying|the money)\??|pick\??"
)
"""The title of a column, or of a row, that tells what the answer would take."""
_MARK_NO = r"❌|✗|✘|✖️?|×|👎|🚫|⛔"
_NO = re.compile(
    rf"(?:{_MARK_NO})?[ ]*(?:否|不(?:太|大|是很|怎么|是)?(?:推荐|建议|值得?|考虑|买|选|要)?"
    r"|暂不(?:推荐|考虑|建议)?|观望|暂缓|放弃|劝退|避[雷坑开]|慎[选买入重]|别[买选碰]|淘汰|排除|落选|等等(?:再说|看)?"
    r"|no|nope|not(?: really| recommended| worth it| yet)?|never|skip(?: it)?|avoid|pass|wait|don't(?: buy)?)"
    r"(?:购买|入手|买|选|考虑|推荐)?[。.！!]*(?:[ ]*[，,；;：:（(—–-].*)?"
    rf"|(?:{_MARK_NO})[ ]*"
)
"""A verdict against, with or without its reason."""
_YES = re.compile(
    r"(?:✅|✔️?|✓|☑️?|👍|🏆|⭐)[ ]*(?!.{0,8}(?:不|not\b))"
    r"|(?:是|可以?|行|(?:强烈|非常|优先|最|很|特别|值得|力)?(?:推荐|荐)|首[选推]|值得?"
    r"|可(?:以)?(?:入手|买|考虑|选|冲)|入手?|买|冲|闭眼[入买])(?![^，。；]{0,2}[吗?？不])"
    r"|(?:yes|buy|get(?: it)?|(?:highly |strongly )?recommended"
    r"|(?:top|best|our) (?:pick|choice|overall|buy)|worth (?:it|buying)|winner)\b"
)
"""The beginning of a verdict for a row."""

_NEED = re.compile(
    r"场景|需求|情况|人群|用途|预算|条件|诉求|目的|(?:如果|若|当)[您你]|if you|situation|needs?\b"
    r"|use case|scenario|who\b|budget|priorit|goal|best for|looking for|want"
)
"""The title of a first column that holds needs, not things."""

Between = Callable[[int, int], tuple[Match, ...]]
"""Gives the mentions between two positions."""


class Pick(NamedTuple):
    """A brand that a table takes in a cell of verdicts."""

    brand: str
    position: int
    first: bool
    """The verdict names the first choice."""


class Row(NamedTuple):
    """What a row below the header says."""

    start: int | None
    """Where the cell starts that the row is about; None where the row is no candidate."""
    picks: tuple[Pick, ...] = ()
    turned_down: tuple[str, ...] = ()
    """Brands that the row turns down."""


class _Cell(NamedTuple):
    start: int
    said: str
    """Its text without marks around it."""
    mentions: tuple[Match, ...]


class Table:
    """A table whose header has been read: which columns hold verdicts, and which brands stand over columns."""

    def __init__(self, text: str, header: Line, between: Between) -> None:
        self._text = text
        self._between = between
        self._above = self._cells(header)
        titles = [cell.said for cell in self._above]
        self._verdicts = tuple(at for at, title in enumerate(titles) if at and _TITLE.fullmatch(title))
        self._by_need = bool(titles) and _NEED.search(titles[0]) is not None

    def read(self, line: Line) -> Row:
        """Return what a row says: of the brand in its first cell with one, or of those in the header."""
        row = self._cells(line)
        if row and _TITLE.fullmatch(row[0].said):
            picks = [
                Pick(match.standard_name, line.start, _is_first(cell.said))
                for above, cell in zip(self._above, row, strict=False)
                if _is_taken(cell.said)
                for match in above.mentions
            ]
            return Row(None, tuple(picks))
        named = next((cell for cell in row[self._by_need :] if cell.mentions), None)
        about = named.mentions if named else ()
        verdicts = [row[at].said for at in takewhile(lambda at: at < len(row), self._verdicts)]
        if any(TURNED_DOWN.fullmatch(cell.said) for cell in row) or any(map(_NO.fullmatch, verdicts)):
            return Row(None, turned_down=tuple(match.standard_name for match in about))
        taken = [said for said in verdicts if _is_taken(said)]
        picks = [Pick(match.standard_name, line.start, _is_first(said)) for said in taken for match in about]
        return Row((named or row[0]).start, tuple(picks))

    def _cells(self, line: Line) -> tuple[_Cell, ...]:
        whole = self._text[line.body : line.end].strip()
        start = line.body + whole.startswith("|")
        found = []
        for cell in whole.removeprefix("|").removesuffix("|").split("|"):
            end = start + len(cell)
            found.append(_Cell(start, cell.strip(" \t*_~`"), self._between(start, end)))
            start = end + 1
        return tuple(found)


def _is_taken(verdict: str) -> bool:
    """Return whether a verdict is for its row."""
    return _NO.fullmatch(verdict) is None and _YES.match(verdict) is not None


def _is_first(verdict: str) -> bool:
    """Return whether a verdict names the first choice."""
    return FIRST.search(verdict) is not None
