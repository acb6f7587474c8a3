"""What is wrong with single cells of an imported file: every import refuses the same, in the same words."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from answerwatch.domain.ids import check_id
from answerwatch.domain.questions import LONGEST_ID
from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.files.cells import clean_cell, is_rounded, whole_id
from answerwatch.workspace.files.columns import read_flag
from answerwatch.workspace.files.row_notes import RowError

_KINDS: Mapping[type, Said] = {
    bool: Said("value_flag", "true or false"),
    list: Said("value_list", "a list"),
    tuple: Said("value_list", "a list"),
    dict: Said("value_record", "a record"),
}
_NEEDED: Mapping[type, Said] = {
    **_KINDS,
    int: Said("value_whole", "a whole number"),
    str: Said("value_text", "a text"),
}
_NUMBER = Said("value_number", "a number")


class Fault(Exception):
    """What is wrong with one value of a row; `column` is the name of its field.

    In a record of several levels that is its place: `brands[0].mentions[2].end`.
    """

    def __init__(self, column: str, reason: str, message: Said) -> None:
        """Keep the field, the stable word for what is wrong, and the sentence on it."""
        super().__init__(message)
        self.column = column
        self.reason = reason
        self.message = message

    def in_row(self, line: int, mapping: Mapping[str, str]) -> RowError:
        """Return the error of the row on a line of a file, which names the column as the file does.

        `mapping` is column -> field; a field that no column holds goes by its own name.
        """
        column = next((name for name, field in mapping.items() if field == self.column), self.column)
        return RowError(line=line, column=column, reason=self.reason, message=self.message)


def no_text(value: object) -> Said:
    """Return what is said of a value of JSON that is no text."""
    kind = _KINDS.get(type(value), _NUMBER)
    return Said("row_no_text", f"it is {kind}, not a text", kind=kind)


def needed_kind(wanted: type) -> Said:
    """Return what is said of a kind of value of JSON that is needed at some place."""
    return _NEEDED[wanted]


def refuse_endless(field: str, value: object) -> None:
    """Raise Fault for a number that became infinite when it was read, such as 1e400: as a text it would be `inf`."""
    if isinstance(value, float) and not isfinite(value):
        raise Fault(field, "bad_value", Said("value_endless", "it is a number too large to be read"))


def question_id(value: object) -> str | None:
    """Return the question id of a cell, None for an empty one.

    Raises Fault where it cannot be one, and where a spreadsheet has rounded it.
    """
    if value is None:
        return None
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise Fault("question_id", "bad_value", no_text(value))
    refuse_endless("question_id", value)
    text = clean_cell(str(value))
    if is_rounded(text):
        shown = in_short(text)
        if isinstance(value, float):
            message = Said(
                "row_id_number", f"{shown} has more digits than a number keeps; give ids as text", value=shown
            )
            raise Fault("question_id", "rounded", message)
        message = Said("row_rounded", f"{shown} was an id; a spreadsheet has rounded it, give ids as text", value=shown)
        raise Fault("question_id", "rounded", message)
    return checked_id(whole_id(text)) if text else None


def checked_id(text: str) -> str:
    """Return a question id; raises Fault for a text that cannot be one."""
    try:
        return check_id("question_id", text, longest=LONGEST_ID)
    except UsageError as error:
        raise Fault("question_id", "bad_value", Said.of_error(error)) from error


def is_active(value: object) -> bool | None:
    """Return whether a row is in use, as people write yes and no; None for an empty cell.

    Raises Fault for anything else.
    """
    if isinstance(value, list | dict):
        raise Fault("is_active", "bad_value", no_text(value))
    try:
        return read_flag(value)
    except ValueError as error:
        word = in_short(clean_cell(str(value)))
        message = Said("row_no_flag", f"{word!r} is neither yes nor no", value=word)
        raise Fault("is_active", "bad_value", message) from error
