"""`answerwatch similarity ...`: hand in lists, follow jobs, look at scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, INTERRUPTED
from answerwatch.interfaces.cli.options import SHOWN, AsJson, Limit
from answerwatch.interfaces.cli.running.interrupts import Interrupts
from answerwatch.interfaces.cli.session import Session, opened, session_of
from answerwatch.interfaces.cli.similarity.converting import convert
from answerwatch.interfaces.cli.similarity.tables import (
    CALIBRATIONS,
    JOBS,
    SCORERS,
    show_job,
    show_plan,
    show_relevance,
)
from answerwatch.interfaces.cli.similarity.writing import write_hits

if TYPE_CHECKING:
    from answerwatch.workspace import Workspace
    from answerwatch.workspace.similarity.views import JobRequest

app = typer.Typer()
app.command("convert", help="help.similarity.convert")(convert)

Job = Annotated[str, typer.Argument(metavar="JOB", help="option.similarity_job")]


@app.command("submit", help="help.similarity.submit")
def submit(
    context: typer.Context,
    left: Annotated[Path, typer.Argument(metavar="LEFT", help="option.similarity_left")],
    right: Annotated[Path | None, typer.Argument(metavar="RIGHT", help="option.similarity_right")] = None,
    *,
    pairs: Annotated[bool, typer.Option("--pairs", help="option.similarity_pairs")] = False,
    left_column: Annotated[str | None, typer.Option("--left-column", help="option.similarity_left_column")] = None,
    right_column: Annotated[str | None, typer.Option("--right-column", help="option.similarity_right_column")] = None,
    scorer: Annotated[str | None, typer.Option("--scorer", help="option.scorer")] = None,
    too_long: Annotated[str, typer.Option("--too-long", help="option.too_long")] = "skip",
    priority: Annotated[int, typer.Option("--priority", min=0, max=1, help="option.similarity_priority")] = 0,
    idempotency_key: Annotated[str | None, typer.Option("--idempotency-key", help="option.similarity_key")] = None,
    note: Annotated[str, typer.Option("--note", help="option.similarity_note")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="option.similarity_yes")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="option.similarity_wait")] = False,
    as_json: AsJson = False,
) -> int:
    """Hand in a job; without --yes only its plan is shown."""
    from answerwatch.workspace.similarity.views import JobRequest, ListSource  # noqa: PLC0415 - keeps --help quick

    session = session_of(context)
    if pairs and right is not None:
        raise UsageError("similarity_pairs_right", "A file of pairs holds both texts; leave the second file out.")
    request = JobRequest(
        left=ListSource(file=left, column=left_column),
        right=None if right is None else ListSource(file=right, column=right_column),
        is_pairs=pairs,
        right_column=right_column,
        scorer=scorer,
        too_long=too_long,
        priority=priority,
        idempotency_key=idempotency_key,
        note=note,
    )
    with opened(session) as workspace:
        if yes:
            return _submitted(session, workspace, request, wait=wait, as_json=as_json)
        show_plan(session, workspace.similarity.plan(request), as_json=as_json)
        return DONE


def _submitted(session: Session, workspace: Workspace, request: JobRequest, *, wait: bool, as_json: bool) -> int:
    view = workspace.similarity.submit(request)
    stopped = False
    if wait:
        with Interrupts() as stop:
            view = workspace.similarity.run(view.job_id, stop=stop)
            stopped = stop.is_set() and not view.status.is_final
    show_job(session, view, as_json=as_json)
    if stopped:
        return INTERRUPTED
    return FAILED if wait and view.failed else DONE


@app.command("list", help="help.similarity.list")
def list_(context: typer.Context, *, limit: Limit = SHOWN, as_json: AsJson = False) -> None:
    """List jobs, the newest first."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.list(limit=limit)
    JOBS.show(session, found, as_json=as_json, empty="similarity.none")


