"""Questions with the beginnings of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from answerwatch.store.database import Read
from answerwatch.store.schema.sample import answer_sample
from answerwatch.store.upsert import chunks

_TOLD = (answer_sample.c.sub_task_id, answer_sample.c.question_id, answer_sample.c.query_text)


class Asked(NamedTuple):
    """A question and the beginning of one answer."""

    sub_task_id: str
    question_id: str
    query_text: str
    head: str


def one_each(read: Read, batch_ids: Sequence[str] | None, *, most: int, head: int) -> list[Asked]:
    """Return one valid answer to each question, its first `head` characters; None: of all batches."""
    first = select(func.min(answer_sample.c.sub_task_id).label("id")).where(answer_sample.c.is_valid == 1)
    if batch_ids is not None:
        first = first.where(answer_sample.c.batch_id.in_(batch_ids))
    first = first.group_by(answer_sample.c.question_id).order_by(answer_sample.c.question_id).limit(most)
    return list(_of_ids(read, [row.id for row in read.all(first)], head))


def of_batch(read: Read, batch_id: str, *, head: int) -> Iterator[Asked]:
    """Yield every answer of a batch that is not known to be none, its first `head` characters, by id."""
    ids = select(answer_sample.c.sub_task_id).where(answer_sample.c.batch_id == batch_id)
    ids = ids.where(answer_sample.c.is_valid.is_distinct_from(0)).order_by(answer_sample.c.sub_task_id)
    yield from _of_ids(read, [row.sub_task_id for row in read.all(ids)], head)


def _of_ids(read: Read, ids: Sequence[str], head: int) -> Iterator[Asked]:
    text = func.substr(answer_sample.c.raw_response, 1, head).label("head")
    for part in chunks(ids):
        query = select(*_TOLD, text).where(answer_sample.c.sub_task_id.in_(part))
        yield from (
            Asked(row.sub_task_id, row.question_id, row.query_text, row.head)
            for row in read.all(query.order_by(answer_sample.c.sub_task_id))
        )
