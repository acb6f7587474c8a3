"""Texts that a spreadsheet program would take for a formula: guarded when CSV is written, freed when CSV is read.

An answer may begin with `=`, and one that somebody slipped in may call out from the reader's machine. The guard is an
apostrophe in front, the one that people type themselves. A text that begins with apostrophes before such a character
gets one more, so that what is read is always what was written.
"""

from __future__ import annotations

import re

GUARD = "'"
_BLANKS = " \t\r\n\v\f\N{NO-BREAK SPACE}\N{ZERO WIDTH SPACE}\N{IDEOGRAPHIC SPACE}\N{ZERO WIDTH NO-BREAK SPACE}"
_DANGEROUS = "=+@\t\r\n＝＋－＠\N{ZERO WIDTH NO-BREAK SPACE}-"
"""Beginnings of a formula, full-width ones too, and what would be lost at the beginning of a line."""
_FORMULA = re.compile(f"{GUARD}*[{_BLANKS}]*[{_DANGEROUS}]")
FIRST = frozenset(GUARD + _BLANKS + _DANGEROUS)
"""What a guarded text can begin with: most texts need no closer look."""


def guarded(text: str) -> str:
    """Return a text as it can stand in a cell of a CSV file.

    >>> guarded("=1+1"), guarded("-5"), guarded("1-5"), guarded("'=1")
    ("'=1+1", "'-5", '1-5', "''=1")
    """
    return GUARD + text if text[:1] in FIRST and _FORMULA.match(text) else text


def freed(cell: str) -> str:
    """Return the text that a cell of a CSV file stands for.

    >>> freed("'=1+1"), freed("'tis"), freed("=1+1")
    ('=1+1', "'tis", '=1+1')
    """
    return cell[1:] if cell[:1] == GUARD and _FORMULA.match(cell) else cell
