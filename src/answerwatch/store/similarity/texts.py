"""Distinct texts of jobs, which line holds which, and lines without one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Row, func, select

from answerwatch.domain.similarity import Side
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.similarity import similarity_error as error
from answerwatch.store.schema.similarity import similarity_lines as lines
from answerwatch.store.schema.similarity import similarity_text as text
from answerwatch.store.upsert import chunks, insert_new

AT_ONCE = 5_000
"""Rows that are written together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One distinct text of a job."""

    text_no: int
    side: Side
    line: int
    text_hash: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineError:
    """Why a line, or a pair of a file, has no score or not that of the whole text."""

    side: str
    """`left`, `right` or `pair`."""
    line: int
    reason: str
    message: str


def add(tx: Write, job_id: str, texts: Iterable[Text]) -> None:
    """Write the texts of a job."""
    rows = (
        {
            "job_id": job_id, "side": one.side, "text_no": one.text_no, "line": one.line, "text_hash": one.text_hash,
            "text": one.text,
        }
        for one in texts
    )  # fmt: skip
    while part := list(islice(rows, AT_ONCE)):
        tx.insert(text, part)


def span(read: Read, job_id: str, first: int, count: int) -> list[Text]:
    """Return texts by their numbers, ascending."""
    query = select(text.c.text_no, text.c.side, text.c.line, text.c.text_hash, text.c.text).where(
        text.c.job_id == job_id, text.c.text_no >= first, text.c.text_no < first + count
    )
    return sorted((_text(row) for row in read.all(query)), key=lambda one: one.text_no)


def some(read: Read, job_id: str, numbers: Sequence[int]) -> dict[int, Text]:
    """Return texts by their numbers."""
    found = {}
    query = select(text.c.text_no, text.c.side, text.c.line, text.c.text_hash, text.c.text)
    for part in chunks(sorted(set(numbers))):
        for row in read.all(query.where(text.c.job_id == job_id, text.c.text_no.in_(part))):
            found[row.text_no] = _text(row)
    return found


def _text(row: Row[Any]) -> Text:
    return Text(text_no=row.text_no, side=Side(row.side), line=row.line, text_hash=row.text_hash, text=row.text)


def add_lines(tx: Write, job_id: str, side: str, parts: Iterable[tuple[int, bytes]]) -> None:
    """Write which text each line holds, in parts that begin with a line."""
    for first, numbers in parts:
        tx.insert(lines, [{"job_id": job_id, "side": side, "first": first, "numbers": numbers}])


def lines_of(read: Read, job_id: str, side: str) -> bytes:
    """Return the text numbers of every line of a list, as int32."""
    query = select(lines.c.numbers).where(lines.c.job_id == job_id, lines.c.side == side).order_by(lines.c.first)
    return b"".join(row.numbers for row in read.all(query))


def add_errors(tx: Write, job_id: str, errors: Iterable[LineError]) -> None:
    """Write why lines have no score; one that is told already stays as it is."""
    rows = ({"job_id": job_id, **_values(one)} for one in errors)
    while part := list(islice(rows, AT_ONCE)):
        insert_new(tx, error, part)


def _values(one: LineError) -> Mapping[str, object]:
    return {"side": one.side, "line": one.line, "reason": one.reason, "message": one.message}


def errors(read: Read, job_id: str, *, limit: int | None = None) -> Iterator[LineError]:
    """Yield why lines have no score, by side and line."""
    query = select(error).where(error.c.job_id == job_id).order_by(error.c.side, error.c.line).limit(limit)
    for row in read.stream(query):
        yield LineError(side=row.side, line=row.line, reason=row.reason, message=row.message)


def count_errors(read: Read, job_id: str) -> int:
    """Return how many lines have no score."""
    return int(read.scalar(select(func.count()).select_from(error).where(error.c.job_id == job_id)))
