"""Samples: raw answers with all that is known about how they were made, their sources, and answers that came late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select, update

from answerwatch.domain.answers import AnswerFacts, Citation, CitationOrigin
from answerwatch.domain.texts import shortened
from answerwatch.store.database import Read, Write
from answerwatch.store.sample import citations
from answerwatch.store.schema.sample import answer_sample, late_sample
from answerwatch.store.schema.sample import citation as citation_table
from answerwatch.store.types import as_flag
from answerwatch.store.upsert import insert_new


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSample(AnswerFacts):
    """One raw answer to be stored; texts must be storable (`domain.texts`), facts are cut to fit."""

    sub_task_id: str
    batch_id: str
    question_id: str
    question_version: int
    brand_name: str
    platform: str
    scene_type: str
    round: int
    query_text: str
    raw_response: str
    response_format: str = "markdown"
    response_length: int
    """Code points."""
    response_time_ms: int | None = None
    raw_data_url: str | None = None
    raw_sha256: str | None = None
    raw_size: int | None = None
    """Bytes of the kept payload."""
    altered_characters: int = 0
    collected_at: datetime
    attempt: int = 1
    model_asked: str | None = None
    parameters: Mapping[str, object] | None = None
    reasoning: str | None = None
    cost: float | None = None
    provenance: object = None
    """JSON."""
    citations: tuple[Citation, ...] = ()
    """Sources named by the platform."""


_NAMES = [field.name for field in fields(NewSample) if field.name != "citations"]

FACT_LENGTHS = {
    field.name: longest
    for field in fields(AnswerFacts)
    if (longest := getattr(answer_sample.c[field.name].type, "length", None)) is not None
}
"""Facts that are text, with the characters that their columns hold."""


def add(tx: Write, samples: Sequence[NewSample]) -> None:
    """Store samples and their sources; a sub-task that has a sample already is an integrity error."""
    tx.insert(answer_sample, [_row(sample) for sample in samples])
    tx.insert(
        citation_table,
        [row for sample in samples for row in citations.rows_of(sample.sub_task_id, sample.citations)],
    )


def _row(sample: NewSample) -> dict[str, object]:
    values = {name: getattr(sample, name) for name in _NAMES}
    values |= {name: shortened(values[name], longest) for name, longest in FACT_LENGTHS.items()}
    row = {name: as_flag(value) if isinstance(value, bool) else value for name, value in values.items()}
    return row | {"is_valid": None, "invalid_reason": None}


def add_linked(tx: Write, linked: Mapping[str, Sequence[Citation]], *, instead_of: Sequence[str] = ()) -> None:
    """Store the sources that the reader found in the texts; samples in `instead_of` lose those found before."""
    if instead_of:
        from_text = citation_table.c.origin == CitationOrigin.TEXT
        tx.run(delete(citation_table).where(citation_table.c.sub_task_id.in_(instead_of), from_text))
    tx.insert(citation_table, [row for id_, found in linked.items() for row in citations.rows_of(id_, found)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the current generation says of a sample."""

    sub_task_id: str
    is_valid: bool | None
    invalid_reason: str | None


_JUDGE = (
    update(answer_sample)
    .where(answer_sample.c.sub_task_id == bindparam("id_"))
    .values(is_valid=bindparam("valid_"), invalid_reason=bindparam("reason_"))
)


def judge(tx: Write, verdicts: Sequence[Verdict]) -> None:
    """Store the current generation's verdicts beside the samples."""
    rows = [
        {"id_": one.sub_task_id, "valid_": as_flag(one.is_valid), "reason_": one.invalid_reason} for one in verdicts
    ]
    if rows:
        tx.run_for_all(_JUDGE, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class LateAnswer:
    """An answer that came after its sub-task had its outcome: evidence, in no figure."""

    sub_task_id: str
    attempt: int
    batch_id: str
    platform: str
    raw_response: str
    raw_data_url: str | None
    raw_sha256: str | None
    http_status: int | None
    received_at: datetime
    why: str


def keep_late(tx: Write, late: Sequence[LateAnswer]) -> None:
    """Store late answers; one that is the sample itself (adopted meanwhile) or is kept already is left out."""
    ids = [one.sub_task_id for one in late]
    query = select(answer_sample.c.sub_task_id, answer_sample.c.attempt).where(answer_sample.c.sub_task_id.in_(ids))
    taken = {(row.sub_task_id, row.attempt) for row in tx.all(query)}
    names = [field.name for field in fields(LateAnswer)]
    rows = [{name: getattr(one, name) for name in names} for one in late if (one.sub_task_id, one.attempt) not in taken]
    insert_new(tx, late_sample, rows)


def owned(read: Read, batch_id: str) -> set[tuple[str, int]]:
    """Return sub-task and attempt of all answers of a batch that rows tell of, late ones too."""
    tables = (answer_sample, late_sample)
    queries = (select(one.c.sub_task_id, one.c.attempt).where(one.c.batch_id == batch_id) for one in tables)
    return {(row.sub_task_id, row.attempt) for query in queries for row in read.all(query)}


def forget_late(tx: Write, taken: Sequence[tuple[str, int]]) -> None:
    """Remove late answers, by sub-task and attempt, that became the samples after all: each answer is kept once."""
    for sub_task_id, attempt in taken:
        tx.run(delete(late_sample).where(late_sample.c.sub_task_id == sub_task_id, late_sample.c.attempt == attempt))


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleText:
    """What cleaning needs of a sample."""

    sub_task_id: str
    batch_id: str
    brand_name: str
    platform: str
    scene_type: str
    query_text: str
    raw_response: str
    response_length: int
    raw_data_url: str | None
    finish_reason: str | None
    truncated: bool
    filtered: bool
    citations: tuple[Citation, ...]
    """Those that the platform named."""


_TEXTS = select(*(answer_sample.c[field.name] for field in fields(SampleText) if field.name != "citations")).where(
    answer_sample.c.sub_task_id.in_(bindparam("ids", expanding=True))
)

_CITED = (
    select(citation_table)
    .where(
        citation_table.c.sub_task_id.in_(bindparam("ids", expanding=True)),
        citation_table.c.origin == CitationOrigin.PLATFORM,
    )
    .order_by(citation_table.c.sub_task_id, citation_table.c.position)
)


def texts(read: Read, sub_task_ids: Sequence[str]) -> dict[str, SampleText]:
    """Return samples by sub-task id, ready for cleaning; unknown ones are left out."""
    cited = _platform_citations(read, sub_task_ids)
    found: dict[str, SampleText] = {}
    for row in read.all(_TEXTS, {"ids": sub_task_ids}):
        values: dict[str, Any] = row._asdict()
        values |= {"truncated": bool(row.truncated), "filtered": bool(row.filtered)}
        found[row.sub_task_id] = SampleText(**values, citations=tuple(cited.get(row.sub_task_id, ())))
    return found


def _platform_citations(read: Read, sub_task_ids: Sequence[str]) -> dict[str, list[Citation]]:
    found: dict[str, list[Citation]] = {}
    for row in read.all(_CITED, {"ids": sub_task_ids}):
        found.setdefault(row.sub_task_id, []).append(citations.of_row(row))
    return found
