"""What every benchmark gives and takes: rows with a verdict, options, and comparisons side by side."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Better(StrEnum):
    """Which side of the target is good."""

    HIGHER = "at least"
    LOWER = "at most"


class Verdict(StrEnum):
    """How a figure stands to its target."""

    MET = "met"
    MISSED = "missed"
    OPEN = "-"
    """There is no target; the figure is shown for comparison."""


class LeftOut(Exception):
    """Raised by a benchmark that cannot run here; the message says what it lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure of a benchmark."""

    name: str
    measured: float
    unit: str
    target: float | None = None
    better: Better = Better.HIGHER
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        """Return how the figure stands to its target."""
        if self.target is None:
            return Verdict.OPEN
        good = self.measured >= self.target if self.better is Better.HIGHER else self.measured <= self.target
        return Verdict.MET if good else Verdict.MISSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the benchmarks are run."""

    quick: bool = False
    """Fewer rounds and smaller inputs: shows that everything works, not how fast it is."""
    data: Path = ROOT.parent / "shared" / "data"
    """Folder of the reference data beside the checkout."""

    def size(self, whole: int, quick: int) -> int:
        """Return the size of an input or the number of rounds."""
        return quick if self.quick else whole


@dataclass(frozen=True, slots=True)
class Paired:
    """Two ways of doing the same, measured in turn on the same machine."""

    ratio: float
    """Median over rounds of (seconds of b / seconds of a): above 1, a is the faster one."""
    seconds_a: float
    """Median."""
    seconds_b: float
    """Median."""


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds that one run takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def median_seconds(work: Callable[[], object], rounds: int) -> float:
    """Return the median of several runs, after one that is not counted."""
    work()
    return statistics.median(seconds(work) for _ in range(rounds))


def paired(a: Callable[[], object], b: Callable[[], object], rounds: int) -> Paired:
    """Measure a and b in turn, first one and then the other in front, and return the median of the ratios.

    Load of the machine that lasts longer than a round hits both, so the ratio holds where single figures do not.
    """
    a()
    b()
    pairs = [_pair(a, b, a_first=number % 2 == 0) for number in range(rounds)]
    return Paired(
        statistics.median(second / first for first, second in pairs),
        statistics.median(first for first, _ in pairs),
        statistics.median(second for _, second in pairs),
    )


def _pair(a: Callable[[], object], b: Callable[[], object], *, a_first: bool) -> tuple[float, float]:
    """Return the seconds of a and of b, run in the wanted order."""
    if a_first:
        return seconds(a), seconds(b)
    second = seconds(b)
    return seconds(a), second
