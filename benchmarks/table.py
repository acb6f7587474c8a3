"""Figures of a benchmark as a table of plain text."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.frame import Row

HEADINGS = ("figure", "measured", "unit", "target", "verdict", "note")


def render(title: str, rows: Sequence[Row]) -> str:
    """Return the table of one benchmark, columns lined up."""
    lines = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    body = ["  ".join(_pad(cells, widths)).rstrip() for cells in lines]
    return "\n".join(["", title, "-" * len(title), *body])


def number(value: float) -> str:
    """Return a number in the digits that matter: 1,234 12.3 0.0123."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"


def _cells(row: Row) -> tuple[str, ...]:
    """Return the cells of one figure."""
    target = "" if row.target is None else f"{row.better} {number(row.target)}"
    return row.name, number(row.measured), row.unit, target, row.verdict.value, row.note


def _pad(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return the cells in their widths, numbers to the right."""
    return [
        cell.rjust(width) if column == 1 else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
