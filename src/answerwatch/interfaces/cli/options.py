"""Options and arguments that several commands share, so that one word means one thing everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from answerwatch.errors import UsageError

JSON = "--json"
AsJson = Annotated[bool, typer.Option(JSON, help="option.json")]
"""One JSON document on standard output instead of a table."""

BrandName = Annotated[str, typer.Argument(help="option.brand_name")]
SubTaskId = Annotated[str, typer.Argument(metavar="TASK", help="option.sub_task_id")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="option.file")]
Encoding = Annotated[str | None, typer.Option("--encoding", help="option.encoding")]
Sheet = Annotated[str | None, typer.Option("--sheet", help="option.sheet")]
ColumnMap = Annotated[list[str] | None, typer.Option("--map", metavar="COLUMN=FIELD", help="option.map")]
MOST_SHOWN = 1_000_000
"""Rows of a list at most."""
LARGEST_ID = 2**63 - 1
"""What a database holds as a number."""

MOST_GENERATIONS = 2**31 - 1
"""What the column of a generation holds."""

MOST_VERSIONS = 2**31 - 1
"""What the column of a version holds."""

Limit = Annotated[int, typer.Option("--limit", min=1, max=MOST_SHOWN, help="option.limit")]
Platforms = Annotated[list[str], typer.Option("--platform", help="option.platform")]
Scenes = Annotated[list[str] | None, typer.Option("--scene", help="option.scene")]
Since = Annotated[datetime | None, typer.Option("--since", metavar="DATE", help="option.since")]
Until = Annotated[datetime | None, typer.Option("--until", metavar="DATE", help="option.until")]

SHOWN = 50
"""Rows that a list shows when nothing else is asked for."""


def one_of(ids: list[int] | None, *, everything: bool) -> None:
    """Raise UsageError unless either ids are named or everything is asked for."""
    if bool(ids) == everything:
        raise UsageError("ids_or_all", "Name ids, or say --all; not both.")


def mapped_columns(given: Sequence[str]) -> dict[str, str]:
    """Return columns with the fields that they are, as --map names them; raises UsageError for what is no pair."""
    pairs = [one.rpartition("=") for one in given]
    for one, (column, _, field) in zip(given, pairs, strict=True):
        if not column or not field:
            raise UsageError("map_pair", f"--map wants COLUMN=FIELD, not {one!r}.", value=one)
    return {column.strip(): field.strip() for column, _, field in pairs}
