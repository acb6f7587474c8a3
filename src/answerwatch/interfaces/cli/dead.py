"""`answerwatch dead ...`: what was given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.interfaces.cli.exit_codes import DONE, FAILED
from answerwatch.interfaces.cli.listing import Listing, show_facts
from answerwatch.interfaces.cli.options import LARGEST_ID, AsJson, Limit, one_of
from answerwatch.interfaces.cli.session import Session, opened, session_of
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.dead_letters import DeadLetter, Replay

app = typer.Typer()

LONGEST_ERROR = 160

_ID = typer.Argument(metavar="ID", max=LARGEST_ID, help="option.dead_id")
DeadIds = Annotated[list[int] | None, _ID]
Queue = Annotated[str | None, typer.Option("--queue", help="option.queue")]


@app.command("list", help="help.dead.list")
def list_(
    context: typer.Context,
    *,
    queue: Queue = None,
    replayed: Annotated[bool, typer.Option("--replayed", help="option.replayed")] = False,
    limit: Limit = 200,
    as_json: AsJson = False,
) -> None:
    """List dead letters of every queue."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.dead.list(queue=queue, replayed=replayed, limit=limit)
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
        letter = workspace.dead.show(dead)
    if as_json:
        session.terminal.json(letter)
        return
    show_facts(
        session,
        {
            "dead": letter.dead_id,
            "queue": letter.queue,
            "task": letter.task_id,
            "batch": letter.group_id,
            "reason": session.word("error_type", letter.error_type),
            "error": letter.error,
            "attempts": letter.attempts,
            "failed_at": letter.failed_at,
            "replayed_at": letter.replayed_at,
            "by": letter.replayed_by,
        },
    )


@app.command("replay", help="help.dead.replay")
def replay(
    context: typer.Context,
    dead: DeadIds = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="option.replay_all")] = False,
    queue: Queue = None,
    as_json: AsJson = False,
) -> int:
    """Put tasks back to work."""
    session = session_of(context)
    one_of(dead, everything=everything)
    with opened(session) as workspace:
        outcome = workspace.dead.replay(dead or (), everything=everything, queue=queue)
    if as_json:
        session.terminal.json(outcome)
    else:
        _say_replay(session, outcome)
    return FAILED if outcome.skipped else DONE


@app.command("drop", help="help.dead.drop")
def drop(context: typer.Context, dead: Annotated[list[int], _ID]) -> None:
    """Forget dead letters for good."""
    session = session_of(context)
    with opened(session) as workspace:
        count = workspace.dead.drop(dead)
    session.tell("dead.dropped", count=count)


def _say_replay(session: Session, outcome: Replay) -> None:
    for dead, why in outcome.skipped:
        session.remark("dead.skipped", dead=dead, why=session.say.translated(why))
    session.tell("dead.replayed", count=len(outcome.replayed))
    if outcome.replayed:
        session.tell("dead.go_on")


def _letter_row(session: Session, letter: DeadLetter) -> tuple[object, ...]:
    return (
        letter.dead_id,
        letter.queue,
        letter.task_id,
        session.word("error_type", letter.error_type),
        one_line(letter.error, LONGEST_ERROR),
        letter.attempts,
    )


LETTERS: Listing[DeadLetter] = Listing(
    columns=("dead", "queue", "task", "reason", "error", "attempts"), row=_letter_row, whole=(2,)
)
