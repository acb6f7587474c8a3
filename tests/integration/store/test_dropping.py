"""Piles and groups that are dropped as empty while somebody else is about to use them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Delete, Executable, Table, text

from answerwatch.domain.work import NewTask, Pile
from answerwatch.store.database import Store, Write
from answerwatch.store.schema import work_group, work_pile
from answerwatch.store.work import backlog, ledger, upkeep
from answerwatch.store.work.ledger import GroupSpec
from tests.databases import MYSQL, POSTGRES, Databases

CLEAN = GroupSpec(queue="clean", group_id="B1")
COLLECT = GroupSpec(queue="collect", group_id="B2")

WAITING = {
    POSTGRES: "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    MYSQL: "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'",
}


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    made = Store(database_url)
    yield made
    made.close()


def fill(store: Store, spec: GroupSpec, ids: list[str]) -> int:
    def work(tx: Write) -> int:
        ledger.open_group(tx, spec)
        return ledger.add(tx, spec.queue, spec.group_id, [NewTask(task_id=one, lane=spec.queue) for one in ids])

    return store.transact(work)


def due(store: Store, queue: str) -> list[Pile]:
    with store.reading() as tx:
        return ledger.due(tx, [queue])


def test_a_pile_that_is_gone_leads_to_no_other_ones_tasks(store: Store) -> None:
    """SQLite counted a key up from the highest there is, so the next pile took the place of the one that went."""
    fill(store, CLEAN, ["S1_G1"])
    (known,) = due(store, "clean")
    store.transact(lambda tx: ledger.remove(tx, ["S1_G1"]))
    store.transact(upkeep.drop_empty)
    fill(store, COLLECT, ["S2"])

    claims = store.transact(lambda tx: ledger.claim(tx, known, most=10, worker_id="w", lease_s=30))

    assert claims == []
    assert [pile.pile_id for pile in due(store, "collect")] != [known.pile_id]


class Slow:
    """Lets a transaction wait before it deletes from a table, after it has locked what it will delete."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.locked = threading.Event()
        self.go_on = threading.Event()

    def drop_empty(self, tx: Write) -> None:
        run: Callable[..., int] = tx.run

        def waits(statement: Executable, values: Mapping[str, Any] | None = None) -> int:
            if isinstance(statement, Delete) and statement.table is self.table:
                self.locked.set()
                assert self.go_on.wait(60)
            return run(statement, values)

        setattr(tx, "run", waits)  # noqa: B010 - this transaction alone is made slow
        upkeep.drop_empty(tx)


@pytest.mark.parametrize("table", [work_group, work_pile], ids=str)
@pytest.mark.parametrize(
    "kind", [pytest.param(POSTGRES, marks=pytest.mark.postgres), pytest.param(MYSQL, marks=pytest.mark.mysql)]
)
def test_work_that_comes_while_its_group_or_pile_is_dropped_is_found(
    kind: str, table: Table, databases: Databases, needs_server: Callable[[str], None]
) -> None:
    needs_server(kind)
    with databases.ready(kind) as url, ThreadPoolExecutor(2) as threads:
        store = Store(url)
        fill(store, CLEAN, ["S1_G1"])
        store.transact(lambda tx: ledger.remove(tx, ["S1_G1"]))
        if table is work_group:  # a group is dropped when its piles are gone
            store.transact(lambda tx: tx.run(work_pile.delete()))
        slow = Slow(table)
        dropping = threads.submit(store.transact, slow.drop_empty)
        assert slow.locked.wait(60)
        adding = threads.submit(fill, store, CLEAN, ["S2_G1"])
        until_somebody_waits(store, kind)
        slow.go_on.set()
        dropping.result(60)
        assert adding.result(60) == 1
        with store.reading() as tx:
            depths = ledger.depths(tx)
            left = backlog.has_work(tx, "clean")
        store.close()
    assert left
    assert [(depth.group, depth.ready) for depth in depths] == [("B1", 1)]


def until_somebody_waits(store: Store, kind: str) -> None:
    for _ in range(300):
        with store.reading() as tx:
            if tx.scalar(text(WAITING[kind])):
                return
        threading.Event().wait(0.2)  # InnoDB shows an old picture to those who look more often
    raise AssertionError("nobody waits for the lock")
