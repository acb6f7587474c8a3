"""Results of one answer from two generations, side by side, a page of answers at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from operator import itemgetter
from typing import Any

from sqlalchemy import Select, Table, select

from answerwatch.domain.answers import Figures
from answerwatch.store.database import Read
from answerwatch.store.schema.clean import (
    brand_result,
    brand_result_history,
    clean_result,
    clean_result_history,
)
from answerwatch.store.schema.sample import OF_SAMPLE, answer_sample
from answerwatch.store.upsert import chunks

Values = dict[str, Any]
"""One row by the names of its columns."""

ASKED = ("question_id", "round", *OF_SAMPLE)
"""Columns of `answer_sample` that figures need beside those of results."""
PAGE = 250
"""Answers that are compared at a time: bounds the memory, with all that was found in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which answers, and which generations of them."""

    batch_ids: Sequence[str] | None = None
    """None: of every batch."""
    older: int | None = None
    """None: of each answer the newest generation below the newer one."""
    newer: int | None = None
    """None: of each answer the current one."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results of one answer."""

    asked: Values
    """Question and round of the answer, and what figures count of its sample."""
    before: Values
    after: Values


def pages(read: Read, wanted: Wanted) -> Iterator[list[Pair]]:
    """Yield answers that were read in both generations, by id; those with one result only are left out."""
    tables = (clean_result,) if wanted.newer is None else (clean_result, clean_result_history)
    source = itemgetter("source_task_id")
    for part in chunks(merge(*(_newer(read, table, wanted) for table in tables), key=source), PAGE):
        after = {row["source_task_id"]: row for row in part}
        before = _older(read, after, wanted)
        asked = _asked(read, list(before))
        yield [Pair(asked[id_], before=before[id_], after=after[id_]) for id_ in after if id_ in before]


def _newer(read: Read, table: Table, wanted: Wanted) -> Iterator[Values]:
    last = ""
    while rows := read.all(_newer_page(table, wanted, last)):
        yield from (row._asdict() for row in rows)
        last = rows[-1].source_task_id


def _newer_page(table: Table, wanted: Wanted, last: str) -> Select[Any]:
    query = select(table).where(table.c.source_task_id > last).order_by(table.c.source_task_id).limit(PAGE)
    if wanted.newer is not None:
        query = query.where(table.c.generation == wanted.newer)
    return query if wanted.batch_ids is None else query.where(table.c.batch_id.in_(wanted.batch_ids))


def _older(read: Read, after: dict[str, Values], wanted: Wanted) -> dict[str, Values]:
    """Return the older result of each answer: it has been replaced, so it is in history."""
    history = clean_result_history
    query = select(history).where(history.c.source_task_id.in_(after)).order_by(history.c.generation)
    if wanted.older is not None:
        query = query.where(history.c.generation == wanted.older)
    return {
        row.source_task_id: row._asdict()
        for row in read.all(query)  # ascending: the last one that is older stays
        if row.generation < after[row.source_task_id]["generation"]
    }


def _asked(read: Read, ids: Sequence[str]) -> dict[str, Values]:
    query = select(answer_sample.c.sub_task_id, *(answer_sample.c[name] for name in ASKED))
    rows = read.all(query.where(answer_sample.c.sub_task_id.in_(ids)))
    return {row.sub_task_id: {name: getattr(row, name) for name in ASKED} for row in rows}


def brand_figures(read: Read, task_ids: Sequence[str], brand_name: str) -> dict[str, Figures]:
    """Return the figures of one brand in the results of some tasks, by task, current ones and older ones."""
    found: dict[str, Figures] = {}
    for table in (brand_result, brand_result_history):
        for part in chunks(task_ids):
            mine = table.c.clean_task_id.in_(part) & (table.c.brand_name == brand_name)
            query = select(table.c.clean_task_id, *(table.c[name] for name in Figures._fields)).where(mine)
            found |= {row.clean_task_id: Figures(*row[1:]) for row in read.all(query)}
    return found
