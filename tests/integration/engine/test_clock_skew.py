"""Workers whose clocks disagree share one bucket: the time that counts is the database server's."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from answerwatch.clock import SystemClock
from answerwatch.engine.engine import Engine
from answerwatch.simulator import worst_excess
from answerwatch.store.database import Store
from answerwatch.store.work import lanes
from tests.contract import toy
from tests.contract.toy import LANE, STAMPS
from tests.databases import MYSQL, POSTGRES, Databases

RATE, CAPACITY = 40.0, 10
SKEWS_S = (-3.0, 0.0, 3.0)


class WrongClock(SystemClock):
    """The machine's clock, seen by somebody who is off by some seconds."""

    def __init__(self, off_s: float) -> None:
        self.off_s = off_s

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.off_s)


@pytest.mark.parametrize(
    "kind", [pytest.param(POSTGRES, marks=pytest.mark.postgres), pytest.param(MYSQL, marks=pytest.mark.mysql)]
)
def test_rep_bucket_clock_skew(
    kind: str, needs_server: Callable[[str], None], databases: Databases, tmp_path: Path
) -> None:
    needs_server(kind)
    STAMPS.clear()
    with databases.ready(kind, toy.toy) as url, ExitStack() as ending:
        stores = [Store(url, WrongClock(skew)) for skew in SKEWS_S]
        for store in stores:
            ending.callback(store.close)
        full = stores[0]
        full.transact(lambda tx: lanes.ensure(tx, LANE, rate=RATE, capacity=CAPACITY, in_flight=None))
        toy.add(full, [f"stamp::{number:03}" for number in range(200)])
        for store in stores:
            ending.enter_context(toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path))))
        toy.eventually(lambda: toy.nothing_left(full), "all starts")

    assert len(STAMPS) == 200
    assert worst_excess(STAMPS, RATE, CAPACITY) <= 1
