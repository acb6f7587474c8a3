"""A file that appears whole under its name, or not at all.

What is being written lies beside it under a hidden name, locked by whoever writes it. The lock ends with its process,
however that ended, and what nobody holds is removed by the next one to write into the same folder.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from answerwatch.errors import ServiceError, UsageError

if sys.platform != "win32":
    import fcntl

_PREFIX, _SUFFIX = ".answerwatch-", ".part"


@contextmanager
def fresh_file(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Give a file to write that takes the name `path` when the block ends well; nothing stays when it does not.

    With `force` it replaces a file of that name. Raises UsageError when the name is taken, ServiceError when the
    operating system refuses: no such folder, no right to write there, no space left.
    """
    refuse_taken(path, force=force)
    _sweep(path.parent)
    part = path
    try:
        with _begun(path) as file:
            part = Path(file.name)
            yield file
            file.flush()
            os.fsync(file.fileno())
        refuse_taken(path, force=force)
        part.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        if part != path:
            with suppress(OSError):  # gone already when all went well
                part.unlink()


def _begun(path: Path) -> BinaryIO:
    """Return a new file, locked, that will get the name `path`; raises OSError where none can be made."""
    while True:
        part = path.with_name(f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}")
        file = part.open("xb")
        try:
            _hold(file)
            if os.path.samestat(os.fstat(file.fileno()), part.stat()):
                return file
        except (BlockingIOError, FileNotFoundError):  # taken for one that was left, before it was locked
            pass
        file.close()


def beside(part: Path) -> str:
    """Return how names of folders begin that hold more of what is being written; they are removed with it."""
    return f"{part.name}-"


def _sweep(folder: Path) -> None:
    """Remove what processes left that were killed while they wrote; whatever refuses to go stays."""
    with suppress(OSError):  # a folder that may be written and not read
        for part in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
            with suppress(OSError):
                _remove_unheld(part)


def _remove_unheld(part: Path) -> None:
    """Remove what was being written, with what lies beside it; raises OSError where a process holds it."""
    with part.open("rb+") as file:
        _hold(file)
        for more in part.parent.glob(f"{beside(part)}*"):
            shutil.rmtree(more, ignore_errors=True)
        part.unlink()


def _hold(file: BinaryIO) -> None:
    """Lock a file until it is closed; raises OSError when another process holds it.

    Windows needs no lock: there nobody removes a file that somebody has open.
    """
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
