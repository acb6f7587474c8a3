"""Whether answers belong to their questions: the score of each, and its rank among the questions of its batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select

from answerwatch.store.database import Read, Write
from answerwatch.store.schema.sample import answer_sample
from answerwatch.store.schema.similarity import answer_relevance
from answerwatch.store.upsert import upsert

Values = dict[str, Any]
"""One row by the names of its columns."""


class NewScore(NamedTuple):
    """What a scorer says of one answer."""

    sub_task_id: str
    scorer_id: str
    score: float | None
    verdict: str


class Ranked(NamedTuple):
    """Where the own question of an answer stands among those of its batch."""

    sub_task_id: str
    scorer_id: str
    score: float | None
    verdict: str
    rank: int
    questions: int


def put(tx: Write, scores: Sequence[NewScore], now: datetime) -> None:
    """Store scores; an answer that had one gets the new one, and keeps no rank by another scorer's vectors."""
    rows = [{**one._asdict(), "rank": None, "questions": None, "judged_at": now} for one in scores]
    _put(tx, rows)


def put_ranks(tx: Write, ranks: Sequence[Ranked], now: datetime) -> None:
    """Store scores with ranks."""
    _put(tx, [{**one._asdict(), "judged_at": now} for one in ranks])


def _put(tx: Write, rows: Sequence[Mapping[str, object]]) -> None:
    update = ("scorer_id", "score", "rank", "questions", "verdict", "judged_at")
    upsert(tx, answer_relevance, rows, key=("sub_task_id",), update=update)


def get(read: Read, sub_task_id: str) -> Values | None:
    """Return what is known of one answer; None where nobody asked."""
    row = read.first(select(answer_relevance).where(answer_relevance.c.sub_task_id == sub_task_id))
    return None if row is None else row._asdict()


def count(read: Read, batch_id: str) -> dict[str, int]:
    """Count the answers of a batch by verdict; those that nobody asked about are left out."""
    query = (
        select(answer_relevance.c.verdict, func.count().label("rows"))
        .join(answer_sample, answer_sample.c.sub_task_id == answer_relevance.c.sub_task_id)
        .where(answer_sample.c.batch_id == batch_id)
        .group_by(answer_relevance.c.verdict)
    )
    return {row.verdict: int(row.rows) for row in read.all(query)}
