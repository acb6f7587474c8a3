"""One export from the command line: where rows go, what is shown meanwhile, what is said at the end."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from zoneinfo import ZoneInfo

from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.moments import placed
from answerwatch.interfaces.cli.output import printable
from answerwatch.interfaces.cli.running.interrupts import ended_by_signals
from answerwatch.interfaces.cli.running.progress import BAR_WIDTH
from answerwatch.interfaces.cli.session import Session, opened

if TYPE_CHECKING:
    from answerwatch.workspace.exports.verbs import Progress
    from answerwatch.workspace.exports.views import ExportRequest, ExportView

STDOUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a person asked for, filters left out."""

    what: str
    file: str
    """`-`: standard output."""
    format: str | None
    columns: str | None
    """Names with commas between them."""
    headers: str | None
    bom: bool | None
    force: bool


def run_export(session: Session, asked: Asked, filters: Mapping[str, object], *, as_json: bool) -> None:
    """Export rows and say what was written; `filters` are fields of a request."""
    from answerwatch.workspace.exports.verbs import ForReaders  # noqa: PLC0415 - keeps --help and usage errors quick

    if asked.file == STDOUT and as_json:
        text = "Rows go to standard output, so --json has no place there; name a file."
        raise UsageError("export_two_outputs", text)
    with ended_by_signals(), opened(session) as workspace, _shown_progress(session, asked.file) as progress:
        request = _request(asked, filters, ZoneInfo(workspace.settings.time_zone))
        stream = None if request.file else _standard_output(request)
        readers = ForReaders(title=lambda name: session.word("exported", name), say=session.say.translated)
        view = workspace.exports.rows(request, stream=stream, readers=readers, progress=progress)
    if as_json:
        session.terminal.json(view)
    else:
        _tell(session, view)


def _request(asked: Asked, filters: Mapping[str, object], zone: ZoneInfo) -> ExportRequest:
    from answerwatch.workspace.exports.views import ExportRequest  # noqa: PLC0415 - keeps --help and usage errors quick

    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in filters.items()
    }
    values |= {
        name: placed(cast("datetime | None", values.get(name)), zone) for name in ("since", "until") if name in values
    }
    names = None if asked.columns is None else tuple(name.strip() for name in asked.columns.split(",") if name.strip())
    return ExportRequest(
        what=asked.what,
        file=None if asked.file == STDOUT else Path(asked.file),
        format=asked.format,
        columns=names,
        headers=asked.headers,
        bom=asked.bom,
        force=asked.force,
        **values,
    )


def _standard_output(request: ExportRequest) -> BinaryIO:
    """Return standard output for rows; raises UsageError for a workbook on a terminal."""
    sys.stdout.flush()
    if not sys.stdout.isatty():
        return sys.stdout.buffer
    if request.format == "xlsx":
        text = "A workbook cannot be shown on a terminal; name a file, or lead standard output into one."
        raise UsageError("export_terminal", text)
    return cast("BinaryIO", _OnTerminal(sys.stdout.buffer))


class _OnTerminal(io.RawIOBase):
    """A terminal that rows cannot drive: what a platform answered may hold sequences that move its cursor."""

    def __init__(self, out: BinaryIO) -> None:
        super().__init__()
        self._out = out

    def write(self, data: Any) -> int:  # noqa: ANN401 - whatever holds bytes
        text = bytes(data).decode("utf-8", "replace")
        self._out.write(printable(text).encode("utf-8", "replace"))
        return len(data)

    def flush(self) -> None:
        self._out.flush()


@contextmanager
def _shown_progress(session: Session, file: str) -> Iterator[Progress | None]:
    """Give what shows a bar for the time of the block; None where there is no terminal, or rows may go to it."""
    terminal = session.terminal.err
    if file == STDOUT or not terminal.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415 - the same

    bar = Progress(
        BarColumn(bar_width=BAR_WIDTH), MofNCompleteColumn(), TimeRemainingColumn(), console=terminal, transient=True
    )
    with bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tell(session: Session, view: ExportView) -> None:
    """Say what was written, on standard error where the rows went to standard output."""
    if view.file is None:
        session.remark("export.streamed", rows=view.rows, what=view.what)
    else:
        session.tell("export.done", rows=view.rows, what=view.what, file=view.file)
    if view.cut:
        session.remark("export.cut", count=view.cut)
    if view.altered:
        session.remark("export.altered", count=view.altered)
