"""Questions of the bank."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from answerwatch.errors import UsageError

OTHER = "OTHER"
"""Scene of a question for which nobody names one."""
USUAL_SCENES = ("RECOMMEND", "COMPARE", "EVALUATE", "RISK", OTHER)
"""Scenes that everybody knows; the set is open."""
LONGEST_QUERY = 20_000
"""Characters of a question's text at most."""
LONGEST_ID = 100
"""Characters of a question id at most; sub-task ids hold it beside batch, platform and round."""

_SCENE = re.compile(r"[A-Z0-9_\u4e00-\u9fff-]{1,40}")


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
        text = (
            f"The scene {scene!r} cannot be used; write letters, digits and _, such as RECOMMEND, COMPARE or EVALUATE."
        )
        raise UsageError("scene_bad", text, scene=scene)
    return upper


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
