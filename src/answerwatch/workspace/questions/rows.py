"""Rows of files, and what callers give, as questions that the bank can hold; or what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from answerwatch.domain.questions import LONGEST_QUERY, check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.texts import is_blank, storable
from answerwatch.errors import UsageError
from answerwatch.workspace.files.cell_faults import Fault, checked_id, is_active, no_text, question_id
from answerwatch.workspace.files.cells import clean_cell
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError, long_cell, missing_cell
from answerwatch.workspace.files.word_lists import cell_words
from answerwatch.workspace.questions.views import QuestionRow


def read_row(row: FileRow, mapping: Mapping[str, str], scene: str | None) -> QuestionRow | RowError:
    """Return a row of a file as a question, or what is wrong with it; `scene` is for rows that name none."""
    cells = {field: row.values.get(column) for column, field in mapping.items()}
    try:
        id_ = question_id(cells.get("question_id"))
        scene = _text(cells, "scene_type", numbers=True) or scene
        text = _text(cells, "query_text") or ""
        intent, words = _text(cells, "intent_description"), read_keywords(cells.get("target_keywords"))
        _check(id_, text, intent or "", words or ())
        query = storable(text)
        return QuestionRow(
            line=row.line,
            question_id=id_,
            scene_type=None if scene is None else _scene(scene),
            query_text=query.text,
            target_keywords=None if words is None else _storable_words(words),
            intent_description=None if intent is None else storable(intent).text,
            is_active=is_active(cells.get("is_active")),
            altered=query.altered,
        )
    except Fault as fault:
        return fault.in_row(row.line, mapping)


def checked(row: QuestionRow) -> QuestionRow:
    """Return a question with texts that every database can hold; raises Fault for the first value that cannot be."""
    query, words, intent = storable(row.query_text), row.target_keywords, row.intent_description
    _check(row.question_id, row.query_text, intent or "", words or ())
    return replace(
        row,
        scene_type=None if row.scene_type is None else _scene(row.scene_type),
        query_text=query.text,
        target_keywords=None if words is None else _storable_words(words),
        intent_description=None if intent is None else storable(intent).text,
        altered=query.altered,
    )


def _check(id_: str | None, text: str, intent: str, words: tuple[str, ...]) -> None:
    if is_blank(text):
        raise Fault("query_text", "missing", missing_cell())
    lengths = ("query_text", len(text)), ("intent_description", len(intent)), ("target_keywords", sum(map(len, words)))
    for field, length in lengths:
        if length > LONGEST_QUERY:
            raise Fault(field, "too_long", long_cell(length, LONGEST_QUERY))
    if id_ is not None:
        checked_id(id_)


_checked_scene = lru_cache(maxsize=256)(check_scene)
"""Rows share their scenes."""


def _scene(scene: str) -> str:
    try:
        return _checked_scene(scene)
    except UsageError as error:
        raise Fault("scene_type", "bad_value", Said.of_error(error)) from error


def _storable_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([storable(word).text for word in words])


def _text(cells: Mapping[str, object], field: str, *, numbers: bool = False) -> str | None:
    """Return the text of a cell, None for an empty one; raises Fault for JSON that is no text."""
    value = cells.get(field)
    if isinstance(value, int) and numbers and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return None
    if not isinstance(value, str):
        raise Fault(field, "bad_value", no_text(value))
    return clean_cell(value) or None


def read_keywords(value: object) -> tuple[str, ...] | None:
    """Return keywords of a list or of a cell (`word_lists`); None for none.

    Raises Fault for what is neither, and for a list that holds something else than texts.
    """
    if isinstance(value, list | tuple):
        for part in value:
            if not isinstance(part, str):
                raise Fault("target_keywords", "bad_value", no_text(part))
        return tuple(word for part in value if (word := clean_cell(part)))
    if value is not None and not isinstance(value, str):
        raise Fault("target_keywords", "bad_value", no_text(value))
    if value is None or not clean_cell(value):
        return None
    return cell_words(value)
