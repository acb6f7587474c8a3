"""All commands together, in the language of the session."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from typer.main import get_command

from answerwatch.interfaces.cli import (
    batches,
    brands,
    cleaning,
    dead,
    demo,
    platforms,
    questions,
    report,
    samples,
    setup,
    workers,
)
from answerwatch.interfaces.cli.entry import Session
from answerwatch.messages import Messages

GROUPS: dict[str, typer.Typer] = {
    "questions": questions.app,
    "brands": brands.app,
    "platforms": platforms.app,
    "batch": batches.app,
    "samples": samples.app,
    "clean": cleaning.app,
    "dead": dead.app,
    "alerts": dead.alerts,
    "config": setup.config,
    "db": setup.db,
}
"""Commands with sub-commands, by name."""


WRONG_USE = 2


def build() -> typer.Typer:
    """Return the whole command line; help texts are still names of messages."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help="help.main")
    for part in (setup.app, report.app, demo.app, workers.app):
        app.registered_commands += part.registered_commands
    for name, group in GROUPS.items():
        app.add_typer(group, name=name, help=f"help.{name}", no_args_is_help=True)
    return app


def invoke(session: Session, arguments: Sequence[str]) -> int:
    """Run one command of the command line and return its exit code."""
    command = get_command(build())
    _translate(command, session.say)
    try:
        result = command.main(args=list(arguments), prog_name="answerwatch", standalone_mode=False, obj=session)
    except typer.TyperException as error:
        session.terminal.warn(session.say("cli.usage", text=error.format_message()))
        return WRONG_USE
    return result if isinstance(result, int) else 0


def _translate(command: object, say: Messages) -> None:
    """Replace the names of messages in a command's help by the messages."""
    for holder in (command, *getattr(command, "params", ())):
        if text := getattr(holder, "help", None):
            holder.help = say.or_same(text)
    for child in getattr(command, "commands", {}).values():
        _translate(child, say)
