"""Encoding in processes: models in Python keep one core busy however many threads call them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import accumulate, pairwise
from multiprocessing.connection import wait

import numpy as np

from answerwatch.domain.failures import Failure, Severity
from answerwatch.scorers.cores import cores, limited
from answerwatch.similarity.scorer import Floats, ScorerTrouble

FEW_CHARS = 20_000
"""Characters that are encoded here: starting processes takes longer."""
PART_CHARS = 16_000
"""Characters that a process gets at once, give or take a text."""

Encode = Callable[[Sequence[str]], Floats]


class Processes:
    """Runs a function over texts, in processes that end with this one."""

    def __init__(self, encode: Encode, count: int | None) -> None:
        """Start nothing yet; `encode` is a function of a module, None: a process a processor."""
        self._encode = encode
        self._count = count or cores()
        self._pool: ProcessPoolExecutor | None = None

    def run(self, texts: Sequence[str]) -> Floats:
        """Return what the function makes of the texts, in their order.

        Raises ScorerTrouble that may be tried again where a process was ended by somebody, or this was closed.
        """
        if self._count == 1 or sum(map(len, texts)) < FEW_CHARS:
            return self._encode(texts)
        pool = None
        try:
            pool = self._pool = self._pool or _started(self._count)
            return np.concatenate(list(pool.map(self._encode, parts(texts, self._count))))
        except BrokenProcessPool as error:
            self.close()
            raise _trouble("process_ended", "A process that encodes texts was ended; it is started again.") from error
        except (CancelledError, RuntimeError) as error:
            if self._pool is pool:
                raise
            raise _trouble("scorer_closed", "The scorer was closed while it encoded texts.") from error

    def close(self) -> None:
        """End the processes; what they still do is dropped."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)


def _trouble(error_type: str, text: str) -> ScorerTrouble:
    return ScorerTrouble(Failure(error_type=error_type, severity=Severity.TEMPORARY, message=text))


def parts(texts: Sequence[str], processes: int) -> Iterator[Sequence[str]]:
    """Yield the texts in parts of about the same length, as many for each process: none waits for a last one."""
    ends = list(accumulate(map(len, texts)))
    count = processes * -(-ends[-1] // (processes * PART_CHARS))
    cuts = [bisect_right(ends, ends[-1] * part / count) for part in range(1, count)]
    for first, last in pairwise((0, *cuts, len(texts))):
        if first < last:
            yield texts[first:last]


def _started(count: int) -> ProcessPoolExecutor:
    """Return processes that begin from nothing: a copy of this one would hold its locks and connections."""
    pool = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent)
    with limited(1):  # a thread a processor in each process would be in each other's way
        for one in [pool.submit(os.getpid) for _ in range(count)]:
            one.result()
    return pool


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
