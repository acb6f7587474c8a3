"""`answerwatch dead ...`: what was given up."""

from __future__ import annotations

from typing import Annotated

import typer

from answerwatch.interfaces.cli.dead_letters.tables import LETTERS, say_replay, show_history
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED
from answerwatch.interfaces.cli.listing import show_facts
from answerwatch.interfaces.cli.options import LARGEST_ID, AsJson, Limit, one_of
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()


_ID = typer.Argument(metavar="ID", min=1, max=LARGEST_ID, help="option.dead_id")
DeadIds = Annotated[list[int] | None, _ID]
Queue = Annotated[str | None, typer.Option("--queue", help="option.queue")]
Batch = Annotated[str | None, typer.Option("--batch", help="option.dead_batch")]
ErrorType = Annotated[str | None, typer.Option("--error-type", help="option.of_error_type")]
Reason = Annotated[str, typer.Option("--reason", help="option.audit_reason")]


@app.command("list", help="help.dead.list")
def list_(
    context: typer.Context,
    *,
    queue: Queue = None,
    batch: Batch = None,
    error_type: ErrorType = None,
    replayed: Annotated[bool, typer.Option("--replayed", help="option.replayed")] = False,
    limit: Limit = 200,
    as_json: AsJson = False,
) -> None:
    """List dead letters of every queue."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.dead.list(queue=queue, batch=batch, error_type=error_type, replayed=replayed, limit=limit)
    LETTERS.show(session, found, as_json=as_json, empty="dead.none")


@app.command("show", help="help.dead.show")
def show(
    context: typer.Context,
    dead: Annotated[int, _ID],
    *,
    as_json: AsJson = False,
) -> None:
    """Show one dead letter."""
    session = session_of(context)
    with opened(session) as workspace:
        story = workspace.dead.show(dead)
    if as_json:
        session.terminal.json(story)
        return
    letter = story.letter
    show_facts(
        session,
        {
            "dead": letter.dead_id,
            "queue": letter.queue,
            "task": letter.task_id,
            "batch": letter.group_id,
            "reason": session.word("error_type", letter.error_type),
            "error": session.say.stored(letter.error),
            "attempts": letter.attempts,
            "failed_at": letter.failed_at,
            "replayed_at": letter.replayed_at,
            "by": letter.replayed_by,
        },
    )
    show_history(session, story)


@app.command("replay", help="help.dead.replay")
def replay(
    context: typer.Context,
    dead: DeadIds = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="option.replay_all")] = False,
    queue: Queue = None,
    batch: Batch = None,
    error_type: ErrorType = None,
    reason: Reason = "",
    as_json: AsJson = False,
) -> int:
    """Put tasks back to work."""
    session = session_of(context)
    one_of(dead, everything=everything)
    with opened(session) as workspace:
        outcome = workspace.dead.replay(
            dead or (), everything=everything, queue=queue, batch=batch, error_type=error_type, reason=reason
        )
    if as_json:
        session.terminal.json(outcome)
    else:
        say_replay(session, outcome)
    return FAILED if outcome.skipped else DONE


@app.command("drop", help="help.dead.drop")
def drop(
    context: typer.Context,
    dead: DeadIds = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="option.replay_all")] = False,
    queue: Queue = None,
    batch: Batch = None,
    error_type: ErrorType = None,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Forget dead letters for good."""
    session = session_of(context)
    one_of(dead, everything=everything)
    with opened(session) as workspace:
        count = workspace.dead.drop(
            dead or (), everything=everything, queue=queue, batch=batch, error_type=error_type, reason=reason
        )
    session.done("dead.dropped", as_json=as_json, count=count)
