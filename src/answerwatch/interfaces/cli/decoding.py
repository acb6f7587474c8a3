"""Arguments and standard input as text: UTF-8, or an error that names the byte."""

from __future__ import annotations

import os

from answerwatch.errors import UsageError


def argument_text(argument: str, where: str) -> str:
    """Return an argument as text, also under a locale that knows ASCII only.

    Raises UsageError with the byte offset when its bytes are not UTF-8.
    """
    if argument.isascii():
        return argument
    return _decoded(os.fsencode(argument), where)


def read_text(data: bytes, where: str) -> str:
    """Return standard input as text; raises UsageError with the byte offset when it is not UTF-8."""
    return _decoded(data, where).removeprefix("\ufeff")


def _decoded(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = f"{where}: byte {error.start} is not valid text; write it in UTF-8."
        raise UsageError("undecodable", text, where=where, offset=error.start) from error
