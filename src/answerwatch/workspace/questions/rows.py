"""Rows of files, and what callers give, as questions that the bank can hold; or what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from answerwatch.domain.questions import LONGEST_QUERY, check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.texts import is_blank, storable, unseen
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
        return checked(
            QuestionRow(
                line=row.line,
                question_id=question_id(cells.get("question_id")),
                scene_type=_text(cells, "scene_type", numbers=True) or scene,
                query_text=_text(cells, "query_text") or "",
                target_keywords=read_keywords(cells.get("target_keywords")),
                intent_description=_text(cells, "intent_description"),
                is_active=is_active(cells.get("is_active")),
            )
        )
    except Fault as fault:
        return fault.in_row(row.line, mapping)


def checked(row: QuestionRow) -> QuestionRow:
    """Return a question as the bank holds it, whichever way it comes in.

    Texts lose what cannot be seen around them, so that what looks the same is the same, and what a database cannot hold
    is replaced. Raises Fault for the first value that cannot be.
    """
    query, intent, words = storable(clean_cell(row.query_text)), row.intent_description, row.target_keywords
    intent = None if intent is None else storable(clean_cell(intent)).text
    words = None if words is None else tuple(storable(word).text for part in words if (word := clean_cell(part)))
    _check_texts(query.text, intent or "", words or ())
    return replace(
        row,
        question_id=None if row.question_id is None else checked_id(row.question_id),
        scene_type=None if row.scene_type is None else _scene(row.scene_type),
        query_text=query.text,
        target_keywords=words,
        intent_description=intent,
        altered=query.altered,
    )


def _check_texts(text: str, intent: str, words: tuple[str, ...]) -> None:
    if is_blank(text):
        raise Fault("query_text", "missing", missing_cell())
    lengths = ("query_text", len(text)), ("intent_description", len(intent)), ("target_keywords", sum(map(len, words)))
    for field, length in lengths:
        if length > LONGEST_QUERY:
            raise Fault(field, "too_long", long_cell(length, LONGEST_QUERY))
    for field, value in (
        ("query_text", text),
        ("intent_description", intent),
        *(("target_keywords", w) for w in words),
    ):
        if (place := unseen(value)) is not None:
            raise Fault(field, "unseen", _unseen_sign(value, place))


def _unseen_sign(text: str, place: int) -> Said:
    sign = f"U+{ord(text[place]):04X}"
    told = f"holds a character that nobody sees: {sign}, at position {place + 1}; remove it"
    return Said("row_unseen", told, sign=sign, position=place + 1)


_checked_scene = lru_cache(maxsize=256)(check_scene)
"""Rows share their scenes."""


def _scene(scene: str) -> str:
    try:
        return _checked_scene(clean_cell(scene))
    except UsageError as error:
        raise Fault("scene_type", "bad_value", Said.of_error(error)) from error


def _text(cells: Mapping[str, object], field: str, *, numbers: bool = False) -> str | None:
    """Return the text of a cell as it stands there, None for an empty one; raises Fault for JSON that is no text."""
    value = cells.get(field)
    if isinstance(value, int) and numbers and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return None
    if not isinstance(value, str):
        raise Fault(field, "bad_value", no_text(value))
    return value if clean_cell(value) else None


def read_keywords(value: object) -> tuple[str, ...] | None:
    """Return keywords of a list or of a cell (`word_lists`); None for none.

    Raises Fault for what is neither, and for a list that holds something else than texts.
    """
    if isinstance(value, list | tuple):
        for part in value:
            if not isinstance(part, str):
                raise Fault("target_keywords", "bad_value", no_text(part))
        return tuple(value)
    if value is not None and not isinstance(value, str):
        raise Fault("target_keywords", "bad_value", no_text(value))
    if value is None or not clean_cell(value):
        return None
    return cell_words(value)
