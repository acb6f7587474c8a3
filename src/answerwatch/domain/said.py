"""Texts for people that are no errors, and still can be said in every language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from answerwatch.errors import AnswerwatchError


class Said(str):
    """An English text that knows its `name` in the catalogues and the `facts` that it speaks of.

    It is the text wherever a text is wanted, as in JSON; a fact may be such a text itself.
    """

    __slots__ = ("facts", "name")

    name: str
    facts: Mapping[str, object]

    def __new__(cls, code: str, text: str, /, **facts: object) -> Self:
        """Return the text that stands in section `said` as `code`."""
        return cls._made(f"said.{code}", text, facts)

    @classmethod
    def _made(cls, name: str, text: str, facts: Mapping[str, object]) -> Self:
        made = super().__new__(cls, text)
        made.name = name
        made.facts = facts
        return made

    @classmethod
    def word(cls, section: str, word: str) -> Self:
        """Return a word of an open set (a reason, a state) that the catalogues have in a section."""
        return cls._made(f"{section}.{word}", word, {})

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Self:
        """Return what `to_row` made JSON values of."""
        facts = {key: cls.of_row(fact) if isinstance(fact, dict) else fact for key, fact in row["facts"].items()}
        return cls._made(row["name"], row["text"], facts)

    def to_row(self) -> dict[str, object]:
        """Return name, text and facts as JSON values, to be stored."""
        return {"name": self.name, "text": str(self), "facts": {key: _plain(fact) for key, fact in self.facts.items()}}

    @classmethod
    def of_error(cls, error: AnswerwatchError) -> Self:
        """Return what an error says, without its full stop: it stands inside another sentence or a table."""
        return cls._made(f"error.{error.code}", error.text.removesuffix("."), error.facts)


def _plain(fact: object) -> object:
    if isinstance(fact, Said):
        return fact.to_row()
    return fact if fact is None or isinstance(fact, int | float) else str(fact)
