"""Who changes what a workspace keeps, and why: what is written down beside every change."""

from __future__ import annotations

from dataclasses import dataclass

from answerwatch.domain.texts import LONGEST_LINE, shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who makes a change, and why."""

    name: str
    note: str
    """As its column holds it; '' where nobody says why."""


def author(name: str, note: str = "") -> Author:
    """Return an author whose note can be stored."""
    return Author(name=name, note=shortened(note.strip(), LONGEST_LINE) or "")
