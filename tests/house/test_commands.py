"""Commands and options that the documents show exist in the command line program."""

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.models import CommandInfo

from answerwatch.interfaces.cli.app import build
from answerwatch.interfaces.cli.loading import GROUPS, ROOM, TOP, typer_of
from tests.house.documents import commands, read
from tests.house.sources import ROOT

PAGES = ["README.md", "README.zh-CN.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
SHOWN = sorted({tuple(words) for name in PAGES for words in commands(read(name), "answerwatch")})


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_a_command_of_the_documents_exists_with_its_options(words: tuple[str, ...]) -> None:
    command: Any = build()
    rest = list(words)
    while subcommands := getattr(command, "commands", None):
        assert rest, f"`answerwatch {' '.join(words)}` stops in the middle of a command"
        assert rest[0] in subcommands, f"there is no `{rest[0]}` among {sorted(subcommands)}"
        command = command.get_command(None, rest.pop(0))

    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert not {word for word in rest if word.startswith("--")} - known


JUDGED_LATER = {"slots", "window", "capacity", "in_flight", "seed", "rounds"}
"""Numbers whose limits the workspace knows and tells (`test_numbers_that_nothing_holds_are_told_in_one_line`)."""


def test_every_whole_number_that_a_command_takes_has_a_largest_one() -> None:
    """A number that no column holds is refused where it is typed: a database would answer with a traceback."""
    unbounded = {
        f"{' '.join(words)}: {parameter.name}"
        for words, command in every_command(build())
        for parameter in command.params
        if parameter.type_descriptor.annotation in (int, list[int]) and parameter.max is None
        if parameter.name not in JUDGED_LATER
    }

    assert unbounded == set()


SERVES = {("demo",), ("serve",), ("worker",), ("platforms", "simulate")}
"""Commands that show what goes on until they end, and have no result to hand to a program."""


def test_every_command_with_a_result_gives_it_to_programs_too() -> None:
    """What a person can do a program can do: its result and its errors come as JSON."""
    takes = {words for words, command in every_command(build()) if any("--json" in one.opts for one in command.params)}

    assert {words for words, _ in every_command(build())} - takes == SERVES


def every_command(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401 - what Typer makes
    subcommands = getattr(command, "commands", None)
    if subcommands is None:
        yield words, command
    for name in subcommands or ():
        yield from every_command(command.get_command(None, name), (*words, name))


def test_every_command_of_the_line_is_where_it_is_looked_for() -> None:
    line = build()

    assert [name for name in line.commands if line.get_command(None, name) is None] == []


def test_no_command_of_a_module_is_forgotten() -> None:
    folder = Path(str(files(ROOM)))
    declared = {
        f"{'.'.join(path.relative_to(folder).with_suffix('').parts)}:{name}"
        for path in folder.rglob("*.py")
        for name in re.findall(r"^(\w+) = typer\.Typer\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    reached = {command.callback for place in {*TOP.values(), *GROUPS.values()} for command in commands_of(place)}
    stand_alone = {f"{place} {command.name}" for place in set(TOP.values()) for command in commands_of(place)}

    assert [place for place in sorted(declared) if not {one.callback for one in declared_in(place)} <= reached] == []
    assert stand_alone == {f"{place} {name}" for name, place in TOP.items()}


def commands_of(place: str) -> list[CommandInfo]:
    return typer_of(place).registered_commands


def declared_in(place: str) -> list[CommandInfo]:
    module, attribute = place.split(":")
    declared: typer.Typer = getattr(import_module(f"{ROOM}.{module}"), attribute)
    return declared.registered_commands
