"""Alerts: what needs a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from answerwatch.errors import UsageError
from answerwatch.store import alerts as shelf
from answerwatch.store.database import Read, Store, Write


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

    def __init__(self, store: Callable[[], Store]) -> None:
        """Work on what `store` opens."""
        self._open_store = store

    def list(self, *, acknowledged: bool = False, limit: int = 50) -> tuple[AlertView, ...]:
        """Return open alerts, newest first; with `acknowledged` the others too."""
        with self._open_store().reading() as read:
            return alert_views(read, acknowledged=acknowledged, most=limit)

    def ack(self, alert_ids: Sequence[int] = (), *, everything: bool = False) -> int:
        """Mark alerts as seen and return how many were open; raises UsageError when an id is unknown."""

        def work(tx: Write) -> int:
            if everything:
                return shelf.acknowledge(tx)
            known = shelf.known(tx, alert_ids)
            for alert_id in alert_ids:
                if alert_id not in known:
                    text = f"There is no alert {alert_id}; `answerwatch alerts list` shows those that are open."
                    raise UsageError("alert_unknown", text, alert=alert_id)
            return shelf.acknowledge(tx, list(alert_ids))

        return self._open_store().transact(work)


def alert_views(read: Read, *, acknowledged: bool = False, most: int = 50) -> tuple[AlertView, ...]:
    """Return alerts as they are shown, at most so many, the newest first."""
    return tuple(
        AlertView(
            alert_id=one.alert_id,
            kind=one.kind,
            subject=one.subject,
            message=one.message,
            first_at=one.first_at,
            last_at=one.last_at,
            count=one.count,
            acknowledged_at=one.acknowledged_at,
        )
        for one in shelf.every(read, open_only=not acknowledged, most=most)
    )
