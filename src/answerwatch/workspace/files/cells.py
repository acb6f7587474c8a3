"""Texts of single cells as people and spreadsheet programs leave them."""

from __future__ import annotations

import re

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""Where the bytes of a text begin; programs that join files leave it inside."""
_AROUND = BOM + "\N{ZERO WIDTH SPACE}" + "".join(filter(str.isspace, map(chr, range(0x3001))))
"""Every blank of Unicode, and what has no width."""
_ROUNDED = re.compile(r"[+-]?\d([.,]\d+)?[eE]\+?\d{2,3}")
_EXACT = 2**53
"""Up to here a number with decimals holds every whole number."""
_WHOLE = re.compile(r"(\d+)\.0+")


def clean_cell(cell: str) -> str:
    r"""Return a text without marks and blanks around it, those without a width too.

    >>> clean_cell("\ufeff 编号\u200b\u3000"), clean_cell("\u2003two words\xa0")
    ('编号', 'two words')
    """
    return cell.strip(_AROUND)


def whole_id(text: str) -> str:
    """Return an id without the decimals that a spreadsheet gave it.

    >>> whole_id("20260701.0"), whole_id("v1.0")
    ('20260701', 'v1.0')
    """
    found = _WHOLE.fullmatch(text)
    return found[1] if found else text


def is_rounded(text: str) -> bool:
    """Tell whether an id was taken for a number by a spreadsheet, so that its last digits are lost.

    >>> is_rounded("2.02607E+16"), is_rounded("1E5"), is_rounded("Q20260701"), is_rounded("20260701123456788.0")
    (True, False, False, True)
    """
    whole = _WHOLE.fullmatch(text)
    if whole is not None:
        return len(whole[1]) > len(str(_EXACT)) or int(whole[1]) > _EXACT
    return _ROUNDED.fullmatch(text) is not None
