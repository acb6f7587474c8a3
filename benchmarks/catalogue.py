"""All benchmarks by name, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from benchmarks import claim_cost, cleaning, figures, ledger, slots
from benchmarks.frame import Options, Row

Run = Callable[[Options], list[Row]]

BENCHMARKS = MappingProxyType[str, Run](
    {
        cleaning.NAME: cleaning.run,
        figures.NAME: figures.run,
        ledger.NAME: ledger.run,
        claim_cost.NAME: claim_cost.run,
        slots.NAME: slots.run,
    }
)
