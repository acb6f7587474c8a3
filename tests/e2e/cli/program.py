"""The installed program as its users start it: a process of its own, bytes in and out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
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

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command whose output is read while it runs."""
        return subprocess.Popen(
            [sys.executable, "-m", "answerwatch", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(),
        )

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment of a process: ours without what would change language and encoding."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
        kept.pop("COLUMNS", None)
        given = {"LANG": "C.UTF-8", "ANSWERWATCH_LANGUAGE": "en", "ANSWERWATCH_HOME": str(self.home)}
        return {**kept, **given, **(extra or {})}
