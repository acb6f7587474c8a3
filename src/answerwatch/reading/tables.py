"""Tables: the cells of a row, and the columns in which an answer says which rows it would take."""

from __future__ import annotations

import re

from answerwatch.reading.cues import FIRST, TURNED_DOWN

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


def cells(row: str) -> list[str]:
    """Return the cells of a row without marks around their texts."""
    return [cell.strip(" \t*_~`") for cell in row.strip().strip("|").split("|")]


def verdict_columns(header: list[str]) -> tuple[int, ...]:
    """Return which columns tell what the answer would take; the first column names the things."""
    return tuple(number for number, title in enumerate(header) if number and is_verdict_title(title))


def is_verdict_title(title: str) -> bool:
    """Return whether a title stands over verdicts."""
    return _TITLE.fullmatch(title) is not None


def is_turned_down(row: list[str], columns: tuple[int, ...]) -> bool:
    """Return whether a cell says no more than that its row is not recommended, or a verdict is against it."""
    return any(map(TURNED_DOWN.fullmatch, row)) or any(_NO.fullmatch(row[at]) for at in columns if at < len(row))


def is_taken(verdict: str) -> bool:
    """Return whether a verdict is for its row."""
    return _NO.fullmatch(verdict) is None and _YES.match(verdict) is not None


def is_first(verdict: str) -> bool:
    """Return whether a verdict names the first choice."""
    return FIRST.search(verdict) is not None
