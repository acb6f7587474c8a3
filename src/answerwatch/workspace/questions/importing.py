"""Importing questions: rows are read, compared with the bank, and applied together or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import orjson

from answerwatch.domain.ids import check_key
from answerwatch.domain.questions import LONGEST_ID, LONGEST_QUERY, OTHER, Question, check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.texts import is_blank, storable
from answerwatch.errors import UsageError
from answerwatch.store import questions as bank
from answerwatch.store.database import Read, Write
from answerwatch.workspace.files.columns import read_flag
from answerwatch.workspace.files.row_notes import RowError, RowNote, altered_note, long_cell, missing_cell
from answerwatch.workspace.files.tables import FileRow, clean_cell
from answerwatch.workspace.questions.views import QuestionChange, QuestionRow

_KEYWORD_MARKS = re.compile(r"[,，;；、|\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a set of rows does to the bank."""

    new: tuple[Question, ...]
    changed: tuple[Question, ...]
    reworded: frozenset[str]
    """Ids of changed questions that get a new version."""
    changes: tuple[QuestionChange, ...]
    unchanged: int


def read_row(row: FileRow, mapping: Mapping[str, str], scene: str | None) -> QuestionRow | RowError:
    """Return a row of a file as a question, or what is wrong with it."""
    cells = {field: row.values.get(column) for column, field in mapping.items()}
    try:
        return QuestionRow(
            line=row.line,
            question_id=_text(cells, "question_id"),
            scene_type=_text(cells, "scene_type") or scene,
            query_text=_text(cells, "query_text") or "",
            target_keywords=read_keywords(cells.get("target_keywords")),
            intent_description=_text(cells, "intent_description"),
            is_active=read_flag(cells.get("is_active")),
        )
    except ValueError:
        word = str(cells.get("is_active"))
        message = Said("row_no_flag", f"{word!r} is neither yes nor no", value=word)
        return RowError(line=row.line, column="is_active", reason="bad_value", message=message)


def _text(cells: Mapping[str, object], field: str) -> str | None:
    value = cells.get(field)
    return None if value is None or not clean_cell(str(value)) else clean_cell(str(value))


def read_keywords(value: object) -> tuple[str, ...] | None:
    """Return keywords of a list or of a cell that separates them by comma, semicolon, `、` or `|`; None for none."""
    if isinstance(value, list | tuple):
        return tuple(word for part in value if (word := clean_cell(str(part))))
    if (listed := _json_list(value)) is not None:
        return read_keywords(listed)
    if value is None or not clean_cell(str(value)):
        return None
    return tuple(word for part in _KEYWORD_MARKS.split(str(value)) if (word := clean_cell(part)))


def _json_list(cell: object) -> list[object] | None:
    """Return the list that an export wrote into a cell, where a keyword holds a separator; None for other cells."""
    if not isinstance(cell, str) or not cell.startswith("["):
        return None
    try:
        found = orjson.loads(cell)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, list) else None


def check_rows(rows: Iterable[QuestionRow]) -> tuple[list[QuestionRow], list[RowError]]:
    """Return the rows that can be taken, their texts storable, and what is wrong with the others."""
    good: list[QuestionRow] = []
    errors: list[RowError] = []
    lines: dict[str, int] = {}
    for row in rows:
        fault = _fault(row, lines)
        if fault is None:
            good.append(_storable(row))
            lines |= {row.question_id: row.line} if row.question_id else {}
        else:
            errors.append(fault)
    return good, errors


def _storable(row: QuestionRow) -> QuestionRow:
    """Return the row with texts that every database can hold."""
    words, intent = row.target_keywords, row.intent_description
    return replace(
        row,
        query_text=storable(row.query_text).text,
        scene_type=_scene_of(row),
        target_keywords=None if words is None else tuple(storable(word).text for word in words),
        intent_description=None if intent is None else storable(intent).text,
    )


def altered_rows(rows: Iterable[QuestionRow]) -> list[RowNote]:
    """Return a note on every row whose text cannot be stored as it is."""
    return [altered_note(row.line, found.altered) for row in rows if (found := storable(row.query_text)).altered]


def _scene_of(row: QuestionRow) -> str | None:
    return None if row.scene_type is None else row.scene_type.upper()


