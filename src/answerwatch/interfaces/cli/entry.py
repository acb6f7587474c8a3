"""Entry point: bad bytes, closed pipes, Ctrl-C and typed errors end in one line and a documented exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from answerwatch.errors import AnswerwatchError
from answerwatch.interfaces.cli.decoding import argument_text
from answerwatch.interfaces.cli.exit_codes import BROKEN_PIPE, INTERRUPTED, NOT_REACHABLE
from answerwatch.interfaces.cli.options import JSON
from answerwatch.interfaces.cli.output import Terminal
from answerwatch.interfaces.cli.session import Session
from answerwatch.messages import FALLBACK, Messages, language_of

_OF_OUTPUT = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Errors without a file's name that come from writing to standard output: all else that is written has a name."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    _open_missing_streams()
    terminal = Terminal()
    language = language_of()
    say = Messages(language if terminal.can_show_language(language) else FALLBACK)
    session = Session(terminal, say, errors_as_json=JSON in arguments)
    try:
        code = guarded(session, lambda: _invoke(session, arguments))
        sys.stdout.flush()
        if session.terminal.replaced:
            session.remark("cli.replaced", encoding=sys.stdout.encoding)
    except BrokenPipeError:
        _silence_streams()
        return BROKEN_PIPE
    return code


def guarded(session: Session, work: Callable[[], int]) -> int:
    """Do the work and turn what may go wrong into one line and an exit code."""
    try:
        return work()
    except AnswerwatchError as error:
        session.fail(error.code, error_line(error, session.say), error.exit_code)
        return error.exit_code
    except KeyboardInterrupt:
        session.remark("cli.interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except OSError as error:
        # Whatever the operating system refuses outside of the store: output on a full disk, a folder of nobody's.
        _silence_streams(stderr=False)
        with suppress(OSError):  # standard error may be what is gone, as with a terminal that was closed
            session.fail("refused", _refusal(error, session.say), NOT_REACHABLE)
        return NOT_REACHABLE


def _refusal(error: OSError, say: Messages) -> str:
    """Return what an error of the operating system is to people: what was being done, and what to do."""
    reason = say.recognised("usage", error.strerror or str(error))
    if error.filename is not None:
        return say("cli.refused", reason=reason, place=error.filename)
    if error.errno in _OF_OUTPUT:
        return say("cli.refused_output", reason=reason)
    return say("cli.refused_nowhere", reason=reason)


def error_line(error: AnswerwatchError, say: Messages) -> str:
    """Return the one line that an error is to people."""
    text = say.of_code(f"error.{error.code}", error.text, error.facts)
    return say("cli.error", text=" ".join(text.split()))


def _invoke(session: Session, arguments: Sequence[str]) -> int:
    from answerwatch.interfaces.cli.app import invoke  # noqa: PLC0415 - a bad argument is told without loading commands

    texts = [argument_text(argument, session.say("cli.argument", number=n)) for n, argument in enumerate(arguments, 1)]
    return invoke(session, texts)


def _open_missing_streams() -> None:
    """Give a process that was started without standard streams something to write to."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process


def _silence_streams(*, stderr: bool = True) -> None:
    """Let Python's last flush at exit go nowhere: it would complain about the same fault once more."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr) if stderr else (sys.stdout,):
        os.dup2(devnull, stream.fileno())
