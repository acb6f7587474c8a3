"""How a caller asks long work to end."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable


class Stop(Protocol):
    """A wish to stop, set from a signal handler or another thread; `threading.Event` is one."""

    def is_set(self) -> bool:
        """Tell whether the work should end."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set, `timeout` seconds at most, and tell whether it is."""


@runtime_checkable
class UrgentStop(Stop, Protocol):
    """A wish to stop that may become urgent."""

    def is_urgent(self) -> bool:
        """Tell whether the work should end without waiting for what is in hand."""


class _Never:
    """A wish that nobody has."""

    def is_set(self) -> bool:
        return False

    def wait(self, timeout: float | None = None) -> bool:
        time.sleep(timeout or 0.0)
        return False


NEVER: Stop = _Never()
"""For callers that give no wish."""