@app.command("status", help="help.similarity.status")
def status(
    context: typer.Context,
    job: Annotated[list[str], typer.Argument(metavar="JOB...", help="option.similarity_job")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show how far jobs are."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.statuses(job)
    if len(found) == 1:
        show_job(session, found[0], as_json=as_json)
    else:
        JOBS.show(session, found, as_json=as_json)


@app.command("run", help="help.similarity.run")
def run(context: typer.Context, job: Job, *, as_json: AsJson = False) -> int:
    """Work on a job here until it is at its end."""
    session = session_of(context)
    with opened(session) as workspace, Interrupts() as stop:
        view = workspace.similarity.run(job, stop=stop)
    show_job(session, view, as_json=as_json)
    if not view.status.is_final:
        return INTERRUPTED
    return FAILED if view.failed else DONE


@app.command("results", help="help.similarity.results")
def results(
    context: typer.Context,
    job: Job,
    *,
    top_k: Annotated[int | None, typer.Option("--top-k", min=1, max=1000, help="option.top_k")] = None,
    min_score: Annotated[float | None, typer.Option("--min-score", min=-1.0, max=1.0, help="option.min_score")] = None,
    format_: Annotated[str, typer.Option("--format", help="option.similarity_format")] = "csv",
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="option.similarity_out")] = None,
    force: Annotated[bool, typer.Option("--force", help="option.export_force")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the best of each line, or every pair above a threshold."""
    session = session_of(context)
    if (top_k is None) == (min_score is None):
        raise UsageError("similarity_one_of", "Say --top-k or --min-score, one of both.")
    with opened(session) as workspace:
        hits = workspace.similarity.top(job, top_k) if top_k else workspace.similarity.above(job, min_score or 0.0)
        count = write_hits(session, hits, "jsonl" if as_json else format_, out, force=force)
    if out is not None:
        session.remark("similarity.written", count=count, file=str(out))


@app.command("pair", help="help.similarity.pair")
def pair(
    context: typer.Context,
    pair_: Annotated[str, typer.Argument(metavar="JOB:LEFT:RIGHT", help="option.similarity_pair")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show one pair."""
    from answerwatch.interfaces.cli.listing import show_facts  # noqa: PLC0415 - keeps --help quick

    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.pair(pair_)
    if as_json:
        session.terminal.json(found)
        return
    facts = {
        "pair": found.pair_id,
        "status": found.status,
        "score": found.score,
        "reason": found.reason,
        "left": found.left,
        "right": found.right,
        "scorer": found.scorer_id,
    }
    show_facts(session, facts)


@app.command("calibrate", help="help.similarity.calibrate")
def calibrate(
    context: typer.Context,
    *,
    scorer: Annotated[str | None, typer.Option("--scorer", help="option.scorer")] = None,
    purpose: Annotated[
        str, typer.Option("--purpose", metavar="relevance|sameness", help="option.purpose")
    ] = "relevance",
    batch: Annotated[str | None, typer.Option("--batch", help="option.calibrate_batch")] = None,
    as_json: AsJson = False,
) -> int:
    """Measure the thresholds of a scorer on the texts that are here."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.calibrate(scorer=scorer, purpose=purpose, batch=batch)
    CALIBRATIONS.show(session, (found,), as_json=as_json)
    if found.is_usable:
        return DONE
    session.remark("similarity.not_usable", auc=f"{found.auc:.3f}")
    return FAILED


@app.command("scorers", help="help.similarity.scorers")
def scorers(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List scorers, and why one cannot be used here."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.scorers()
    SCORERS.show(session, found, as_json=as_json)


@app.command("calibrations", help="help.similarity.calibrations")
def calibrations(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List thresholds."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.calibrations()
    CALIBRATIONS.show(session, found, as_json=as_json)


@app.command("relevance", help="help.similarity.relevance")
def relevance(
    context: typer.Context,
    batch: Annotated[str, typer.Argument(metavar="BATCH", help="option.batch_id")],
    *,
    scorer: Annotated[str | None, typer.Option("--scorer", help="option.scorer")] = None,
    as_json: AsJson = False,
) -> None:
    """Judge the answers of a batch by the rank of their own question among all of it."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.rank_answers(batch, scorer=scorer)
    if as_json:
        session.terminal.json(found)
        return
    show_relevance(session, found)


@app.command("cancel", help="help.similarity.cancel")
def cancel(context: typer.Context, job: Job, *, as_json: AsJson = False) -> None:
    """Cancel a job; what was scored stays."""
    session = session_of(context)
    with opened(session) as workspace:
        workspace.similarity.cancel(job)
    session.done("similarity.cancelled", as_json=as_json, job=job)
