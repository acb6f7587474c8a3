"""What comes out of an evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from answerwatch.figures.accuracy.records import Accuracy, Measure, Miss, Scored
from answerwatch.workspace.files.row_notes import RowError


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The text around a place in an answer."""

    before: str
    """At most 50 characters; an ellipsis in front where more text stands before them."""
    at: str
    """What stands at the place itself; '' where there is no place, and the excerpt is the beginning of the answer."""
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MissShown:
    """One thing that the reader got wrong, with the text around it."""

    line: int
    """Of the labelled row in its file."""
    miss: Miss
    excerpt: Excerpt
    error: str | None = None
    """What stopped the reader; None where it only was wrong."""


ShowMiss = Callable[[MissShown], None]
"""Takes what was wrong, as it is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The least that a measure is asked to be."""

    measure: Measure
    value: float
    """From 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortfall:
    """A measure that is below its floor."""

    measure: Measure
    value: float | None
    """None: nothing was to be scored, so that nobody can say it is reached."""
    floor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The accuracy of the reader on the rows of one file; nothing is measured where a row is wrong."""

    file: Path
    reader_version: str
    measures: tuple[Accuracy, ...] = ()
    """In the order of `Measure`; empty where rows are wrong."""
    scored: Scored | None = None
    misses: int = 0
    """Things that were wrong."""
    shortfalls: tuple[Shortfall, ...] = ()
    predictions: Path | None = None
    """Where they were written."""
    errors: tuple[RowError, ...] = ()

    def figures(self) -> dict[str, object]:
        """Return every measure by its name, and under `n` how much was scored: what programs compare."""
        scored = None if self.scored is None else asdict(self.scored)
        return {one.measure.value: one.value for one in self.measures} | {"n": scored}

    @property
    def succeeded(self) -> bool:
        """Tell whether everything could be measured and no measure is below its floor."""
        return not self.errors and not self.shortfalls
