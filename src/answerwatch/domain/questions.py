"""Questions of the bank."""

from __future__ import annotations

from dataclasses import dataclass


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
