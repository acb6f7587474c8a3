"""`answerwatch similarity submit`: a job by its lists and its scorer, as a plan or handed in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from answerwatch.domain.similarity import Roles
from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, INTERRUPTED
from answerwatch.interfaces.cli.options import AsJson
from answerwatch.interfaces.cli.running.interrupts import Interrupts
from answerwatch.interfaces.cli.session import Session, opened, session_of
from answerwatch.interfaces.cli.similarity.progress import shown_job
from answerwatch.interfaces.cli.similarity.tables import show_job, show_plan, show_problems

if TYPE_CHECKING:
    from answerwatch.workspace import Workspace
    from answerwatch.workspace.similarity.views import JobRequest

Left = Annotated[Path, typer.Argument(metavar="LEFT", help="option.similarity_left")]
Right = Annotated[Path | None, typer.Argument(metavar="RIGHT", help="option.similarity_right")]
Pairs = Annotated[bool, typer.Option("--pairs", help="option.similarity_pairs")]
LeftColumn = Annotated[str | None, typer.Option("--left-column", help="option.similarity_left_column")]
RightColumn = Annotated[str | None, typer.Option("--right-column", help="option.similarity_right_column")]
Scorer = Annotated[str | None, typer.Option("--scorer", help="option.scorer")]
Finder = Annotated[str | None, typer.Option("--finder", help="option.finder")]
EveryPair = Annotated[bool, typer.Option("--every-pair", help="option.every_pair")]
Candidates = Annotated[int, typer.Option("--candidates", min=1, max=1000, help="option.candidates")]
Search = Annotated[bool, typer.Option("--search", help="option.search")]
TooLong = Annotated[str, typer.Option("--too-long", help="option.too_long")]
Priority = Annotated[int, typer.Option("--priority", min=0, max=1, help="option.similarity_priority")]
IdempotencyKey = Annotated[str | None, typer.Option("--idempotency-key", help="option.similarity_key")]
Note = Annotated[str, typer.Option("--note", help="option.similarity_note")]
Yes = Annotated[bool, typer.Option("--yes", help="option.similarity_yes")]
Wait = Annotated[bool, typer.Option("--wait", help="option.similarity_wait")]

SHOWN_PROBLEMS = 20
"""Lines without a score that are named."""


def submit(
    context: typer.Context,
    left: Left,
    right: Right = None,
    *,
    pairs: Pairs = False,
    left_column: LeftColumn = None,
    right_column: RightColumn = None,
    scorer: Scorer = None,
    finder: Finder = None,
    every_pair: EveryPair = False,
    candidates: Candidates = 20,
    search: Search = False,
    too_long: TooLong = "skip",
    priority: Priority = 0,
    idempotency_key: IdempotencyKey = None,
    note: Note = "",
    yes: Yes = False,
    wait: Wait = False,
    as_json: AsJson = False,
) -> int:
    """Hand in a job; without --yes only its plan is shown."""
    session = session_of(context)
    if pairs and right is not None:
        raise UsageError("similarity_pairs_right", "A file of pairs holds both texts; leave the second file out.")
    request = _request(
        (left, left_column), (right, right_column), is_pairs=pairs, scorer=scorer, finder=finder, every_pair=every_pair,
        top_k=candidates, roles=Roles.SEARCH if search else Roles.SAME, too_long=too_long, priority=priority,
        idempotency_key=idempotency_key, note=note,
    )  # fmt: skip
    with opened(session) as workspace:
        if yes:
            return _submitted(session, workspace, request, wait=wait, as_json=as_json)
        show_plan(session, workspace.similarity.plan(request), as_json=as_json)
        return DONE


def _request(
    left: tuple[Path, str | None],
    right: tuple[Path | None, str | None],
    **wanted: Any,  # noqa: ANN401 - its fields
) -> JobRequest:
    """Return what is asked for; of a file of pairs only the column of the right list is given."""
    from answerwatch.workspace.similarity.views import JobRequest, ListSource  # noqa: PLC0415 - keeps --help quick

    file, column = right
    return JobRequest(
        left=ListSource(file=left[0], column=left[1]),
        right=None if file is None else ListSource(file=file, column=column),
        right_column=column,
        **wanted,
    )


def _submitted(session: Session, workspace: Workspace, request: JobRequest, *, wait: bool, as_json: bool) -> int:
    view = workspace.similarity.submit(request)
    stopped = False
    if wait:
        with Interrupts() as stop, shown_job(session) as progress:
            view = workspace.similarity.run(view.job_id, progress=progress, stop=stop)
            stopped = stop.is_set() and not view.status.is_final
    show_job(session, view, as_json=as_json)
    show_problems(session, workspace.similarity.problems(view.job_id, limit=SHOWN_PROBLEMS))
    if stopped:
        return INTERRUPTED
    return FAILED if wait and view.failed else DONE
