"""How many processors a scorer may keep busy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

THREADS = "OMP_NUM_THREADS"
"""Variable by which libraries of numerics, and scorers, are told to use fewer processors than there are."""
_ALL = (THREADS, "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def cores() -> int:
    """Return how many processors this process may use: those it is bound to, and no more than the variable says."""
    allowed = getattr(os, "sched_getaffinity", None)  # not there on macOS and Windows
    there = len(allowed(0)) if allowed is not None else os.cpu_count() or 1
    told = os.environ.get(THREADS, "")
    return min(there, max(1, int(told))) if told.isdecimal() else there


@contextmanager
def limited(threads: int) -> Iterator[None]:
    """Let libraries that are loaded, and processes that are started, inside the context use so many threads."""
    before = {name: os.environ.get(name) for name in _ALL}
    os.environ.update(dict.fromkeys(_ALL, str(threads)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
