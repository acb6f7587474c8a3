"""Platforms as the file has them now: a running worker notices what is added or changed in `platforms.toml`."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from answerwatch.errors import ConfigurationError
from answerwatch.platforms.records import Surface
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.stages.collect.records import FileOfLimits


class LivePlatforms:
    """Finds surfaces by name and reads the file again when it has changed; threads may share it."""

    def __init__(self, file: Path, read: Callable[[], Platforms]) -> None:
        """Read the file at once; raises ConfigurationError when it is wrong."""
        self._file = file
        self._read = read
        self._lock = threading.Lock()
        self._stamp = self._stamp_now()
        self._platforms = read()
        self._good = self._stamp

    def get(self, name: str) -> Surface:
        """Return the surface that a name leads to; raises UsageError for an unknown one.

        While somebody has left the file in disorder, what it said before holds.
        """
        with self._lock:
            self._look()
            return self._platforms.get(name)

    def limits(self) -> FileOfLimits:
        """Return the limits of all platforms; while the file is in disorder, those that it had before."""
        with self._lock:
            self._look()
            changed_us = 0 if self._good is None else self._good[0] // 1000
            return FileOfLimits(changed_us=changed_us, surfaces=self._platforms.all())

    def _look(self) -> None:
        stamp = self._stamp_now()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._platforms = self._read()
        except ConfigurationError:
            return
        self._good = stamp

    def _stamp_now(self) -> tuple[int, int, int] | None:
        try:
            status = self._file.stat()
        except OSError:
            return None
        # An older file that is put in place again keeps its time of writing; on Windows there is no other of use.
        changed_ns = status.st_mtime_ns if os.name == "nt" else status.st_ctime_ns
        return changed_ns, status.st_mtime_ns, status.st_size
