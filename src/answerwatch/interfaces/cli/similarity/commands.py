"""`answerwatch similarity ...`: hand in lists, follow jobs, look at scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, INTERRUPTED
from answerwatch.interfaces.cli.options import SHOWN, AsJson, Limit
from answerwatch.interfaces.cli.running.interrupts import Interrupts
from answerwatch.interfaces.cli.session import opened, session_of
from answerwatch.interfaces.cli.similarity.converting import convert
from answerwatch.interfaces.cli.similarity.judging import calibrate, calibrations, relevance, scorers
from answerwatch.interfaces.cli.similarity.progress import shown_job
from answerwatch.interfaces.cli.similarity.submitting import submit
from answerwatch.interfaces.cli.similarity.tables import JOBS, show_histogram, show_job
from answerwatch.interfaces.cli.similarity.writing import write_hits

app = typer.Typer()
app.command("submit", help="help.similarity.submit")(submit)
app.command("convert", help="help.similarity.convert")(convert)
app.command("scorers", help="help.similarity.scorers")(scorers)
app.command("calibrate", help="help.similarity.calibrate")(calibrate)
app.command("calibrations", help="help.similarity.calibrations")(calibrations)
app.command("relevance", help="help.similarity.relevance")(relevance)

Job = Annotated[str, typer.Argument(metavar="JOB", help="option.similarity_job")]


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
    with opened(session) as workspace, Interrupts() as stop, shown_job(session) as progress:
        view = workspace.similarity.run(job, progress=progress, stop=stop)
    show_job(session, view, as_json=as_json)
    if not view.status.is_final:
        return INTERRUPTED
    return FAILED if view.failed else DONE


@app.command("watch", help="help.similarity.watch")
def watch(context: typer.Context, job: Job, *, as_json: AsJson = False) -> int:
    """Follow a job that others work on until it is at its end."""
    session = session_of(context)
    with opened(session) as workspace, Interrupts() as stop, shown_job(session) as progress:
        view = workspace.similarity.watch(job, progress=progress, stop=stop)
    show_job(session, view, as_json=as_json)
    if not view.status.is_final:
        return INTERRUPTED
    return FAILED if view.failed else DONE


@app.command("histogram", help="help.similarity.histogram")
def histogram(context: typer.Context, job: Job, *, as_json: AsJson = False) -> None:
    """Show how scores are distributed."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.histogram(job)
    show_histogram(session, found, as_json=as_json)


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


@app.command("cancel", help="help.similarity.cancel")
def cancel(context: typer.Context, job: Job, *, as_json: AsJson = False) -> None:
    """Cancel a job; what was scored stays."""
    session = session_of(context)
    with opened(session) as workspace:
        workspace.similarity.cancel(job)
    session.done("similarity.cancelled", as_json=as_json, job=job)
