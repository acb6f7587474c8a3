"""Lists: a table for people, one JSON document for programs, from the same views."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from answerwatch.interfaces.cli.session import Session

V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Generic[V]):
    """How views of one kind stand in a table."""

    columns: tuple[str, ...]
    """Words of the section `column`."""
    row: Callable[[Session, V], Sequence[object]]
    whole: tuple[int, ...] = ()
    """Columns that hold ids and are never folded."""

    def show(self, session: Session, views: Iterable[V], *, as_json: bool, empty: str = "cli.nothing") -> None:
        """Print the views; `empty` names what is said to people when there are none."""
        held = list(views)
        if as_json:
            session.terminal.json(held)
        elif not held:
            session.tell(empty)
        else:
            rows = ([_spoken(session, cell) for cell in self.row(session, view)] for view in held)
            session.terminal.table(session.words("column", self.columns), rows, whole=self.whole)


def _spoken(session: Session, cell: object) -> object:
    return session.say.translated(cell) if isinstance(cell, str) else cell


def show_facts(session: Session, facts: Mapping[str, object]) -> None:
    """Print facts of one thing, a line each; names are words of the section `column`, unknown facts are left out."""
    rows = [(session.word("column", name), value) for name, value in facts.items() if value not in (None, "", (), [])]
    session.terminal.facts(rows)


def yes_no(session: Session, flag: object) -> str:
    """Return a flag (0, 1, None or a truth value) as a word."""
    return session.word("flag", {True: "yes", False: "no"}.get(bool(flag), "") if flag is not None else "unknown")
