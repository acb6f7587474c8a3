"""How alerts are shown to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.listing import Listing
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.shown_records import Alert

LONGEST_MESSAGE = 160


def _alert_row(session: Session, alert: Alert) -> tuple[object, ...]:
    message = one_line(session.say.stored(session.say.translated(alert.message)), LONGEST_MESSAGE)
    return alert.alert_id, session.word("alert", alert.kind), alert.subject, message, alert.count, alert.last_at


ALERTS: Listing[Alert] = Listing(columns=("alert", "kind", "subject", "message", "count", "last_at"), row=_alert_row)
