"""Alerts: what needs a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertView:
    """One cause for a person to act; a storm of the same cause only counts up."""

    alert_id: int
    kind: str
    subject: str
    message: str
    first_at: datetime
    last_at: datetime
    count: int
    acknowledged_at: datetime | None


class Alerts:
    """Verbs on alerts."""

    def list(self, *, acknowledged: bool = False) -> tuple[AlertView, ...]:
        """Return open alerts, newest first; with `acknowledged` the others too."""
        raise NotImplementedError

    def ack(self, alert_ids: Sequence[int] = (), *, everything: bool = False) -> int:
        """Mark alerts as seen and return how many; raises UsageError when an id is unknown."""
        raise NotImplementedError
