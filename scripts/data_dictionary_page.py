"""Makes `docs/data-dictionary.md` from the tables and views of the store, what stands beside them, and the exports."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Table, UniqueConstraint
from sqlalchemy.types import TypeEngine

from answerwatch.store import schema
from answerwatch.store import types as kinds
from scripts import exports_section

PAGE = Path(__file__).resolve().parent.parent / "docs" / "data-dictionary.md"

SUBJECTS: dict[str, tuple[str, ...]] = {
    "Questions and brands": (
        "question_bank", "question_version", "brand", "brand_alias", "brand_rule", "lexicon_version",
    ),
    "Batches and calls": ("task_batch", "question_usage_log", "call_attempt"),
    "Answers": ("answer_sample", "citation", "imported_answer", "late_sample"),
    "Names suggested for the lexicon": ("name_candidate", "name_candidate_answer", "ignored_name"),
    "Cleaning": (
        "clean_generation", "clean_state", "clean_attempt", "clean_result", "clean_result_history", "brand_result",
        "brand_result_history", "entity_match_detail", "correction",
    ),
    "Similarity jobs": (
        "similarity_job", "similarity_text", "similarity_lines", "similarity_unit", "similarity_block",
        "similarity_rerank", "similarity_error", "similarity_vector", "similarity_score", "scorer_memory",
        "similarity_calibration", "answer_relevance",
    ),
    "What needs a person": ("dead_letter", "api_key", "alert", "audit_event"),
    "The ledger (inside; not for reports)": ("work_group", "work_pile", "work_task", "work_lane", "worker", "mark"),
}  # fmt: skip
"""Order of the tables on the page."""

NAMES: tuple[tuple[TypeEngine[Any], str], ...] = (
    (kinds.Key, "text, 191"),
    (kinds.Word, "text, 64"),
    (kinds.Short, "text, 500"),
    (kinds.LongText, "text"),
    (kinds.Blob, "bytes"),
    (kinds.Micros, "integer, µs"),
    (kinds.Flag, "0 or 1"),
    (kinds.Serial, "integer"),
)
"""What types are called, by identity: one type may look like another."""

HEAD = """\
# Data dictionary

Made by `make docs` from `src/answerwatch/store/schema/`; change the text there. Names of tables and columns are
contract. [queries.md](queries.md) shows how they are asked, [states.md](states.md) what the words in them mean.

- A type `text, 191` holds 191 characters; nothing is ever cut to fit. `moment` is UTC with microseconds, `0 or 1` a
  small integer, `integer, µs` microseconds: a moment since 1970 where the name does not say otherwise.
- NULL is "not known" or "does not apply", never 0; each column that can be NULL says what it means there. Rates are
  computed, never stored.
- *Written by* names the rooms' nouns: `questions`, `brands`, `batches`, `samples` and so on are verbs of people
  (`src/answerwatch/workspace/`), `collect` and `clean` the stages, `engine` the engine.
"""


def render() -> str:
    """Return the page; raises LookupError when a table has no place on it."""
    tables = schema.metadata.tables
    if missing := tables.keys() - {name for names in SUBJECTS.values() for name in names}:
        raise LookupError(f"give {sorted(missing)} a place in SUBJECTS")
    parts = [HEAD]
    for subject, names in SUBJECTS.items():
        parts.append(f"\n## {subject}\n")
        parts += [_table(tables[name], tables.get(name.removesuffix("_history"))) for name in names]
    parts.append("\n## Views\n")
    parts.append(_view(schema.answer_metric))
    parts.append(exports_section.render())
    return "".join(parts)


def _table(table: Table, twin: Table | None) -> str:
    """Return the section of a table; columns that are those of its twin are not told again."""
    facts = f"{table.info['meaning']} Written by: {table.info['written_by']}. {_keys(table)}"
    if twin is not None and twin is not table and _rows(twin) == _rows(table):
        return f"\n### {table.name}\n\n{facts}\nColumns: those of `{twin.name}`.\n"
    return f"\n### {table.name}\n\n{facts}\n\n{_columns(table)}"


def _view(view: Table) -> str:
    query = textwrap.dedent(schema.VIEWS[view.name]).strip()
    return f"\n### {view.name}\n\n{view.info['meaning']}\n\n{_columns(view)}\n```sql\n{query}\n```\n"


def _columns(table: Table) -> str:
    head = "| column | type | meaning |\n|---|---|---|\n"
    return head + "".join(_rows(table))


def _rows(table: Table) -> list[str]:
    return [f"| {column.name} | {_type(column)} | {column.doc} |\n" for column in table.columns]


def _type(column: Column[Any]) -> str:
    for kind, name in NAMES:
        if column.type is kind:
            return name
    if isinstance(column.type, kinds.UtcDateTime):
        return "moment"
    return str(column.type.as_generic()).replace("FLOAT", "number").replace("SMALLINT", "integer").lower()


def _keys(table: Table) -> str:
    """Return what is unique and what is indexed."""
    uniques = [item for item in table.constraints if isinstance(item, UniqueConstraint)]
    found = [f"Key: {_list(table.primary_key.columns)}."]
    found += sorted(f"Unique: {_list(item.columns)}." for item in uniques)
    indexes = sorted(_list(index.columns) for index in table.indexes)
    if indexes:
        found.append(f"Indexes: {'; '.join(indexes)}.")
    return " ".join(found)


def _list(columns: Iterable[Column[Any]]) -> str:
    return ", ".join(column.name for column in columns)
