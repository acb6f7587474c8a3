"""Questions of the bank."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
