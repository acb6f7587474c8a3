"""`answerwatch similarity ...`: scorers, their thresholds, and whether answers belong to their questions."""

from __future__ import annotations

from typing import Annotated

import typer

from answerwatch.interfaces.cli.exit_codes import DONE, FAILED
from answerwatch.interfaces.cli.options import AsJson
from answerwatch.interfaces.cli.session import opened, session_of
from answerwatch.interfaces.cli.similarity.tables import CALIBRATIONS, SCORERS, show_relevance


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


def scorers(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List scorers, and why one cannot be used here."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.scorers()
    SCORERS.show(session, found, as_json=as_json)


def calibrations(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List thresholds."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.calibrations()
    CALIBRATIONS.show(session, found, as_json=as_json)


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
