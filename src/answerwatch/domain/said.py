"""Texts for people that are no errors, and still can be said in every language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self


class Said(str):
    """An English text that knows its `code` in the catalogues (section `said`) and the `facts` that it speaks of.

    It is the text wherever a text is wanted, as in JSON; a fact may be such a text itself.
    """

    __slots__ = ("code", "facts")

    code: str
    facts: Mapping[str, object]

    def __new__(cls, code: str, text: str, /, **facts: object) -> Self:
        """Return the text with its code and facts."""
        made = super().__new__(cls, text)
        made.code = code
        made.facts = facts
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, object]]:
        """Return what a copy is made of."""
        return (self.code, str(self)), dict(self.facts)
