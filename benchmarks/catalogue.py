"""All benchmarks by name, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from benchmarks import (
    batch_creation,
    carriers,
    claim_cost,
    cleaning,
    cleaning_processes,
    collection,
    cross_encoder,
    exporting,
    figures,
    history,
    hostile_answers,
    importing,
    lanes,
    ledger,
    many_workers,
    question_bank,
    reading,
    redo,
    similarity,
    slots,
)
from benchmarks.frame import Options, Row

Run = Callable[[Options], list[Row]]

BENCHMARKS = MappingProxyType[str, Run](
    {
        batch_creation.NAME: batch_creation.run,
        collection.NAME: collection.run,
        reading.NAME: reading.run,
        cleaning.NAME: cleaning.run,
        figures.NAME: figures.run,
        exporting.NAME: exporting.run,
        ledger.NAME: ledger.run,
        claim_cost.NAME: claim_cost.run,
        lanes.NAME: lanes.run,
        slots.NAME: slots.run,
        many_workers.NAME: many_workers.run,
        carriers.NAME: carriers.run,
        cleaning_processes.NAME: cleaning_processes.run,
        history.NAME: history.run,
        hostile_answers.NAME: hostile_answers.run,
        redo.NAME: redo.run,
        importing.NAME: importing.run,
        question_bank.NAME: question_bank.run,
        similarity.NAME: similarity.run,
        cross_encoder.NAME: cross_encoder.run,
    }
)
