"""Values inside a labelled row, each with the place where it stands, so that what is wrong can be pointed at."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Self, TypeVar

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.workspace.files.cell_faults import Fault, needed_kind
from answerwatch.workspace.files.row_notes import missing_cell

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record:
    """One object of a row's JSON and where it stands; its methods raise Fault for what is not as it must be."""

    values: dict[str, object]
    place: str = ""
    """'' for the row itself."""

    def at(self, name: str) -> str:
        """Return the place of a member."""
        return f"{self.place}.{name}" if self.place else name

    def has(self, name: str) -> bool:
        """Tell whether a member is there and not null."""
        return self.values.get(name) is not None

    def refuse(self, name: str, reason: str, message: Said) -> Fault:
        """Return the fault of a member."""
        return Fault(self.at(name), reason, message)

    def text(self, name: str) -> str:
        """Return a text that must be there; it may be empty."""
        return self._needed(name, str)

    def name(self, name: str) -> str:
        """Return a text that must be there and have something in it."""
        text = self.text(name)
        if not text.strip():
            raise self.refuse(name, "missing", missing_cell())
        return text

    def text_or_none(self, name: str) -> str | None:
        """Return a text, None where it is not there."""
        return self.text(name) if self.has(name) else None

    def flag(self, name: str) -> bool:
        """Return a truth value that must be there."""
        return self._needed(name, bool)

    def flag_or_none(self, name: str) -> bool | None:
        """Return a truth value, None where it is not there."""
        return self.flag(name) if self.has(name) else None

    def whole(self, name: str) -> int:
        """Return a whole number that must be there."""
        return self._needed(name, int)

    def whole_or_none(self, name: str) -> int | None:
        """Return a whole number, None where it is not there."""
        return self.whole(name) if self.has(name) else None

    def word(self, name: str, known: Collection[str]) -> str:
        """Return a text that must be one of the known words."""
        return self._known(self.at(name), self.text(name), known)

    def words(self, name: str, known: Collection[str]) -> tuple[str, ...]:
        """Return a list of known words, empty where it is not there."""
        return tuple(self._known(place, of_kind(place, one, str), known) for place, one in self.entries(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty where it is not there."""
        return tuple(of_kind(place, one, str) for place, one in self.entries(name))

    def entries(self, name: str) -> Iterator[tuple[str, object]]:
        """Yield the values of a list with their places, nothing where it is not there."""
        if not self.has(name):
            return
        for number, one in enumerate(self._needed(name, list)):
            yield f"{self.at(name)}[{number}]", one

    def records(self, name: str) -> Iterator[Self]:
        """Yield the objects of a list, nothing where it is not there."""
        for place, one in self.entries(name):
            yield type(self)(of_kind(place, one, dict), place)

    def _needed(self, name: str, wanted: type[T]) -> T:
        if not self.has(name):
            raise self.refuse(name, "missing", missing_cell())
        return of_kind(self.at(name), self.values[name], wanted)

    def _known(self, place: str, word: str, known: Collection[str]) -> str:
        if word not in known:
            told = ", ".join(known)
            text = f"{in_short(word)!r} is none of: {told}"
            raise Fault(place, "bad_value", Said("label_word", text, value=in_short(word), known=told))
        return word


def of_kind(place: str, value: object, wanted: type[T]) -> T:
    """Return a value of the wanted type; raises Fault for another.

    A truth value is no number here, although Python takes it for one.
    """
    if isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool)):
        return value
    name = needed_kind(wanted)
    text = f"{name} is needed here, not {in_short(value)}"
    raise Fault(place, "bad_value", Said("label_kind", text, wanted=name, value=in_short(value)))
