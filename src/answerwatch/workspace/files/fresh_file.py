"""A file that appears whole under its name, or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from answerwatch.errors import ServiceError, UsageError


@contextmanager
def fresh_file(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Give a file to write that takes the name `path` when the block ends well; nothing stays when it does not.

    With `force` it replaces a file of that name. Raises UsageError when the name is taken, ServiceError when the
    operating system refuses: no such folder, no right to write there, no space left.
    """
    refuse_taken(path, force=force)
    part = path.with_name(f".answerwatch-{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        refuse_taken(path, force=force)
        part.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        with suppress(OSError):  # gone already when all went well
            part.unlink()


def refuse_taken(path: Path, *, force: bool) -> None:
    """Raise UsageError when a file must not get this name: something is there that may not be replaced."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise unwritable(path, error) from error
    if not stat.S_ISREG(found.st_mode):
        text = f"{path} is no ordinary file; give another name, or - for standard output."
        raise UsageError("file_no_file", text, file=str(path))
    if not force:
        text = f"{path} is there already; give another name, or --force to replace it."
        raise UsageError("file_taken", text, file=str(path))


def unwritable(path: Path, error: OSError) -> ServiceError:
    """Return the error of a file that the operating system does not let be written."""
    why = error.strerror or str(error)
    text = f"{path} cannot be written ({why}), and nothing of it was left; look at its folder and the space there."
    return ServiceError("file_unwritable", text, file=str(path), why=why)
