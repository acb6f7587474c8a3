"""Encoding in processes: models in Python keep one core busy however many threads call them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

import numpy as np

from answerwatch.domain.failures import Failure, Severity
from answerwatch.similarity.scorer import Floats, ScorerTrouble

FEW_CHARS = 20_000
"""Characters that are encoded here: starting processes takes longer."""
PART_CHARS = 16_000
"""Characters that a process gets at once."""
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Libraries of numerics would start a thread a processor in every process."""

Encode = Callable[[Sequence[str]], Floats]


class Processes:
    """Runs a function over texts, in processes that end with this one."""

    def __init__(self, encode: Encode, count: int | None) -> None:
        """Start nothing yet; `encode` is a function of a module, None: a process a processor."""
        self._encode = encode
        self._count = count or _processors()
        self._pool: ProcessPoolExecutor | None = None

    def run(self, texts: Sequence[str]) -> Floats:
        """Return what the function makes of the texts, in their order.

        Raises ScorerTrouble that may be tried again where a process was ended by somebody.
        """
        if self._count == 1 or sum(map(len, texts)) < FEW_CHARS:
            return self._encode(texts)
        if self._pool is None:
            self._pool = _started(self._count)
        try:
            return np.concatenate(list(self._pool.map(self._encode, _parts(texts))))
        except BrokenProcessPool as error:
            self.close()
            text = "A process that encodes texts was ended; it is started again."
            raise ScorerTrouble(
                Failure(error_type="process_ended", severity=Severity.TEMPORARY, message=text)
            ) from error

    def close(self) -> None:
        """End the processes; what they still do is dropped."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)


def _processors() -> int:
    """Return how many processors this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not there on macOS and Windows
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def _parts(texts: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    chars = 0
    for text in texts:
        if part and chars + len(text) > PART_CHARS:
            yield part
            part, chars = [], 0
        part.append(text)
        chars += len(text)
    if part:
        yield part


def _started(count: int) -> ProcessPoolExecutor:
    """Return processes that begin from nothing: a copy of this one would hold its locks and connections."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    try:
        pool = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent)
        for one in [pool.submit(os.getpid) for _ in range(count)]:  # started now, while the variables are set
            one.result()
        return pool
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _end_with_parent() -> None:
    """Let this process end when the one that started it does, also by force: it would wait for work for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that started it decides what Ctrl-C means
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
