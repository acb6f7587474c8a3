"""Hits as rows of CSV or lines of JSON, as they come: never all in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.session import Session

if TYPE_CHECKING:
    from answerwatch.workspace.similarity.views import Hit

FORMATS = ("csv", "jsonl", "parquet")


def write_hits(session: Session, hits: Iterable[Hit], format_: str, out: Path | None, *, force: bool) -> int:
    """Write hits to a file or standard output and return how many; raises UsageError for an unknown format."""
    if format_ not in FORMATS:
        known = ", ".join(FORMATS)
        raise UsageError(
            "similarity_format", f"Results are written as {known}, not as {format_}.", known=known, format=format_
        )
    if format_ == "parquet":
        return _write_parquet(hits, out, force=force)
    from answerwatch.workspace.similarity.rows import csv_rows, json_lines  # noqa: PLC0415 - keeps --help quick

    written = csv_rows(hits) if format_ == "csv" else json_lines(hits)
    count = -1 if format_ == "csv" else 0
    with _target(session, out, force=force) as write:
        for row in written:
            write(row)
            count += 1
    return count


def _write_parquet(hits: Iterable[Hit], out: Path | None, *, force: bool) -> int:
    from answerwatch.workspace.similarity.parquet import write_parquet  # noqa: PLC0415 - keeps --help quick

    if out is None:
        raise UsageError("parquet_out", "Parquet is no text; name a file (--out FILE).")
    return write_parquet(hits, out, force=force)


@contextmanager
def _target(session: Session, out: Path | None, *, force: bool) -> Iterator[Callable[[bytes], object]]:
    if out is None:
        yield session.terminal.raw
        return
    from answerwatch.workspace.files.fresh_file import fresh_file  # noqa: PLC0415 - keeps --help quick

    with fresh_file(out, force=force) as file:
        yield file.write
