"""Alerts about what lasts: looked at every minute, told once, open again only after it was gone."""

from datetime import datetime, timedelta

from sqlalchemy import update

from answerwatch.domain.alerts import AlertKind
from answerwatch.store.ops import alerts
from answerwatch.store.schema import alert
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line


def look(line: Line) -> None:
    with line.store.writing() as tx:
        alerts.ring_on(tx, kind=AlertKind.STUCK, subject="clean", cause="clean", message="stuck", seen_every_s=60)


def open_alerts(line: Line) -> list[int]:
    with line.store.reading() as read:
        return [one.count for one in alerts.every(read)]


def seen_last(line: Line, ago: timedelta) -> None:
    with line.store.writing() as tx:
        now: datetime = line.store.clock.now()
        tx.run(update(alert).values(last_at=now - ago))


def test_what_lasts_stays_acknowledged_and_counts_up(make_line: MakeLine) -> None:
    line = make_line()
    look(line)
    with line.store.writing() as tx:
        alerts.acknowledge(tx)

    look(line)
    look(line)

    assert open_alerts(line) == []
    assert [row["count"] for row in line.rows(alert)] == [3]


def test_what_was_gone_and_comes_again_is_open_again(make_line: MakeLine) -> None:
    line = make_line()
    look(line)
    with line.store.writing() as tx:
        alerts.acknowledge(tx)
    seen_last(line, timedelta(seconds=181))

    look(line)

    assert open_alerts(line) == [2]
