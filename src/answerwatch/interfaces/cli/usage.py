"""How a command explains itself: help in the language of the session, folded to the terminal's width.

Typer's own help measures Chinese text wrongly and speaks English only, so commands of ours raise `HelpAsked` and the
caller prints what `help_table` makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group as Stack
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from answerwatch.messages import Messages

HELP = "--help"


def _formats() -> Iterable[str]:
    from answerwatch.workspace.samples.answer_file import KNOWN_FORMATS  # noqa: PLC0415 - keeps all other help quick

    return KNOWN_FORMATS


_NAMES: Mapping[str, Callable[[], Iterable[str]]] = {"option.import_format": _formats}
"""Help that lists names, with where they come from."""


class HelpAsked(Exception):
    """Somebody wants to know how a command is used."""

    def __init__(self, command: TyperCommand | TyperGroup, usage: str, *, by_mistake: bool) -> None:
        """Keep the command, its line of usage, and whether help comes because a sub-command was left out."""
        super().__init__(usage)
        self.command = command
        self.usage = usage
        self.by_mistake = by_mistake


class Command(TyperCommand):
    """A command that asks for its help to be shown instead of printing it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer keeps its context class private
        """Parse the arguments; raises HelpAsked for `--help` before a bare `--`."""
        if HELP in args[: args.index("--")] if "--" in args else HELP in args:
            raise HelpAsked(self, _usage(self, ctx), by_mistake=False)
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """Commands with a name in front; without a sub-command it asks for its help to be shown."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer keeps its context class private
        """Parse the arguments; raises HelpAsked for `--help` and when nothing follows."""
        if not args or args[0] == HELP:
            raise HelpAsked(self, _usage(self, ctx), by_mistake=not args)
        return super().parse_args(ctx, args)


def _usage(command: TyperCommand | TyperGroup, ctx: Any) -> str:  # noqa: ANN401 - Typer keeps its context class private
    return " ".join((str(ctx.command_path), *command.collect_usage_pieces(ctx)))


def help_table(asked: HelpAsked, say: Messages) -> RenderableType:
    """Return the help of a command: usage, meaning, sub-commands, arguments and options."""
    command = asked.command
    parts: list[RenderableType] = [
        Text(say("cli.usage_line", usage=asked.usage)),
        Padding(Text(say.or_same(command.help or "")), (1, 0, 0, 2), expand=False),
    ]
    children = getattr(command, "commands", {})
    parts += _section(say("cli.commands"), ((name, child.help) for name, child in children.items()), say)
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    parts += _section(say("cli.arguments"), ((_argument(param), _meaning(param)) for param in arguments), say)
    options = [(_spelling(param), _meaning(param)) for param in command.params if param.param_type_name == "option"]
    parts += _section(say("cli.options"), [*options, (HELP, "option.help")], say)
    return Stack(*parts)


def _spelling(option: Any) -> str:  # noqa: ANN401 - an option of Typer, whose class is private
    spelled = ", ".join((*option.opts, *option.secondary_opts))
    return spelled if option.is_flag else f"{spelled} {option.metavar or str(option.name).upper()}"


def _argument(argument: Any) -> str:  # noqa: ANN401 - an argument of Typer, whose class is private
    return str(argument.metavar or argument.name).upper()


def _meaning(parameter: Any) -> str:  # noqa: ANN401 - a parameter of Typer, whose class is private
    return parameter.help or ""


def _said(text: str, say: Messages) -> str:
    return say(text, names=", ".join(_NAMES[text]())) if text in _NAMES else say.or_same(text)


def _section(title: str, rows: Iterable[tuple[str, str | None]], say: Messages) -> Sequence[RenderableType]:
    shown = [(name, _said(text or "", say)) for name, text in rows]
    if not shown:
        return ()
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in shown:
        grid.add_row(Text(name), Text(text))
    return Padding(Text(title), (1, 0, 0, 0), expand=False), Padding(grid, (0, 0, 0, 2), expand=False)
