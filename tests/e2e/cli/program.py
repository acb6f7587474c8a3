"""The installed program as its users start it: a process of its own, bytes in and out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE_S = 120


@dataclass(frozen=True, slots=True)
class Ended:
    """What a process left behind."""

    code: int
    out: bytes
    err: bytes

    def json(self) -> Any:  # noqa: ANN401 - any JSON document
        """The one document on standard output."""
        assert self.code == 0, self.err.decode()
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Running:
    """A process that has not ended yet."""

    process: subprocess.Popen[bytes]

    def out_line(self) -> str:
        """The next line on standard output."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()

    def err_line(self) -> str:
        """The next line on standard error."""
        assert self.process.stderr is not None
        return self.process.stderr.readline().decode()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def ended(self) -> Ended:
        """What it left behind, apart from lines that were read already."""
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return Ended(self.process.returncode, out, err)


@dataclass(frozen=True, slots=True)
class Program:
    """`answerwatch` over one workspace."""

    home: Path

    def run(self, *arguments: str | bytes, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Ended:
        """Run a command to its end."""
        done = subprocess.run(
            [sys.executable, "-m", "answerwatch", *arguments],
            input=stdin,
            capture_output=True,
            env=self.environment(env),
            timeout=PATIENCE_S,
            check=False,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def started(self, *arguments: str) -> Iterator[Running]:
        """Start a command whose output is read while it runs; it never outlives the block."""
        process = subprocess.Popen(
            [sys.executable, "-m", "answerwatch", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(),
        )
        try:
            yield Running(process)
        finally:
            process.kill()
            process.communicate()

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment of a process: ours without what would change language and encoding."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
        kept.pop("COLUMNS", None)
        given = {"LANG": "C.UTF-8", "ANSWERWATCH_LANGUAGE": "en", "ANSWERWATCH_HOME": str(self.home)}
        return {**kept, **given, **(extra or {})}
