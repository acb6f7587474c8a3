"""`answerwatch clean ...`: run cleaning, see where it stands, and why an answer was read as it was."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.cleaning.changes import show_diff
from answerwatch.interfaces.cli.cleaning.correcting import add_to
from answerwatch.interfaces.cli.cleaning.tables import (
    STUCK,
    show_cleaned,
    show_explanation,
    show_plan,
    show_status,
)
from answerwatch.interfaces.cli.decoding import read_text
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, INTERRUPTED
from answerwatch.interfaces.cli.options import MOST_GENERATIONS, AsJson, Limit
from answerwatch.interfaces.cli.running.following import followed
from answerwatch.interfaces.cli.session import Session, opened, session_of
from answerwatch.interfaces.cli.wording import duration

if TYPE_CHECKING:
    from answerwatch.workspace.cleaning.views import CleanRun, Redone
    from answerwatch.workspace.shown_records import CleanedAnswer

app = typer.Typer()
add_to(app)

Generation = Annotated[
    int | None, typer.Option("--generation", min=1, max=MOST_GENERATIONS, help="option.of_generation")
]


class Wanted(TypedDict):
    """Which answers are cleaned anew."""

    batch: str | None
    brand: str | None
    everything: bool
    force: bool


@app.command("run", help="help.clean.run")
def run(context: typer.Context, *, as_json: AsJson = False) -> int:
    """Clean until nothing is left."""
    session = session_of(context)
    with opened(session) as workspace:
        outcome, stopped = followed(session, workspace.cleaning.run)
    if as_json:
        session.terminal.json(outcome)
    else:
        _say_outcome(session, outcome)
    if stopped:
        return INTERRUPTED
    return DONE if outcome.succeeded else FAILED


def _say_outcome(session: Session, outcome: CleanRun) -> None:
    spent = duration(outcome.seconds, session.say)
    session.tell("clean.done", cleaned=outcome.cleaned, valid=outcome.valid, invalid=outcome.invalid, time=spent)
    if outcome.renewed:
        session.tell("clean.renewed", renewed=outcome.renewed)
    if outcome.failed:
        session.remark("clean.failed", failed=outcome.failed)
    if outcome.outstanding:
        session.remark("clean.outstanding", outstanding=outcome.outstanding)


@app.command("redo", help="help.clean.redo")
def redo(
    context: typer.Context,
    *,
    batch: Annotated[str | None, typer.Option("--batch", help="option.redo_batch")] = None,
    brand: Annotated[str | None, typer.Option("--brand", help="option.redo_brand")] = None,
    everything: Annotated[bool, typer.Option("--all", help="option.redo_all")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="option.redo_dry_run")] = False,
    force: Annotated[bool, typer.Option("--force", help="option.redo_force")] = False,
    as_json: AsJson = False,
) -> int:
    """Clean stored answers anew."""
    session = session_of(context)
    with opened(session) as workspace:
        wanted: Wanted = {"batch": batch, "brand": brand, "everything": everything, "force": force}
        plan = workspace.cleaning.plan_redo(**wanted)
        if dry_run or plan.nothing_to_do:
            if as_json:
                session.terminal.json(plan)
            else:
                show_plan(session, plan)
            return DONE
        if not as_json:
            show_plan(session, plan)
        outcome, stopped = followed(session, partial(workspace.cleaning.redo, **wanted))
    if as_json:
        session.terminal.json(outcome)
    else:
        _say_redone(session, outcome)
    if stopped:
        return INTERRUPTED
    return DONE if outcome.succeeded else FAILED


def _say_redone(session: Session, outcome: Redone) -> None:
    spent = duration(outcome.seconds, session.say)
    session.tell("clean.done", cleaned=outcome.cleaned, valid=outcome.valid, invalid=outcome.invalid, time=spent)
    if outcome.failed:
        session.remark("clean.failed", failed=outcome.failed)
    if outcome.outstanding:
        session.remark("clean.redo_outstanding", outstanding=outcome.outstanding)
    else:
        session.tell("clean.redo_next")


@app.command("diff", help="help.clean.diff")
def diff(
    context: typer.Context,
    *,
    batch: Annotated[str | None, typer.Option("--batch", help="option.redo_batch")] = None,
    brand: Annotated[str | None, typer.Option("--brand", help="option.diff_brand")] = None,
    older: Annotated[
        int | None, typer.Option("--from", metavar="G", min=1, max=MOST_GENERATIONS, help="option.diff_from")
    ] = None,
    newer: Annotated[
        int | None, typer.Option("--to", metavar="G", min=1, max=MOST_GENERATIONS, help="option.diff_to")
    ] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Show what changed between two generations."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.cleaning.diff(batch=batch, brand=brand, older=older, newer=newer, limit=limit)
    if as_json:
        session.terminal.json(found)
    else:
        show_diff(session, found)


@app.command("status", help="help.clean.status")
def status(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Show tasks by state."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.cleaning.status()
    if as_json:
        session.terminal.json(found)
    else:
        show_status(session, found)


@app.command("stuck", help="help.clean.stuck")
def stuck(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List tasks that stay in one working state for too long."""
    session = session_of(context)
    with opened(session) as workspace:
        STUCK.show(session, workspace.cleaning.stuck(), as_json=as_json, empty="clean.none_stuck")


@app.command("explain", help="help.clean.explain")
def explain(
    context: typer.Context,
    task: Annotated[str, typer.Argument(metavar="TASK", help="option.clean_task_id")],
    *,
    generation: Generation = None,
    as_json: AsJson = False,
) -> None:
    """Tell why an answer was read as it was."""
    session = session_of(context)
    with opened(session) as workspace:
        explanation = workspace.cleaning.explain(task, generation=generation)
    if as_json:
        session.terminal.json(explanation)
    else:
        show_explanation(session, explanation)


@app.command("text", help="help.clean.text")
def text(
    context: typer.Context,
    *,
    question: Annotated[str | None, typer.Option("--question", help="option.asked")] = None,
    scene: Annotated[str | None, typer.Option("--scene", help="option.question_scene")] = None,
    brand: Annotated[
        list[str] | None, typer.Option("--brand", metavar="NAME=ALIAS,ALIAS", help="option.brand_with_aliases")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Clean standard input, store nothing."""
    session = session_of(context)
    answer = read_text(sys.stdin.buffer.read(), session.say("cli.stdin"))
    names = dict(_names(given) for given in brand or ())
    cleaned = _cleaned(session, answer, names, question=question, scene=scene)
    if as_json:
        session.terminal.json(cleaned)
    else:
        show_cleaned(session, cleaned)


def _names(given: str) -> tuple[str, tuple[str, ...]]:
    """Return brand and aliases of `NAME=ALIAS,ALIAS`; a bare name is its own alias."""
    name, equals, aliases = given.partition("=")
    found = tuple(alias.strip() for alias in aliases.split(",") if alias.strip()) if equals else (name.strip(),)
    if not name.strip() or not found:
        text = f"--brand {given!r}: write NAME=ALIAS,ALIAS."
        raise UsageError("brand_spelling", text, given=given)
    return name.strip(), found


def _cleaned(
    session: Session, answer: str, names: Mapping[str, tuple[str, ...]], *, question: str | None, scene: str | None
) -> CleanedAnswer:
    """Return how the text is read, with the given names, else with the workspace's lexicon."""
    if names:
        from answerwatch.workspace.cleaning.quick_try import clean_text  # noqa: PLC0415 - keeps --help quick

        return clean_text(answer, names, question=question, scene=scene)
    with opened(session) as workspace:
        return workspace.cleaning.text(answer, question=question, scene=scene)
