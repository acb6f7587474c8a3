"""Platforms as the file has them now: a running worker notices what is added or changed in `platforms.toml`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from answerwatch.errors import ConfigurationError
from answerwatch.platforms.records import Surface
from answerwatch.platforms.workspace_file import Platforms


class LivePlatforms:
    """Finds surfaces by name and reads the file again when it has changed; threads may share it."""

    def __init__(self, file: Path, read: Callable[[], Platforms]) -> None:
        """Read the file at once; raises ConfigurationError when it is wrong."""
        self._file = file
        self._read = read
        self._lock = threading.Lock()
        self._stamp = self._stamp_now()
        self._platforms = read()

    def get(self, name: str) -> Surface:
        """Return the surface that a name leads to; raises UsageError for an unknown one.

        While somebody has left the file in disorder, what it said before holds.
        """
        with self._lock:
            stamp = self._stamp_now()
            if stamp != self._stamp:
                self._stamp = stamp
                self._renew()
            return self._platforms.get(name)

    def _renew(self) -> None:
        try:
            self._platforms = self._read()
        except ConfigurationError:
            return

    def _stamp_now(self) -> tuple[int, int] | None:
        try:
            status = self._file.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size
