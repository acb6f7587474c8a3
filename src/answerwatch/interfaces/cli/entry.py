"""Entry point: bad bytes, closed pipes, Ctrl-C and typed errors end in one line and a documented exit code.

Exit codes: 0 done, 1 the work failed, 2 wrong use, 3 configuration or service not reachable, 130 Ctrl-C,
141 the reader of our output went away.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answerwatch.errors import AnswerwatchError, UsageError
from answerwatch.interfaces.cli.output import Terminal
from answerwatch.messages import Messages, language_of

INTERRUPTED = 130
BROKEN_PIPE = 141


@dataclass(frozen=True, slots=True)
class Session:
    """What every command gets: where to write and in which language."""

    terminal: Terminal
    say: Messages


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    session = Session(Terminal(), Messages(language_of()))
    try:
        code = guarded(session, lambda: _invoke(session, arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        return _broken_pipe()
    if session.terminal.replaced:
        session.terminal.warn(session.say("cli.replaced", encoding=sys.stdout.encoding))
    return code


def guarded(session: Session, work: Callable[[], int]) -> int:
    """Do the work and turn what may go wrong into one line and an exit code."""
    try:
        return work()
    except AnswerwatchError as error:
        session.terminal.warn(error_line(error, session.say))
        return error.exit_code
    except KeyboardInterrupt:
        session.terminal.warn(session.say("cli.interrupted"))
        return INTERRUPTED


def error_line(error: AnswerwatchError, say: Messages) -> str:
    """Return the one line that an error is to people."""
    name = f"error.{error.code}"
    text = say(name, **error.facts) if say.has(name) else error.text
    return say("cli.error", text=text)


def _invoke(session: Session, arguments: Sequence[str]) -> int:
    from answerwatch.interfaces.cli.app import invoke  # noqa: PLC0415 - keeps `--version` and errors quick

    for number, argument in enumerate(arguments, start=1):
        check_text(argument, f"argument {number}")
    return invoke(session, list(arguments))


def check_text(text: str, where: str) -> None:
    """Raise UsageError with the byte offset when an argument holds bytes that are no text."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        offset = len(os.fsencode(text[: error.start]))
        raise UsageError(
            "undecodable", f"{where}: byte {offset} is not valid text; write it in UTF-8.", where=where, offset=offset
        ) from error


def read_text(data: bytes, where: str) -> str:
    """Return standard input as text; raises UsageError with the byte offset when it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            "undecodable",
            f"{where}: byte {error.start} is not valid text; write it in UTF-8.",
            where=where,
            offset=error.start,
        ) from error


def _broken_pipe() -> int:
    # Python would complain once more when it closes standard output at exit.
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    return BROKEN_PIPE
