"""Rows of files, and what callers give, as questions that the bank can hold; or what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from answerwatch.domain.ids import check_key
from answerwatch.domain.questions import LONGEST_ID, LONGEST_QUERY, check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short, is_blank, storable
from answerwatch.errors import UsageError
from answerwatch.workspace.files.cells import clean_cell, is_rounded, whole_id
from answerwatch.workspace.files.columns import read_flag
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError, long_cell, missing_cell
from answerwatch.workspace.files.word_lists import cell_words
from answerwatch.workspace.questions.views import QuestionRow

_KINDS = {
    bool: Said("kind_flag", "true or false"),
    list: Said("kind_list", "a list"),
    tuple: Said("kind_list", "a list"),
    dict: Said("kind_record", "a record"),
}
_NUMBER = Said("kind_number", "a number")


class Fault(Exception):
    """What is wrong with one value of a question; `column` is the name of its field."""

    def __init__(self, column: str, reason: str, message: Said) -> None:
        """Keep the field, the stable word for what is wrong, and the sentence on it."""
        super().__init__(message)
        self.column = column
        self.reason = reason
        self.message = message

    def in_row(self, line: int, mapping: Mapping[str, str]) -> RowError:
        """Return the error of the row on a line of a file, which names the column as the file does."""
        column = next((name for name, field in mapping.items() if field == self.column), self.column)
        return RowError(line=line, column=column, reason=self.reason, message=self.message)


def read_row(row: FileRow, mapping: Mapping[str, str], scene: str | None) -> QuestionRow | RowError:
    """Return a row of a file as a question, or what is wrong with it; `scene` is for rows that name none."""
    cells = {field: row.values.get(column) for column, field in mapping.items()}
    try:
        question_id = _id(cells.get("question_id"))
        scene = _text(cells, "scene_type", numbers=True) or scene
        text = _text(cells, "query_text") or ""
        intent, words = _text(cells, "intent_description"), read_keywords(cells.get("target_keywords"))
        _check(question_id, text, intent or "", words or ())
        query = storable(text)
        return QuestionRow(
            line=row.line,
            question_id=question_id,
            scene_type=None if scene is None else _scene(scene),
            query_text=query.text,
            target_keywords=None if words is None else _storable_words(words),
            intent_description=None if intent is None else storable(intent).text,
            is_active=_flag(cells.get("is_active")),
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


def _check(question_id: str | None, text: str, intent: str, words: tuple[str, ...]) -> None:
    if is_blank(text):
        raise Fault("query_text", "missing", missing_cell())
    lengths = ("query_text", len(text)), ("intent_description", len(intent)), ("target_keywords", sum(map(len, words)))
    for field, length in lengths:
        if length > LONGEST_QUERY:
            raise Fault(field, "too_long", long_cell(length, LONGEST_QUERY))
    if question_id is not None:
        try:
            check_key("question_id", question_id, longest=LONGEST_ID)
        except UsageError as error:
            raise Fault("question_id", "bad_value", Said.of_error(error)) from error


_checked_scene = lru_cache(maxsize=256)(check_scene)
"""Rows share their scenes."""


def _scene(scene: str) -> str:
    try:
        return _checked_scene(scene)
    except UsageError as error:
        raise Fault("scene_type", "bad_value", Said.of_error(error)) from error


def _storable_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([storable(word).text for word in words])


def _id(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise _no_text("question_id", value)
    text = clean_cell(str(value))
    if is_rounded(text):
        shown = in_short(text)
        message = Said("row_rounded", f"{shown} was an id; a spreadsheet has rounded it, give ids as text", value=shown)
        raise Fault("question_id", "rounded", message)
    return whole_id(text) or None


def _text(cells: Mapping[str, object], field: str, *, numbers: bool = False) -> str | None:
    """Return the text of a cell, None for an empty one; raises Fault for JSON that is no text."""
    value = cells.get(field)
    if isinstance(value, int) and numbers and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return None
    if not isinstance(value, str):
        raise _no_text(field, value)
    return clean_cell(value) or None


def _no_text(field: str, value: object) -> Fault:
    kind = _KINDS.get(type(value), _NUMBER)
    return Fault(field, "bad_value", Said("row_no_text", f"it is {kind}, not a text", kind=kind))


def _flag(value: object) -> bool | None:
    if isinstance(value, list | dict):
        raise _no_text("is_active", value)
    try:
        return read_flag(value)
    except ValueError as error:
        word = in_short(str(value))
        message = Said("row_no_flag", f"{word!r} is neither yes nor no", value=word)
        raise Fault("is_active", "bad_value", message) from error


def read_keywords(value: object) -> tuple[str, ...] | None:
    """Return keywords of a list or of a cell (`word_lists`); None for none.

    Raises Fault for what is neither, and for a list that holds something else than texts.
    """
    if isinstance(value, list | tuple):
        for part in value:
            if not isinstance(part, str):
                raise _no_text("target_keywords", part)
        return tuple(word for part in value if (word := clean_cell(part)))
    if value is not None and not isinstance(value, str):
        raise _no_text("target_keywords", value)
    if value is None or not clean_cell(value):
        return None
    return cell_words(value)
