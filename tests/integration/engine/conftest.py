"""A database with the tables of the toy stage too, and the clock that it goes by."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from answerwatch.clock import HeldClock
from answerwatch.store.database import Store
from tests.contract import toy
from tests.databases import Databases


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock(datetime(2026, 11, 1, tzinfo=UTC))


@pytest.fixture
def store(database_kind: str, databases: Databases, clock: HeldClock) -> Iterator[Store]:
    with databases.ready(database_kind, toy.toy) as url:
        made = Store(url, clock)
        yield made
        made.close()
