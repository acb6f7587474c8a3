"""Alerts: what needs a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from answerwatch.errors import UsageError
from answerwatch.store.database import Store, Write
from answerwatch.store.ops import alerts
from answerwatch.store.ops.alerts import Alert


class Alerts:
    """Verbs on alerts."""

    def __init__(self, store: Callable[[], Store]) -> None:
        """Work on what `store` opens."""
        self._open_store = store

    def list(self, *, acknowledged: bool = False, limit: int = 50) -> tuple[Alert, ...]:
        """Return open alerts, newest first; with `acknowledged` the others too."""
        with self._open_store().reading() as read:
            return tuple(alerts.every(read, open_only=not acknowledged, most=limit))

    def ack(self, alert_ids: Sequence[int] = (), *, everything: bool = False) -> int:
        """Mark alerts as seen and return how many were open; raises UsageError when an id is unknown."""

        def work(tx: Write) -> int:
            if everything:
                return alerts.acknowledge(tx)
            known = alerts.known(tx, alert_ids)
            for alert_id in alert_ids:
                if alert_id not in known:
                    text = f"There is no alert {alert_id}; `answerwatch alerts list` shows those that are open."
                    raise UsageError("alert_unknown", text, alert=alert_id)
            return alerts.acknowledge(tx, list(alert_ids))

        return self._open_store().transact(work)
