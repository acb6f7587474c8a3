"""How a caller asks long work to end."""

from __future__ import annotations

from typing import Protocol


class Stop(Protocol):
    """A wish to stop, set from a signal handler or another thread; `threading.Event` is one."""

    def is_set(self) -> bool:
        """Tell whether the work should end."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set, `timeout` seconds at most, and tell whether it is."""
