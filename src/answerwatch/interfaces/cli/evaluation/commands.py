"""`answerwatch evaluate FILE`: how right the reader is on labelled answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from answerwatch.interfaces.cli.evaluation.tables import json_miss, show_evaluation, show_miss, show_shortfalls
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, WRONG_USE
from answerwatch.interfaces.cli.options import AsJson, File
from answerwatch.interfaces.cli.row_problems import show_row_problems
from answerwatch.interfaces.cli.running.interrupts import ended_by_signals
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()


@app.command("evaluate", help="help.evaluate")
def evaluate(
    context: typer.Context,
    file: File,
    *,
    predictions: Annotated[
        Path | None, typer.Option("--predictions", metavar="FILE", help="option.predictions")
    ] = None,
    each_error: Annotated[bool, typer.Option("--errors", help="option.evaluate_errors")] = False,
    fail_under: Annotated[
        list[str] | None, typer.Option("--fail-under", metavar="MEASURE=VALUE", help="option.fail_under")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Measure the reader on labelled answers."""
    from answerwatch.workspace.evaluation.verbs import floor_of  # noqa: PLC0415 - keeps --help and usage errors quick

    session = session_of(context)
    floors = [floor_of(one) for one in fail_under or ()]
    show = json_miss if as_json else show_miss(session)
    with ended_by_signals(), opened(session) as workspace:
        outcome = workspace.evaluations.run(
            file, predictions=predictions, floors=floors, show_miss=show if each_error else None
        )
    if as_json:
        session.terminal.json({"errors": outcome.errors} if outcome.errors else outcome.figures())
    elif outcome.errors:
        show_row_problems(session, outcome.errors, ())
        session.remark("evaluate.nothing_measured", errors=len(outcome.errors))
    else:
        show_evaluation(session, outcome, floors, told=each_error)
    if outcome.errors:
        return WRONG_USE
    show_shortfalls(session, outcome)
    return DONE if outcome.succeeded else FAILED