def _fault(row: QuestionRow, lines: Mapping[str, int]) -> RowError | None:
    def fault(column: str, reason: str, why: Said) -> RowError:
        return RowError(line=row.line, column=column, reason=reason, message=why)

    if is_blank(row.query_text):
        return fault("query_text", "missing", missing_cell())
    if len(row.query_text) > LONGEST_QUERY:
        return fault("query_text", "too_long", long_cell(len(row.query_text), LONGEST_QUERY))
    if row.question_id is not None and row.question_id in lines:
        id_, line = row.question_id, lines[row.question_id]
        return fault(
            "question_id", "duplicate_id", Said("row_twice", f"{id_} stands in line {line} too", id=id_, line=line)
        )
    try:
        if row.question_id is not None:
            check_key("question_id", row.question_id, longest=LONGEST_ID)
        if row.scene_type is not None:
            check_scene(row.scene_type)
    except UsageError as error:
        return fault(
            "question_id" if error.code.startswith("key_") else "scene_type", "bad_value", Said.of_error(error)
        )
    return None


def make_plan(read: Read, rows: Sequence[QuestionRow], today: datetime) -> Plan:
    """Compare checked rows with the bank; a row without an id finds the question with its text and scene."""
    stored = [one.question for one in bank.find(read, bank.Wanted())]
    by_id = {question.question_id: question for question in stored}
    by_text = {(question.scene_type, question.query_text): question for question in reversed(stored)}
    ids = new_ids(read, today)
    new: dict[str, Question] = {}
    changed: list[Question] = []
    changes: list[QuestionChange] = []
    for row in rows:
        scene = row.scene_type or OTHER
        old = by_id.get(row.question_id) if row.question_id else by_text.get((scene, row.query_text))
        after = after_row(row, old, row.question_id or (old.question_id if old else next(ids)))
        if old is None:
            new[after.question_id] = after
            by_text[after.scene_type, after.query_text] = after
        elif after != old and old.question_id not in new:
            changed.append(after)
        else:
            continue
        changes.append(_change(row.line, old, after))
    reworded = frozenset(
        question.question_id for question in changed if question.version > by_id[question.question_id].version
    )
    return Plan(
        new=tuple(new.values()),
        changed=tuple(changed),
        reworded=reworded,
        changes=tuple(changes),
        unchanged=len(rows) - len(changes),
    )


def after_row(row: QuestionRow, old: Question | None, question_id: str) -> Question:
    """Return the question as the row wants it; what the row leaves out stays."""
    base = old or Question(question_id=question_id, scene_type=OTHER, query_text=row.query_text)
    scene = row.scene_type or base.scene_type
    reworded = old is not None and (scene, row.query_text) != (old.scene_type, old.query_text)
    return Question(
        question_id=question_id,
        scene_type=scene,
        query_text=row.query_text,
        target_keywords=base.target_keywords if row.target_keywords is None else row.target_keywords,
        intent_description=base.intent_description if row.intent_description is None else row.intent_description,
        is_active=base.is_active if row.is_active is None else row.is_active,
        version=base.version + 1 if reworded else base.version,
    )


def _change(line: int, old: Question | None, after: Question) -> QuestionChange:
    kind = "new" if old is None else "new_version" if after.version > old.version else "changed"
    before = old.query_text if old is not None and old.query_text != after.query_text else None
    return QuestionChange(
        line=line,
        question_id=after.question_id,
        kind=kind,
        scene_type=after.scene_type,
        query_text=after.query_text,
        before=before,
    )


def new_ids(read: Read, today: datetime) -> Iterator[str]:
    """Yield free ids `QYYYYMMDD_NNN`."""
    prefix = f"Q{today:%Y%m%d}_"
    numbers = [id_.removeprefix(prefix) for id_ in bank.taken_ids(read, prefix)]
    number = max((int(text) for text in numbers if text.isascii() and text.isdigit()), default=0)
    while True:
        number += 1
        yield f"{prefix}{number:03d}"


def apply_plan(tx: Write, plan: Plan, *, by: str, now: datetime) -> None:
    """Store what a plan found."""
    bank.add(tx, plan.new, by=by, now=now)
    bank.change(tx, plan.changed, reworded=plan.reworded, by=by, now=now)
