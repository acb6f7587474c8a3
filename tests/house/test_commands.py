"""Commands and options that the documents show exist in the command line program."""

import pytest
from typer.main import get_command

from answerwatch.interfaces.cli.app import build
from tests.house.documents import commands, read
from tests.house.sources import ROOT

PAGES = ["README.md", "README.zh-CN.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
SHOWN = sorted({tuple(words) for name in PAGES for words in commands(read(name), "answerwatch")})


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_a_command_of_the_documents_exists_with_its_options(words: tuple[str, ...]) -> None:
    command = get_command(build())
    rest = list(words)
    while subcommands := getattr(command, "commands", None):
        assert rest, f"`answerwatch {' '.join(words)}` stops in the middle of a command"
        assert rest[0] in subcommands, f"there is no `{rest[0]}` among {sorted(subcommands)}"
        command = subcommands[rest.pop(0)]

    known = {option for parameter in command.params for option in parameter.opts}
    assert not {word for word in rest if word.startswith("--")} - known
