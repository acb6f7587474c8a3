"""Questions of the bank."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise

from answerwatch.domain.texts import HAN, in_short
from answerwatch.errors import UsageError

OTHER = "OTHER"
"""Scene of a question for which nobody names one."""
USUAL_SCENES = ("RECOMMEND", "COMPARE", "EVALUATE", "RISK", OTHER)
"""Scenes that everybody knows; the set is open."""
LONGEST_QUERY = 20_000
"""Characters of a question's text at most."""
LONGEST_ID = 100
"""Characters of a question id at most; sub-task ids hold it beside batch, platform and round."""

RETIRE, RESTORE = "question.retire", "question.restore"
"""What is done to a question beside its versions, as the audit calls it."""
UNRELATED_BELOW = 0.2
"""Likeness of two texts below which one is no rewording of the other."""

_SCENE = re.compile(r"[A-Z0-9_\u4e00-\u9fff-]{1,40}")
_RUNS = re.compile(rf"([{HAN}]+)|[^\W_{HAN}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One text that is asked; an edit of its text or scene makes a new version."""

    question_id: str
    """Business key, e.g. `Q20260701_001`."""
    scene_type: str
    """Intent class, upper case: RECOMMEND, COMPARE, EVALUATE, RISK, OTHER, ... (open set)."""
    query_text: str
    """What is asked, word for word; nothing is added to it."""
    target_keywords: tuple[str, ...] = ()
    """Words of the category, for relevance."""
    intent_description: str = ""
    is_active: bool = True
    version: int = 1


def check_scene(scene: str) -> str:
    """Return a scene in upper case; raises UsageError when it cannot be one."""
    upper = scene.strip().upper()
    if not _SCENE.fullmatch(upper) or not any(letter.isalnum() for letter in upper):
        shown = in_short(scene)
        text = (
            f"The scene {shown!r} cannot be used; write letters, digits and _, such as RECOMMEND, COMPARE or EVALUATE."
        )
        raise UsageError("scene_bad", text, scene=shown)
    return upper


def id_key(question_id: str) -> str:
    """Return the form in which ids are compared that differ by case or width alone.

    >>> id_key("q001"), id_key("\uff31001")
    ('Q001', 'Q001')
    """
    return question_id.upper() if question_id.isascii() else unicodedata.normalize("NFKC", question_id).upper()


def likeness(one: str, other: str) -> float:
    """Return the share of words and of pairs of neighbouring Chinese characters that two texts have in common.

    1 for the same words whatever their order, 0 where none is shared, also between texts without words.

    >>> likeness("手机哪个好", "哪款手机好"), likeness("Best phone?", "best cheap phone"), likeness("手机", "有何缺点")
    (0.25, 0.8, 0.0)
    """
    first, second = _pieces(one), _pieces(other)
    count = first.total() + second.total()
    return 2 * (first & second).total() / count if count else 0.0


def _pieces(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for run in _RUNS.finditer(text):
        whole = run[0].casefold()
        found.update(map("".join, pairwise(whole)) if run[1] and len(whole) > 1 else [whole])
    return found


STALE_AFTER = timedelta(days=30)
"""Time without an answer after which a question that was asked is left out of new batches."""


class Freshness(StrEnum):
    """What a patrol says of a question."""

    NEVER_ASKED = "never_asked"
    """In no batch yet."""
    FRESH = "fresh"
    """Answered within the time, or too new (or too lately changed) to be judged."""
    STALE = "stale"
    """Asked, and for too long not answered by any platform."""


def freshness(
    now: datetime, *, changed: datetime, first_asked: datetime | None, last_success: datetime | None
) -> Freshness:
    """Return what a patrol says of a question that was changed, first asked and last answered then; None: never.

    An edit or a restoring begins the time anew, so that a question that somebody cares for is not retired at once.
    """
    if first_asked is None:
        return Freshness.NEVER_ASKED
    since = max(changed, last_success or first_asked)
    return Freshness.STALE if now - since > STALE_AFTER else Freshness.FRESH
