"""What every command is given: where to write, in which language, and the way into the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import typer

from answerwatch.interfaces.cli.output import Terminal
from answerwatch.messages import Messages

if TYPE_CHECKING:
    from answerwatch.workspace import Workspace


@dataclass(slots=True)
class Session:
    """Standard output and error of one command, and the catalogue it speaks from."""

    terminal: Terminal
    say: Messages
    errors_as_json: bool = False
    """A program reads the output: what ends the command is told as JSON too."""

    def adopt(self, language: str, time_zone: str) -> None:
        """Take over what a workspace's settings say about language ('' leaves it) and the zone of shown moments."""
        if language and self.terminal.can_show_language(language):
            self.say = Messages(language)
        self.terminal.zone = ZoneInfo(time_zone)

    def tell(self, name: str, /, **facts: object) -> None:
        """Print a message on standard output."""
        self.terminal.say(self.say(name, **facts))

    def done(self, name: str, /, *, as_json: bool, **facts: object) -> None:
        """Tell what was done: a message with these facts, or the facts themselves for a program."""
        if as_json:
            self.terminal.json(facts)
        else:
            self.tell(name, **facts)

    def remark(self, name: str, /, **facts: object) -> None:
        """Print a message on standard error, where it disturbs no program that reads the result."""
        self.terminal.warn(self.say(name, **facts))

    def fail(self, code: str, line: str, exit_code: int) -> None:
        """Tell on standard error what ends the command: a line for people, or a line of JSON for a program."""
        if self.errors_as_json:
            from answerwatch.workspace.files.as_json import json_bytes  # noqa: PLC0415 - keeps --help quick

            line = json_bytes({"error": {"code": code, "message": line, "exit_code": exit_code}}).decode()
        self.terminal.warn(line)

    def word(self, section: str, value: object) -> str:
        """Return a word of an open set (a status, a reason) in the session's language, itself when it is not known."""
        name = f"{section}.{value}"
        return self.say(name) if self.say.has(name) else str(value)

    def words(self, section: str, names: tuple[str, ...]) -> list[str]:
        """Return several words of one section, as for the head of a table."""
        return [self.word(section, name) for name in names]


def session_of(context: typer.Context) -> Session:
    """Return the session that the entry point put into the context."""
    session = context.obj
    if not isinstance(session, Session):
        raise TypeError("commands are started by answerwatch.interfaces.cli.entry.run")
    return session


@contextmanager
def opened(session: Session, path: Path | None = None, **overrides: object) -> Iterator[Workspace]:
    """Give the workspace of `path`, else the one that ANSWERWATCH_HOME or the current folder names, and close it."""
    from answerwatch.workspace import open_workspace  # noqa: PLC0415 - keeps --help and usage errors quick

    workspace = open_workspace(path, **overrides)
    session.adopt(workspace.settings.language, workspace.settings.time_zone)
    try:
        yield workspace
    finally:
        workspace.close()
