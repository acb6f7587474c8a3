"""The folder in which workers hold their locks, and the error when they cannot; looked at before there are workers."""

from __future__ import annotations

import tempfile
from pathlib import Path

from answerwatch.errors import ServiceError


def refuse_unlockable(folder: Path) -> None:
    """Raise ServiceError when no worker could hold its lock there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise unlockable(folder, error) from error


def unlockable(folder: Path, error: OSError) -> ServiceError:
    """Return the error of a folder in which no worker can hold its lock."""
    text = f"The folder for worker locks {folder} cannot be written: {error.strerror or error}. Check its rights."
    return ServiceError("lock_folder", text, folder=str(folder))
