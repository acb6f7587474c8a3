"""All commands together, in the language of the session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from typer.main import get_command

from answerwatch import __version__
from answerwatch.interfaces.cli.exit_codes import DONE, WRONG_USE
from answerwatch.interfaces.cli.loading import VERSION, Loading, VersionAsked
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.usage import HelpAsked, help_table


def _main(*, version: Annotated[bool, typer.Option(VERSION, help="option.version")] = False) -> None:
    """Declare the option for the help; `Loading` answers it before Typer loads what it reads values with."""


def build() -> Loading:
    """Return the whole command line; help texts are still names of messages."""
    app = typer.Typer(cls=Loading, add_completion=False, pretty_exceptions_enable=False, help="help.main")
    app.callback(invoke_without_command=True)(_main)
    command = get_command(app)
    if not isinstance(command, Loading):
        raise TypeError("a Typer with a callback makes a group of its class")
    return command


def invoke(session: Session, arguments: Sequence[str]) -> int:
    """Run one command of the command line and return its exit code."""
    command = build()
    try:
        with command.make_context("answerwatch", list(arguments), obj=session) as context:
            result = command.invoke(context)
    except HelpAsked as asked:
        session.terminal.show(help_table(asked, session.say))
        return WRONG_USE if asked.by_mistake else DONE
    except VersionAsked:
        session.terminal.say(f"answerwatch {__version__}")
        return DONE
    except typer.Exit as exit_:
        return exit_.exit_code
    except typer.TyperException as error:
        text = session.say.recognised("usage", " ".join(error.format_message().split()))
        session.fail("usage", session.say("cli.usage", text=text), WRONG_USE)
        return WRONG_USE
    return result if isinstance(result, int) else 0
