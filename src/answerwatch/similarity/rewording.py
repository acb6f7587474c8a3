"""The same question in other words, made by rule: what a scorer must score high when it is to find duplicates."""

from __future__ import annotations

import re

_FRAMES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"有哪些"), "有什么"),
    (re.compile(r"哪个(?:牌子|品牌)"), "什么品牌"),
    (re.compile(r"怎么样"), "如何"),
    (re.compile(r"怎么(?!样)"), "如何"),
    (re.compile(r"推荐(?!一下)"), "推荐一下"),
    (re.compile(r"\bWhat is\b", re.IGNORECASE), "What's"),
    (re.compile(r"\bWhich\b", re.IGNORECASE), "What"),
    (re.compile(r"\bthe best\b", re.IGNORECASE), "a really good"),
)
"""What asks, and another way of asking the same."""
_ENDINGS = " 。.？?！!"
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def rewordings(question: str) -> tuple[str, ...]:
    """Return other wordings of a question, each once and none of them the question itself.

    They change what asks and leave alone what is asked about: politeness, end marks, interrogatives.
    """
    bare = question.strip().rstrip(_ENDINGS)
    is_chinese = bool(_CHINESE.search(bare))
    polite = f"请问{bare}？" if is_chinese else f"Please tell me: {bare}?"
    framed = bare
    for pattern, other in _FRAMES:
        framed = pattern.sub(other, framed)
    found = dict.fromkeys(
        (bare, polite, framed, f"请问一下，{framed}呢？" if is_chinese else f"Quick question: {framed}?")
    )
    return tuple(one for one in found if one and one != question)
