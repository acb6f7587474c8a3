"""Which command stands in which folder, and the group that loads a folder when one of its commands is called.

Building all commands costs more than most of them do, and help of the whole needs only their names: this is Click's
lazy group. Names and places are data, so that a person finds a command here and then opens its folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
from typer.main import get_group

from answerwatch.interfaces.cli.usage import Command, Group

ROOM = "answerwatch.interfaces.cli"

TOP = {
    "demo": "demo:app",
    "init": "setting_up:app",
    "doctor": "health:app",
    "status": "health:app",
    "report": "reports:app",
    "export": "exports:app",
    "evaluate": "evaluation:app",
    "worker": "running:app",
    "serve": "serving:app",
}
"""Commands that stand by themselves: name -> folder and the Typer in its `commands`."""

GROUPS = {
    "questions": "questions:app",
    "brands": "brands:app",
    "platforms": "platforms:app",
    "batch": "batches:app",
    "samples": "samples:app",
    "clean": "cleaning:app",
    "similarity": "similarity:app",
    "dead": "dead_letters:app",
    "alerts": "alerts:app",
    "keys": "keys:app",
    "config": "setting_up:config",
    "db": "setting_up:db",
}
"""Commands with sub-commands: name -> folder and the Typer in its `commands`."""


VERSION = "--version"


class VersionAsked(Exception):
    """Somebody wants to know which version this is."""


class Loading(Group):
    """The root: holds commands without parameters until one is called, which is then loaded from its folder."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - what Typer makes a group with
        """Hold every name with its help, enough for the help of the whole and for suggestions after a slip."""
        super().__init__(**given)
        self.commands.update({name: Command(name, help=f"help.{name}") for name in TOP})
        self.commands.update({name: Group(name=name, help=f"group.{name}") for name in GROUPS})

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer keeps its context class private
        """Parse the arguments; raises VersionAsked for `--version` and HelpAsked as every group does."""
        if args[:1] == [VERSION]:
            raise VersionAsked
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - Typer keeps the classes of both private
        """Return a command with all that belongs to it, None where there is none of the name."""
        del ctx
        if cmd_name in GROUPS:
            return _declared(GROUPS[cmd_name], name=cmd_name, help=f"group.{cmd_name}").get(cmd_name)
        return _declared(TOP[cmd_name]).get(cmd_name) if cmd_name in TOP else None


def typer_of(place: str) -> typer.Typer:
    """Return the Typer that stands at a place, after loading the commands of its folder."""
    folder, attribute = place.split(":")
    found: typer.Typer = getattr(import_module(f"{ROOM}.{folder}.commands"), attribute)
    return found


def _declared(place: str, **given: Any) -> Mapping[str, object]:  # noqa: ANN401 - what Typer makes a group with
    """Return the commands that a place declares; given a name, they are sub-commands of one command of that name."""
    app = typer_of(place)
    for command in app.registered_commands:
        command.cls = Command
    whole = typer.Typer()
    whole.add_typer(app, cls=Group, **given)
    return get_group(whole).commands
