"""Samples as people look at them: lists and single ones with everything that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import bindparam, func, select

from answerwatch.domain.answers import Citation
from answerwatch.store.database import Read
from answerwatch.store.sample.citations import of_row
from answerwatch.store.schema.sample import answer_sample
from answerwatch.store.schema.sample import citation as citation_table
from answerwatch.store.schema.similarity import answer_relevance
from answerwatch.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which samples; what is None does not filter."""

    batch_id: str | None = None
    brand_name: str | None = None
    question_id: str | None = None
    platform: str | None = None
    valid: bool | None = None
    fit: str | None = None
    """Verdict of the relevance scorer."""
    after: str | None = None
    most: int = 50


_LONG = ("raw_response", "reasoning", "query_text", "parameters", "provenance")


Values = dict[str, Any]
"""One sample by the names of its columns."""


def find(read: Read, wanted: Wanted) -> list[Values]:
    """Return samples in id order, without their long texts."""
    columns = [column for column in answer_sample.columns if column.name not in _LONG]
    query = select(*columns).order_by(answer_sample.c.sub_task_id).limit(wanted.most)
    for name in ("batch_id", "brand_name", "question_id", "platform"):
        value = getattr(wanted, name)
        if value is not None:
            query = query.where(answer_sample.c[name] == value)
    if wanted.valid is not None:
        query = query.where(answer_sample.c.is_valid == int(wanted.valid))
    if wanted.fit is not None:
        judged = select(answer_relevance.c.sub_task_id).where(answer_relevance.c.verdict == wanted.fit)
        query = query.where(answer_sample.c.sub_task_id.in_(judged))
    if wanted.after is not None:
        query = query.where(answer_sample.c.sub_task_id > wanted.after)
    return [row._asdict() for row in read.all(query)]


def get(read: Read, sub_task_id: str) -> Values | None:
    """Return one sample with everything, None when it is unknown."""
    row = read.first(select(answer_sample).where(answer_sample.c.sub_task_id == sub_task_id))
    return None if row is None else row._asdict()


def citations(read: Read, sub_task_id: str) -> tuple[Citation, ...]:
    """Return the sources of one sample: the platform's first, then those of the text."""
    query = select(citation_table).where(citation_table.c.sub_task_id == sub_task_id)
    order = (citation_table.c.origin, citation_table.c.kind, citation_table.c.position)
    return tuple(of_row(row) for row in read.all(query.order_by(*order)))


def count(read: Read) -> int:
    """Return how many samples there are."""
    return int(read.scalar(select(func.count()).select_from(answer_sample)))


def count_invalid(read: Read, batch_id: str) -> list[tuple[str, int]]:
    """Count the invalid samples of a batch by reason, the most frequent first."""
    query = (
        select(answer_sample.c.invalid_reason, func.count().label("rows"))
        .where(answer_sample.c.batch_id == batch_id, answer_sample.c.is_valid == 0)
        .group_by(answer_sample.c.invalid_reason)
        .order_by(func.count().desc(), answer_sample.c.invalid_reason)
    )
    return [(row.invalid_reason or "", int(row.rows)) for row in read.all(query)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidSample:
    """What a sample says, to compare a row of an export with it."""

    sub_task_id: str
    brand_name: str
    query_text: str
    raw_response: str


_THESE = answer_sample.c.sub_task_id.in_(bindparam("ids", expanding=True))
_LENGTHS = select(answer_sample.c.sub_task_id, answer_sample.c.response_length).where(_THESE)
_BATCHES = select(answer_sample.c.sub_task_id, answer_sample.c.batch_id, answer_sample.c.brand_name).where(_THESE)
_SAID = select(*(answer_sample.c[field.name] for field in fields(SaidSample))).where(_THESE)


def lengths(read: Read, sub_task_ids: Sequence[str]) -> dict[str, int]:
    """Return the characters of answers by sample; ids that are none are left out."""
    return {
        row.sub_task_id: row.response_length
        for part in chunks(sub_task_ids)
        for row in read.all(_LENGTHS, {"ids": part})
    }


def batches_of(read: Read, sub_task_ids: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the batch of each sample with its focal brand, '' for none; ids that are none are left out."""
    return {
        row.sub_task_id: (row.batch_id, row.brand_name)
        for part in chunks(sub_task_ids)
        for row in read.all(_BATCHES, {"ids": part})
    }


def said(read: Read, sub_task_ids: Sequence[str]) -> list[SaidSample]:
    """Return what samples say; the caller asks for no more than can be held."""
    return [SaidSample(**row._asdict()) for row in read.all(_SAID, {"ids": sub_task_ids})]
