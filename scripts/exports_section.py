"""Makes the section on exports of `docs/data-dictionary.md`: which columns each kind of rows has, and their headers."""

from __future__ import annotations

from itertools import groupby

from answerwatch.messages import catalogue
from answerwatch.store.exports.row_set import RowSet
from answerwatch.store.exports.row_sets import ROW_SETS

HEAD = """
## Exports

What `answerwatch export` writes ([exporting.md](exporting.md)). What a column means stands above, with its table.
"""


def render() -> str:
    """Return the section."""
    return HEAD + "".join(map(_row_set, ROW_SETS.values())) + _headers()


def _row_set(rows: RowSet) -> str:
    meaning = catalogue("en")[f"row_set.{rows.name}"]
    parts = [
        f"of `{table}`: {', '.join(str(column.name) for column in columns)}"
        for table, columns in groupby(rows.columns, key=lambda column: column.table.name)
    ]
    parts += [f"worked out when it is written: {name} (from {column.name})" for name, column in rows.flags.items()]
    order = ", ".join(str(column.name) for column in rows.order)
    filters = ", ".join(f"{name} ({column.name})" for name, column in rows.narrowed.items())
    return (
        f"\n### Export {rows.name}\n\nOne row: {meaning}. In the order of {order}. Narrowed by: {filters}.\n\n"
        f"Columns {'; '.join(parts)}.\n"
    )


def _headers() -> str:
    names = sorted({name for rows in ROW_SETS.values() for name in rows.names})
    words = [catalogue(language) for language in ("en", "zh")]
    rows = [f"| {name} | {' | '.join(one[f'exported.{name}'] for one in words)} |\n" for name in names]
    return "\n### Headers in words\n\n| column | English | 中文 |\n|---|---|---|\n" + "".join(rows)
