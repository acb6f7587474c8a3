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
    def of_row(cls, text: str, row: Mapping[str, Any]) -> Self:
        """Return a text that was stored with what `to_row` gave."""
        return cls._made(row["name"], text, row["facts"])

    def to_row(self) -> dict[str, object]:
        """Return name and facts as JSON values, for a place where the text itself is stored beside them."""
        return {"name": self.name, "facts": {key: _plain(fact) for key, fact in self.facts.items()}}

    @classmethod
    def of_error(cls, error: AnswerwatchError) -> Self:
        """Return what an error says, without its full stop: it stands inside another sentence or a table."""
        return cls._made(f"error.{error.code}", error.text.removesuffix("."), error.facts)


def _plain(fact: object) -> object:
    return fact if fact is None or isinstance(fact, int | float) else str(fact)
