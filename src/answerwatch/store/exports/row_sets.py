"""What can be exported: for each kind of rows its tables, its columns in their order, and what narrows it.

To learn which columns an export has, look here for the function of its name (`_results` makes `results`), or into
`docs/data-dictionary.md`, which is made from here. What a column means stands beside it in the schema and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import Column, Table

from answerwatch.store.exports.row_set import RowSet
from answerwatch.store.schema.bank import question_bank
from answerwatch.store.schema.batch import question_usage_log, task_batch
from answerwatch.store.schema.clean import brand_result, clean_result, entity_match_detail
from answerwatch.store.schema.sample import answer_sample, citation


def _named(table: Table, names: str) -> tuple[Column[Any], ...]:
    """Return columns of a table by their names in one text."""
    return tuple(table.c[name] for name in names.split())


def _but(table: Table, *taken: Sequence[Column[Any]]) -> tuple[Column[Any], ...]:
    """Return the columns of a table whose names are not taken already."""
    names = {column.name for columns in taken for column in columns}
    return tuple(column for column in table.columns if column.name not in names)


def _filters(**columns: Column[Any]) -> Mapping[str, Column[Any]]:
    """Return filters by name; the one for `moment` is that of both ends of a time."""
    moment = columns.pop("moment", None)
    ends = {} if moment is None else {"since": moment, "until": moment}
    return MappingProxyType({**columns, **ends})


_ASKED = _named(answer_sample, "batch_id question_id question_version platform scene_type round collected_at")
"""What every row about an answer says of how it was asked."""


def _of_answers(focal: Column[Any], valid: Column[Any] | None = None) -> Mapping[str, Column[Any]]:
    """Return the filters of rows about answers."""
    judged = {} if valid is None else {"valid": valid}
    return _filters(
        batches=answer_sample.c.batch_id, brands=focal, platforms=answer_sample.c.platform,
        scenes=answer_sample.c.scene_type, questions=answer_sample.c.question_id, moment=answer_sample.c.collected_at,
        **judged,
    )  # fmt: skip


def _results() -> RowSet:
    told = (answer_sample.c.sub_task_id, *_ASKED, *_named(answer_sample, "query_text model_served"))
    return RowSet(
        name="results",
        source=clean_result.join(answer_sample, answer_sample.c.sub_task_id == clean_result.c.source_task_id),
        columns=(*told, *_but(clean_result, told, [clean_result.c.source_task_id])),
        order=(answer_sample.c.sub_task_id,),
        narrowed=_of_answers(clean_result.c.brand_name, clean_result.c.is_valid),
    )


def _brand_results() -> RowSet:
    told = (answer_sample.c.sub_task_id, *_ASKED)
    return RowSet(
        name="brand-results",
        source=brand_result.join(answer_sample, answer_sample.c.sub_task_id == brand_result.c.source_task_id),
        columns=(*told, *_but(brand_result, told, [brand_result.c.source_task_id])),
        order=(brand_result.c.clean_task_id, brand_result.c.brand_name),
        narrowed=_of_answers(brand_result.c.brand_name),
    )


def _matches() -> RowSet:
    told = (answer_sample.c.sub_task_id, *_ASKED)
    source = entity_match_detail.join(
        clean_result, clean_result.c.clean_task_id == entity_match_detail.c.clean_task_id
    ).join(answer_sample, answer_sample.c.sub_task_id == clean_result.c.source_task_id)
    return RowSet(
        name="matches",
        source=source,
        columns=(*told, *_but(entity_match_detail, told)),
        order=(entity_match_detail.c.match_id,),
        narrowed=_of_answers(entity_match_detail.c.standard_name, clean_result.c.is_valid),
    )


def _samples() -> RowSet:
    return RowSet(
        name="samples",
        source=answer_sample,
        columns=tuple(answer_sample.columns),
        order=(answer_sample.c.sub_task_id,),
        narrowed=_of_answers(answer_sample.c.brand_name, answer_sample.c.is_valid),
    )


def _citations() -> RowSet:
    told = (answer_sample.c.sub_task_id, *_ASKED, answer_sample.c.brand_name)
    return RowSet(
        name="citations",
        source=citation.join(answer_sample, answer_sample.c.sub_task_id == citation.c.sub_task_id),
        columns=(*told, *_but(citation, told)),
        order=tuple(citation.primary_key.columns),
        narrowed=_of_answers(answer_sample.c.brand_name, answer_sample.c.is_valid),
    )


def _tasks() -> RowSet:
    usage = question_usage_log
    return RowSet(
        name="tasks",
        source=usage.join(task_batch, task_batch.c.batch_id == usage.c.batch_id),
        columns=(*usage.columns, task_batch.c.brand_name),
        order=(usage.c.sub_task_id,),
        narrowed=_filters(
            batches=usage.c.batch_id, brands=task_batch.c.brand_name, platforms=usage.c.platform,
            scenes=usage.c.scene_type, questions=usage.c.question_id, moment=usage.c.created_at,
        ),
    )  # fmt: skip


def _batches() -> RowSet:
    batch = task_batch.c
    return RowSet(
        name="batches",
        source=task_batch,
        columns=tuple(task_batch.columns),
        order=(batch.created_at, batch.batch_id),
        narrowed=_filters(batches=batch.batch_id, brands=batch.brand_name, moment=batch.created_at),
    )


def _questions() -> RowSet:
    question = question_bank.c
    return RowSet(
        name="questions",
        source=question_bank,
        columns=tuple(question_bank.columns),
        order=(question.question_id,),
        narrowed=_filters(questions=question.question_id, scenes=question.scene_type, active=question.is_active),
        flags={"branded": question.query_text},
    )


ROW_SETS: Mapping[str, RowSet] = MappingProxyType(
    {
        made.name: made
        for made in (
            _results(), _brand_results(), _matches(), _samples(), _citations(), _tasks(), _batches(), _questions(),
        )
    }
)  # fmt: skip
"""Everything that can be exported, by name. A new column of a table is exported by itself, a new kind of rows is one
function more."""
