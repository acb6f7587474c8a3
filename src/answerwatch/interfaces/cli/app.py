"""All commands together, in the language of the session."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version as installed_version
from typing import Annotated

import typer
from typer.main import get_command

from answerwatch.interfaces.cli import (
    alerts,
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
from answerwatch.interfaces.cli.exit_codes import DONE, WRONG_USE
from answerwatch.interfaces.cli.session import Session, session_of
from answerwatch.interfaces.cli.usage import Command, Group, HelpAsked, help_table

GROUPS: dict[str, typer.Typer] = {
    "questions": questions.app,
    "brands": brands.app,
    "platforms": platforms.app,
    "batch": batches.app,
    "samples": samples.app,
    "clean": cleaning.app,
    "dead": dead.app,
    "alerts": alerts.app,
    "config": setup.config,
    "db": setup.db,
}
"""Commands with sub-commands, by name."""

TOP = (demo.app, setup.app, report.app, workers.app)
"""Commands that stand by themselves."""


def build() -> typer.Typer:
    """Return the whole command line; help texts are still names of messages."""
    app = typer.Typer(cls=Group, add_completion=False, pretty_exceptions_enable=False, help="help.main")
    app.callback(invoke_without_command=True)(_main)
    for part in TOP:
        app.registered_commands += part.registered_commands
    for name, group in GROUPS.items():
        app.add_typer(group, name=name, cls=Group, help=f"group.{name}")
    for part in (app, *GROUPS.values()):
        for command in part.registered_commands:
            command.cls = Command
    return app


def _main(
    context: typer.Context, *, version: Annotated[bool, typer.Option("--version", help="option.version")] = False
) -> int:
    if version:
        session_of(context).terminal.say(f"answerwatch {installed_version('answerwatch')}")
        raise typer.Exit
    return 0


def invoke(session: Session, arguments: Sequence[str]) -> int:
    """Run one command of the command line and return its exit code."""
    command = get_command(build())
    try:
        with command.make_context("answerwatch", list(arguments), obj=session) as context:
            result = command.invoke(context)
    except HelpAsked as asked:
        session.terminal.show(help_table(asked, session.say))
        return WRONG_USE if asked.by_mistake else DONE
    except typer.Exit as exit_:
        return exit_.exit_code
    except typer.TyperException as error:
        session.remark("cli.usage", text=error.format_message())
        return WRONG_USE
    return result if isinstance(result, int) else 0
