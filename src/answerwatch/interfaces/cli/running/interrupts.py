"""Ctrl-C in two steps: the first one lets the work in hand end well, the second one ends it at once.

Neither raises: KeyboardInterrupt in the middle of a call would be taken for a fault of that call, and be lost. The
third one does, for a program that listens no more.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self

_BY_PEOPLE = (signal.SIGINT, signal.SIGTERM)
_BY_TERMINAL = tuple(number for number in signal.Signals if number.name == "SIGHUP")
"""A terminal that is closed, where there is such a signal; `nohup` has it ignored, and that is left so."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and a closed terminal end the block as Ctrl-C does, so that nothing half-written stays behind.

    Raises KeyboardInterrupt where one arrives; use it in the main thread.
    """
    ends = [number for number in (signal.SIGTERM, *_BY_TERMINAL) if signal.getsignal(number) is signal.SIG_DFL]
    for number in ends:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in ends:
            signal.signal(number, signal.SIG_DFL)


class Interrupts:
    """A stop wish that SIGINT, SIGTERM and SIGHUP set, for the time of a `with` block; use it in the main thread.

    It is what long work takes as `stop`; the second signal makes it urgent, the third raises KeyboardInterrupt.
    Nothing is printed here: a signal may arrive in the middle of another output.
    """

    def __init__(self) -> None:
        """Take over nothing yet."""
        self._event = threading.Event()
        self._urgent = threading.Event()
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> Self:
        """Take over the signals."""
        closing = [number for number in _BY_TERMINAL if signal.getsignal(number) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, self._arrived) for number in (*_BY_PEOPLE, *closing)}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the signals back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # it is what signal.signal returned

    def is_set(self) -> bool:
        """Tell whether the work should end."""
        return self._event.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set, `timeout` seconds at most, and tell whether it is."""
        return self._event.wait(timeout)

    def is_urgent(self) -> bool:
        """Tell whether the work should end without waiting for what is in hand."""
        return self._urgent.is_set()

    def ask(self, *, urgent: bool = False) -> None:
        """Wish, from any thread, for what a first or a second signal would; raises nothing."""
        self._event.set()
        if urgent:
            self._urgent.set()

    def _arrived(self, _number: int, _frame: FrameType | None) -> None:
        if self._urgent.is_set():
            raise KeyboardInterrupt
        (self._urgent if self._event.is_set() else self._event).set()
