"""Platform keys: from the environment, or from `secrets.env` beside the settings; the environment wins."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from answerwatch.errors import ConfigurationError

FILE_NAME = "secrets.env"
"""Optional, one `NAME=value` a line; for its owner's eyes only."""


def keys(home: Path, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment with the file's names added where it lacks them or leaves them empty.

    Raises ConfigurationError when others may read the file, or a line is not `NAME=value`.
    """
    environ = os.environ if environ is None else environ
    return {**read_file(home / FILE_NAME), **{name: value for name, value in environ.items() if value}}


def read_file(file: Path) -> dict[str, str]:
    """Return the names and values of the file; empty when it is not there."""
    try:
        mode = file.stat().st_mode
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        text = f"{file} cannot be read: {error}."
        raise ConfigurationError("secrets_unreadable", text, file=str(file), why=str(error)) from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        text = f"{file} can be read by others; run: chmod 600 {file}"
        raise ConfigurationError("secrets_open", text, file=str(file))
    return dict(_pair(file, number, line) for number, line in enumerate(lines, start=1) if _says_something(line))


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _pair(file: Path, number: int, line: str) -> tuple[str, str]:
    name, equals, value = line.strip().removeprefix("export ").partition("=")
    if not equals or not name.strip().isidentifier():
        text = f"{file}, line {number}: write NAME=value."
        raise ConfigurationError("secrets_line", text, file=str(file), line=number)
    return name.strip(), value.strip().strip("\"'")
