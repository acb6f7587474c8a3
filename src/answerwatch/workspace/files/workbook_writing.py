"""Workbooks as they are written: every text of a cell comes back as it was given, whatever it looks like.

XlsxWriter escapes what it writes in a way that is not always undone by escaping backwards: of `_x005F_x000D_` it
escapes the first underscore alone, and what is read then is a line end. A text between `<r>` and `</r>` it takes for
markup of its own making. Both are mended in the two places of its sheets through which every text goes; tests write and
read such texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import xlsxwriter  # type: ignore[import-untyped]  # XlsxWriter does not mark its types as such
from xlsxwriter.exceptions import FileCreateError  # type: ignore[import-untyped]  # the same
from xlsxwriter.worksheet import Worksheet  # type: ignore[import-untyped]  # the same

_LOOKS_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


def new_workbook(
    file: Any,  # noqa: ANN401 - whatever takes bytes, also without a way back in it
    scratch: str,
) -> Any:  # noqa: ANN401 - XlsxWriter has no types
    """Return a workbook whose rows, written in their order, lie in the folder `scratch` until it is closed."""
    return _Workbook(file, {"constant_memory": True, "tmpdir": scratch, "nan_inf_to_errors": True})


def close_workbook(book: Any) -> None:  # noqa: ANN401 - XlsxWriter has no types
    """Put everything into the file of a workbook; raises OSError when that cannot be written."""
    try:
        book.close()
    except FileCreateError as error:
        raise error.args[0] from error


def escaped(text: str) -> str:
    """Return a text as a cell has it, with each underscore escaped that would be read as the start of an escape.

    >>> escaped("_x000D_"), escaped("_x005F_x000D_"), escaped("a_b")
    ('_x005F_x000D_', '_x005F_x005F_x005F_x000D_', 'a_b')
    """
    return _LOOKS_ESCAPED.sub("_x005F_", text) if "_x" in text else text


class _Sheet(Worksheet):  # type: ignore[misc]  # XlsxWriter has no types
    """A sheet in which texts stand for themselves; they hold no control characters (`workbook_limits.as_held`)."""

    @staticmethod
    def _escape_control_characters(data: str) -> str:
        return escaped(data)

    def _xml_rich_inline_string(self, string: str, attributes: Sequence[tuple[str, object]] = ()) -> None:
        self._xml_inline_string(string, True, attributes)  # noqa: FBT003 - the library's: blanks are kept


class _Workbook(xlsxwriter.Workbook):  # type: ignore[misc]  # XlsxWriter has no types
    worksheet_class: ClassVar[type] = _Sheet
