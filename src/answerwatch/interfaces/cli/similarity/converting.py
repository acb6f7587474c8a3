"""`answerwatch similarity convert`: a published model becomes a folder that is loaded at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.interfaces.cli.options import AsJson
from answerwatch.interfaces.cli.running.interrupts import ended_by_signals
from answerwatch.interfaces.cli.running.progress import BAR_WIDTH
from answerwatch.interfaces.cli.session import Session, session_of

if TYPE_CHECKING:
    from answerwatch.workspace.similarity.converting import ShowStep

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="option.convert_folder")]
Out = Annotated[Path, typer.Argument(metavar="OUT", help="option.convert_out")]


def convert(
    context: typer.Context,
    folder: Folder,
    out: Out,
    *,
    head: Annotated[str | None, typer.Option("--head", help="option.convert_head")] = None,
    int8: Annotated[bool, typer.Option("--int8", help="option.convert_int8")] = False,
    fold: Annotated[bool, typer.Option("--fold", help="option.convert_fold")] = False,
    positive: Annotated[str, typer.Option("--positive", metavar="LABEL", help="option.convert_positive")] = "1",
    as_json: AsJson = False,
) -> None:
    """Convert a model."""
    from answerwatch.workspace.similarity.converting import ConvertRequest, convert_model  # noqa: PLC0415 - quick --help

    session = session_of(context)
    request = ConvertRequest(folder=folder, out=out, head=head, int8=int8, fold=fold, positive=positive)
    with ended_by_signals(), _shown_steps(session) as show:
        view = convert_model(request, show)
    if as_json:
        session.terminal.json(view)
        return
    session.tell("similarity.converted", folder=str(view.folder), head=view.head, megabytes=view.megabytes)
    if view.difference is not None:
        session.tell("similarity.int8_off", difference=f"{view.difference:.3f}")


@contextmanager
def _shown_steps(session: Session) -> Iterator[ShowStep]:
    """Give what shows bars on a terminal, and a line for each step elsewhere."""
    if not session.terminal.err.is_terminal:

        def tell(step: str, done: int, total: int) -> None:
            del total
            if done == 0:
                session.remark("similarity.step", step=session.word("conversion", step))

        yield tell
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn  # noqa: PLC0415 - quick --help

    columns = TextColumn("{task.description}"), BarColumn(bar_width=BAR_WIDTH), MofNCompleteColumn()
    with Progress(*columns, console=session.terminal.err, transient=True) as bars:
        begun: dict[str, TaskID] = {}

        def show(step: str, done: int, total: int) -> None:
            if step not in begun:
                begun[step] = bars.add_task(session.word("conversion", step), total=total)
            bars.update(begun[step], completed=done)

        yield show
