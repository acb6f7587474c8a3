"""Validity: whether a text is an answer, and if not, why."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from typing import NamedTuple

from answerwatch.domain.answers import stopped_at_limit, stopped_by_filter
from answerwatch.domain.clean_states import InvalidReason
from answerwatch.domain.relevance import Fit, Relevance
from answerwatch.reading.cues import POSITIVE
from answerwatch.reading.fold import INVISIBLE, lower
from answerwatch.reading.lines import ITEM_LINE
from answerwatch.reading.patterns import has_any
from answerwatch.reading.phrases import (
    ASKS_BACK,
    ASKS_FIRST,
    ERROR_PAGE,
    FILLER,
    FILTER_NOTICE,
    MAY_REFUSE,
    NOTHING,
    NOTICES,
    OPEN_COLON,
    OPINION,
    PROMISE,
    REFUSAL,
    SMALL_LIMIT,
    TURN,
    WANTS_TO_KNOW,
)
from answerwatch.reading.records import Answer, Match, Verdict
from answerwatch.reading.thinking import Thinking

SUBSTANCE = 400
"""Characters beside a refusal that make the text an answer with a limit instead."""
_LATIN_WEIGHT = 3
"""Latin letters that say as much as one Chinese character."""
_QUESTIONNAIRE = 1000
"""Characters above which a list of questions is no mere asking back."""
_PASSAGE = 16
"""Characters of a passage that an ordinary text does not have twice."""
_SHORT = 240
"""Characters above which a text is no mere remark."""
_EMPTY = re.compile(rf"[\s{INVISIBLE}\x00]+")
_VISIBLE = re.compile(rf"[^\s{INVISIBLE}\x00*_#>`~-]")
_QUOTED = re.compile(r"“[^“”\n]{1,200}”|「[^「」\n]{1,200}」|『[^『』\n]{1,200}』|\"[^\"\n]{1,200}\"|‘[^‘’\n]{1,200}’")
_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")
_MOJIBAKE = re.compile(r"[ÃÂâåæçèéäïð][\x80-\xbf\u0152-\u0178\u2018-\u203a\u20ac\u2122]")
_MOJIBAKE_START = re.compile("[ÃÂâåæçèéäïð]")
_MISREAD = re.compile(r"锟斤拷|烫烫烫|屯屯屯|ï¿½|[锛銆鈥鐨涓鏄鍦浜绗鍙鎴鏈杩鍜傦][^\s。，]")
"""What UTF-8 becomes that is read as GBK, and GBK that is read as UTF-8."""
_MISREAD_SIGNS = ("锟斤拷", "烫烫烫", "屯屯屯", "ï¿½", "锛", "銆", "鈥")
"""One of them stands in every such text: what its commas, full stops and quotation marks have become."""
_UNFINISHED = tuple("，、,：:；;（(-—")
_BLANKS = frozenset(" \n\t\r\u3000")
_FEWEST_KINDS = 6
"""Different characters that a text of any length has."""


class Draft(NamedTuple):
    """A text on trial: the answer, its text without reasoning, and the mentions that would count."""

    answer: Answer
    plain: str
    """The whole text in simple script; mentions are positions in it."""
    body: str
    thinking: Thinking
    mentions: tuple[Match, ...]
    relevance: Relevance | None = None

    @property
    def bare(self) -> str:
        """Return the body without quoted passages."""
        return _QUOTED.sub("", self.body)


Finding = tuple[InvalidReason, str]


def judge(draft: Draft) -> Verdict:
    """Return the verdict on a text; the first check that finds something decides."""
    cut = is_cut(draft)
    for check in CHECKS:
        found = check(draft)
        if found is not None:
            return Verdict(is_valid=False, invalid_reason=found[0], truncated=cut, note=found[1])
    return Verdict(is_valid=True, truncated=cut, suspect=_fit(draft) is Fit.SUSPECT)


def is_cut(draft: Draft) -> bool:
    """Return whether the text stops before its end: the platform says so, or its last line breaks off."""
    answer = draft.answer
    if answer.truncated or stopped_at_limit(answer.finish_reason) or draft.thinking.unclosed:
        return True
    text = draft.body.rstrip(" \t\n*_~`")
    last = text[text.rfind("\n") + 1 :]
    if last.endswith(_UNFINISHED):
        return True
    return len(last) > 30 and last[-1].isalnum() and bool(_SENTENCE_END.search(text, 0, len(text) - 1))


def _filtered(draft: Draft) -> Finding | None:
    answer = draft.answer
    if answer.filtered or stopped_by_filter(answer.finish_reason):
        return InvalidReason.FILTERED, "the platform's content filter"
    return None


def _empty(draft: Draft) -> Finding | None:
    if len(draft.body) > _SHORT and not draft.body.isspace() and _VISIBLE.search(draft.body):
        return None
    left = _EMPTY.sub("", draft.body).strip("*_#>`~-")
    if left and left.lower() not in NOTHING:
        return None
    if draft.thinking.unclosed:
        return InvalidReason.NO_ANSWER, "thinking_unclosed"
    if draft.thinking.spans or draft.answer.truncated or stopped_at_limit(draft.answer.finish_reason):
        return InvalidReason.NO_ANSWER, "only thoughts"
    return InvalidReason.EMPTY, left or "no text"


def _error(draft: Draft) -> Finding | None:
    """Find whole documents that tell of an error: an object of JSON, a page of HTML."""
    text = draft.body.strip()
    if text[:1] in "{[" and (note := _error_object(text)):
        return InvalidReason.ERROR, note
    if ERROR_PAGE.match(text):
        return InvalidReason.ERROR, "an HTML page"
    return None


def _error_object(text: str) -> str | None:
    """Return what an error object says; None where the text is no such object."""
    if len(text) > 20_000:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    keys = {str(key).lower() for key in found}
    if keys & {"error", "errors", "errcode", "err_code", "error_code", "errmsg", "error_msg"}:
        return "an error object"
    told = {key for key, value in found.items() if value not in (None, "", [], {})}
    holds = {str(key).lower() for key in told} & {"data", "result", "choices", "content", "answer"}
    if keys & {"message", "msg"} and keys & {"code", "status"} and not holds:
        return "an error object"
    return None


def _notice(draft: Draft) -> Finding | None:
    """Find texts that say one of the notices and nothing else of worth."""
    text = draft.body.strip()
    for notice in NOTICES:
        found = notice.pattern.search(_QUOTED.sub("", text)) if len(text) <= notice.longest else None
        if found and not _has_advice(draft):
            return notice.reason, found[0].strip()
    return None


def _garbled(draft: Draft) -> Finding | None:
    text = draft.body
    if text.count("\ufffd") > max(2, len(text) // 10):
        return InvalidReason.GARBLED, "replacement characters"
    if _MOJIBAKE_START.search(text) and sum(1 for _ in _MOJIBAKE.finditer(text)) * 20 > len(text):
        return InvalidReason.GARBLED, "wrongly decoded text"
    if has_any(text, _MISREAD_SIGNS) and sum(len(found[0]) for found in _MISREAD.finditer(text)) * 8 > len(text):
        return InvalidReason.GARBLED, "wrongly decoded text"
    if len(text) >= 40 and _is_poor(text[:40]) and _is_poor(text):
        return InvalidReason.GARBLED, "a few characters over and over"
    if len(text) >= 1000 and _repeats_itself(text):
        return InvalidReason.GARBLED, "one phrase over and over"
    return None


def _is_poor(text: str) -> bool:
    """Return whether a text has hardly any different characters."""
    return len(set(text) - _BLANKS) < _FEWEST_KINDS


def _repeats_itself(text: str) -> bool:
    """Return whether a fortieth of the length would hold what the text says.

    Passages here and there that it does not have twice spare the look at the whole.
    """
    part = text[:50_000]
    passages = (part[at : at + _PASSAGE] for at in range(len(part) // 8, len(part) - _PASSAGE, len(part) // 4))
    if all(part.count(passage) < 2 for passage in passages):
        return False
    return len(set(text)) * 12 < len(text) and len(zlib.compress(part.encode("utf-8", "replace"), 1)) * 40 < len(part)


def _refused(draft: Draft) -> Finding | None:
    if _substance(draft.body) > 3 * SUBSTANCE:
        return None  # so much beside any one sentence is an answer, or not to be told from one
    bare = draft.bare
    found = _refusal(bare, named=bool(draft.mentions)) if MAY_REFUSE.search(lower(bare)) else None
    if found is None or _has_advice(draft) or _has_items(draft):
        return None
    start, end = _sentence_of(bare, found)
    after = bare[found.end() : found.end() + 200]
    turn = TURN.search(after)
    if turn and len(after) - turn.end() > 15 and draft.mentions and not REFUSAL.search(after, turn.end()):
        return None
    beside = _substance(bare[:start] + bare[end:])
    return None if beside >= SUBSTANCE else (InvalidReason.REFUSED, found[0].strip())


def _substance(text: str) -> int:
    """Return how much a text says, as characters; plain Latin prose counts for less, a list for all its letters."""
    if not text.isascii() or len(text) <= SUBSTANCE or len(ITEM_LINE.findall(text)) > 1:
        return len(text)
    return len(text) // _LATIN_WEIGHT


def _refusal(bare: str, *, named: bool) -> re.Match[str] | None:
    """Return the first clause that refuses; with a tracked brand `named`, 我不会推荐它 is an opinion about it."""
    notice = FILTER_NOTICE.search(bare)
    if notice:
        return notice
    for found in REFUSAL.finditer(bare):
        opinion = named and OPINION.search(bare, found.start(), found.end() + 60)
        if not opinion and not SMALL_LIMIT.search(bare[found.start() : found.end() + 12]):
            return found
    return None


def _sentence_of(text: str, found: re.Match[str]) -> tuple[int, int]:
    before = [m.end() for m in _SENTENCE_END.finditer(text, max(0, found.start() - 400), found.start())]
    after = _SENTENCE_END.search(text, found.end())
    return (before[-1] if before else max(0, found.start() - 400)), (after.end() if after else len(text))


def _has_advice(draft: Draft) -> bool:
    """Return whether a tracked brand stands in a sentence that puts it forward."""
    text = draft.plain
    for match in draft.mentions[:200]:
        before = re.split(r"[。！？!?\n]", text[max(0, match.match_position - 60) : match.match_position])[-1]
        after = re.split(r"[。！？!?\n]", text[match.end : match.end + 60], maxsplit=1)[0]
        if POSITIVE.search(lower(before + after)) and not REFUSAL.search(
            before + text[match.match_position : match.end] + after
        ):
            return True
    return False


def _has_items(draft: Draft) -> bool:
    """Return whether an item of a list names a tracked brand."""
    text = draft.plain
    starts = (text.rfind("\n", 0, match.match_position) + 1 for match in draft.mentions[:200])
    return any(ITEM_LINE.match(text, start) for start in starts)


def _no_answer(draft: Draft) -> Finding | None:
    text = draft.body.strip()
    if draft.mentions:
        return _puts_off(draft, text)
    asking = _questionnaire(text)
    return asking if asking or len(text) > 300 else _says_nothing(text)


def _says_nothing(text: str) -> Finding | None:
    """Find short texts without a brand that only promise, announce or ask back."""
    if "".join(filter(str.isalnum, text.lower())) in FILLER:
        return InvalidReason.NO_ANSWER, "only a filler"
    if PROMISE.search(text):
        return InvalidReason.NO_ANSWER, "only a promise"
    for announced in OPEN_COLON.finditer(text):
        following = text[announced.end() :].lstrip()
        if not following or (ASKS_BACK.search(following) and not ITEM_LINE.search(following)):
            return InvalidReason.NO_ANSWER, "announces and does not tell"
    wants = WANTS_TO_KNOW.search(text)
    if wants and all(map(ITEM_LINE.match, filter(None, text[wants.end() :].splitlines()))):
        return InvalidReason.NO_ANSWER, "only asks back"
    items = len(ITEM_LINE.findall(text))
    if items < 2 and ASKS_BACK.search(text):
        return InvalidReason.NO_ANSWER, "only asks back"
    return None


def _questionnaire(text: str) -> Finding | None:
    """Find texts that give a list of questions and ask for the answers."""
    if len(text) > _QUESTIONNAIRE or not ASKS_BACK.search(text):
        return None
    items = [line for line in text.splitlines() if ITEM_LINE.match(line)]
    asking = sum(1 for item in items if "?" in item or "？" in item)
    return (InvalidReason.NO_ANSWER, "only asks back") if asking > 1 and asking >= len(items) - 1 else None


def _puts_off(draft: Draft, text: str) -> Finding | None:
    """Find texts that name brands only to ask about them, or to promise that they will be looked at."""
    if len(text) >= _SHORT or _has_advice(draft):
        return None
    if ASKS_FIRST.search(text):
        return InvalidReason.NO_ANSWER, "only asks back"
    return (InvalidReason.NO_ANSWER, "only a promise") if PROMISE.search(text) else None


def _irrelevant(draft: Draft) -> Finding | None:
    if _fit(draft) is not Fit.IRRELEVANT or draft.relevance is None:
        return None
    return InvalidReason.IRRELEVANT, f"relevance {draft.relevance.score:.2f} and no tracked brand"


def _fit(draft: Draft) -> Fit:
    """Return whether the text belongs to its question; one that names a tracked brand does, whatever a scorer says."""
    return Fit.UNKNOWN if draft.relevance is None or draft.mentions else draft.relevance.fit


CHECKS: tuple[Callable[[Draft], Finding | None], ...] = (
    _filtered,
    _empty,
    _error,
    _notice,
    _garbled,
    _refused,
    _no_answer,
    _irrelevant,
)
"""The checks in their order."""
