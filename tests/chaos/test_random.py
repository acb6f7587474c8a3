"""The short form: a few random faults for three cells, which together have every database and every carrier.

The long form, `make chaos`, has all nine cells and at least 200 faults; docs/reliability.md holds its figures.
"""

from __future__ import annotations

import random

import pytest

from tests.brokers import RABBITMQ, REDIS
from tests.chaos.long import suffer
from tests.chaos.scene import Cell
from tests.chaos.servers import Servers
from tests.databases import MYSQL, POSTGRES, SQLITE

pytestmark = pytest.mark.chaos

CELLS = (Cell(SQLITE), Cell(POSTGRES, RABBITMQ), Cell(MYSQL, REDIS))

FAULTS = 3


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_random_faults_lose_and_double_nothing(own_servers: Servers, cell: Cell) -> None:
    seed = random.randrange(1_000_000)
    print(f"python -m tests.chaos.long --cells {cell.name} --faults {FAULTS} --seed {seed}")  # noqa: T201 - a red run must be repeatable
    told = suffer(cell, own_servers, seed=seed, count=FAULTS)
    assert len(told.faults) == FAULTS
    assert told.wrong == []
