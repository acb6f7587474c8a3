"""The ledger on a real database: claims, the fence, taking back, holding, time-outs."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from answerwatch.clock import MICROSECONDS, HeldClock
from answerwatch.domain.work import Claim, NewTask, Pile
from answerwatch.store.database import Store, Write
from answerwatch.store.schema import work_group, work_pile
from answerwatch.store.work import backlog, groups, ledger, upkeep
from answerwatch.store.work.ledger import GroupSpec
from tests.databases import SQLITE, Databases

QUEUE = "collect"
SPEC = GroupSpec(queue=QUEUE, group_id="B1")


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock(datetime(2026, 11, 1, tzinfo=UTC))


@pytest.fixture
def store(database_url: str, clock: HeldClock) -> Iterator[Store]:
    store = Store(database_url, clock)
    yield store
    store.close()


def fill(store: Store, ids: list[str], spec: GroupSpec = SPEC, *, lane: str = "a") -> int:
    def work(tx: Write) -> int:
        ledger.open_group(tx, spec)
        return ledger.add(
            tx, spec.queue, spec.group_id, [NewTask(task_id=one, lane=lane, seq=seq) for seq, one in enumerate(ids)]
        )

    return store.transact(work)


def piles(store: Store) -> list[Pile]:
    with store.reading() as tx:
        return ledger.due(tx, [QUEUE])


def claim(store: Store, most: int = 100, *, worker: str = "w1", lease_s: float = 30.0) -> list[Claim]:
    pile = piles(store)[0]
    return store.transact(lambda tx: ledger.claim(tx, pile, most=most, worker_id=worker, lease_s=lease_s))


def ids(claims: list[Claim]) -> list[str]:
    return [each.task_id for each in claims]


def test_what_is_added_twice_is_there_once(store: Store) -> None:
    assert fill(store, ["1", "2"]) == 2
    assert fill(store, ["2", "3"]) == 1
    assert ids(claim(store)) == ["1", "2", "3"] or sorted(ids(claim(store))) == ["1", "2", "3"]


def test_a_claim_takes_the_first_tasks_in_order_and_nobody_gets_them_again(store: Store) -> None:
    fill(store, ["c", "b", "a"])
    assert ids(claim(store, 2)) == ["c", "b"]
    assert ids(claim(store, 2)) == ["a"]
    assert piles(store) == []


def test_every_claim_has_a_token_of_its_own(store: Store, clock: HeldClock) -> None:
    fill(store, ["1"])
    first = claim(store)[0]
    clock.advance(31)
    store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=[]))
    second = claim(store)[0]
    assert first.token != second.token


def test_the_fence_refuses_a_claim_that_was_taken_back(store: Store, clock: HeldClock) -> None:
    """The same worker, even under the same name, has no right to its old claim."""
    fill(store, ["1", "2"])
    late = claim(store, worker="same")
    clock.advance(31)
    store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=[]))
    assert store.transact(lambda tx: ledger.fence(tx, late)) == ([], [])
    now = claim(store, worker="same")
    assert store.transact(lambda tx: ledger.fence(tx, late)) == ([], [])
    assert ids(store.transact(lambda tx: ledger.fence(tx, [*reversed(now)])).mine) == ["1", "2"]


def test_a_lease_that_is_renewed_is_not_taken_back(store: Store, clock: HeldClock) -> None:
    fill(store, ["1", "2"])
    held = claim(store)
    clock.advance(20)
    foreign = held[1]._replace(token="somebody else")
    assert store.transact(lambda tx: ledger.renew(tx, [held[0], foreign], 30.0)) == {"1"}
    clock.advance(20)
    freed = store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=[]))
    assert [(each.claim.task_id, each.crashes) for each in freed] == [("2", 1)]


def test_the_work_of_a_dead_worker_comes_back_at_once(store: Store) -> None:
    fill(store, ["1", "2"])
    claim(store, 1, worker="dead", lease_s=9999)
    claim(store, 1, worker="alive", lease_s=9999)
    freed = store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=["dead"]))
    assert [each.claim.task_id for each in freed] == ["1"]


def test_only_the_wanted_queues_are_taken_back(store: Store) -> None:
    fill(store, ["1"])
    claim(store, worker="dead")
    assert store.transact(lambda tx: upkeep.take_back(tx, queues=["clean"], dead_workers=["dead"])) == []


def test_failures_and_interruptions_are_counted_apart(store: Store) -> None:
    fill(store, ["1"])
    first = claim(store)
    store.transact(lambda tx: ledger.hand_back(tx, first, spent_attempt=False))
    second = claim(store)
    store.transact(lambda tx: ledger.hand_back(tx, second, spent_attempt=True))
    third = claim(store)[0]
    assert (third.failures, third.interruptions, third.attempt) == (0, 1, 2)
    store.transact(lambda tx: ledger.retry(tx, third, tx.now_us()))
    fourth = claim(store)[0]
    assert (fourth.failures, fourth.interruptions, fourth.attempt) == (1, 1, 3)


def test_an_outcome_clears_the_crashes(store: Store) -> None:
    fill(store, ["1"])
    for _ in range(4):
        claim(store, worker="dead")
        store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=["dead"]))
    answered = claim(store)[0]
    store.transact(lambda tx: ledger.retry(tx, answered, tx.now_us()))
    claim(store, worker="dead")
    freed = store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=["dead"]))
    assert [each.crashes for each in freed] == [1]


def test_a_retry_waits_until_it_is_due(store: Store, clock: HeldClock) -> None:
    fill(store, ["1"])
    held = claim(store)[0]
    store.transact(lambda tx: ledger.retry(tx, held, tx.now_us() + 60 * MICROSECONDS))
    assert piles(store) == []
    clock.advance(60)
    assert ids(claim(store)) == ["1"]


def test_a_paused_group_is_not_served_and_priority_goes_first(store: Store) -> None:
    fill(store, ["1"])
    fill(store, ["2"], replace(SPEC, group_id="B2", order=5))
    fill(store, ["3"], replace(SPEC, group_id="B3", order=9, priority=1))
    assert [pile.group for pile in piles(store)] == ["B3", "B1", "B2"]
    assert store.transact(lambda tx: groups.hold(tx, QUEUE, "B3")) is True
    assert store.transact(lambda tx: groups.hold(tx, QUEUE, "B3")) is False
    assert [pile.group for pile in piles(store)] == ["B1", "B2"]


def test_the_clock_of_a_group_starts_with_its_first_claim_and_stands_still_in_a_pause(
    store: Store, clock: HeldClock
) -> None:
    fill(store, ["1", "2"], replace(SPEC, budget_us=100 * MICROSECONDS))
    clock.advance(1000)
    held = claim(store, 1)
    with store.reading() as tx:
        start = tx.now_us()
    assert held[0].deadline_us == start + 100 * MICROSECONDS
    clock.advance(40)
    store.transact(lambda tx: groups.hold(tx, QUEUE, "B1"))
    clock.advance(500)
    assert store.transact(lambda tx: groups.is_over(tx, QUEUE, "B1")) is False
    store.transact(lambda tx: groups.release(tx, QUEUE, "B1"))
    clock.advance(59)
    assert len(piles(store)) == 1
    clock.advance(2)
    assert store.transact(lambda tx: groups.is_over(tx, QUEUE, "B1")) is True
    assert piles(store) == []


def test_no_lease_outlives_the_deadline_of_its_group(store: Store, clock: HeldClock) -> None:
    fill(store, ["1"], replace(SPEC, budget_us=10 * MICROSECONDS))
    held = claim(store, lease_s=3600)
    clock.advance(5)
    assert store.transact(lambda tx: ledger.renew(tx, held, 3600)) == {"1"}
    clock.advance(6)
    assert len(store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=[]))) == 1


def test_what_is_removed_is_gone_whoever_holds_it(store: Store) -> None:
    fill(store, ["1", "2", "3"])
    held = claim(store, 1)
    assert store.transact(lambda tx: ledger.remove(tx, ["3", "1", "9"])) == ["1", "3"]
    assert store.transact(lambda tx: ledger.fence(tx, held)) == ([], [])
    with store.reading() as tx:
        assert ledger.outstanding(tx, QUEUE, "B1") == ["2"]
        assert backlog.has_work(tx, QUEUE, ["B1"])
        assert not backlog.has_work(tx, QUEUE, ["B2"])


def test_paused_and_cancelled_work_must_not_start(store: Store) -> None:
    fill(store, ["1", "2"])
    fill(store, ["3"], replace(SPEC, group_id="B2", order=1))
    held = [*claim(store), *claim(store)]
    store.transact(lambda tx: ledger.remove(tx, ["2"]))
    store.transact(lambda tx: groups.hold(tx, QUEUE, "B2"))
    with store.reading() as tx:
        assert ledger.startable(tx, held) == {"1"}


def test_empty_piles_and_groups_are_dropped_and_others_stay(store: Store) -> None:
    fill(store, ["1"])
    fill(store, ["2"], replace(SPEC, group_id="B2"))
    store.transact(lambda tx: ledger.remove(tx, ["1"]))
    store.transact(upkeep.drop_empty)
    with store.reading() as tx:
        assert [row.group_id for row in tx.all(work_group.select())] == ["B2"]
        assert [row.group_id for row in tx.all(work_pile.select())] == ["B2"]


def test_more_than_one_chunk_of_ids_is_settled_in_one_transaction(store: Store) -> None:
    everything = [f"{number:05}" for number in range(1300)]
    fill(store, everything)
    held = [each for _ in range(3) for each in claim(store, 500)]
    mine = store.transact(lambda tx: ledger.fence(tx, held[::-1])).mine
    assert ids(mine) == everything
    store.transact(lambda tx: ledger.finish(tx, mine))
    with store.reading() as tx:
        assert not backlog.has_work(tx, QUEUE)


def test_claims_of_many_threads_never_overlap(store: Store) -> None:
    fill(store, [f"{number:04}" for number in range(400)])

    def take(worker: int) -> list[str]:
        found: list[str] = []
        for _ in range(20):
            found += ids(claim(store, 5, worker=f"w{worker}"))
        return found

    with ThreadPoolExecutor(4) as threads:
        taken = [one for part in threads.map(take, range(4)) for one in part]
    assert sorted(taken) == [f"{number:04}" for number in range(400)]


def test_rep_sqlite_busy_snapshot_a_transaction_is_a_writer_from_its_beginning(databases: Databases) -> None:
    """One that becomes a writer later fails at once when another wrote in between."""
    with databases.ready(SQLITE) as url, closing(Store(url)) as store:
        fill(store, ["1"])
        assert store.file is not None
        others_wait(store, store.file)


def others_wait(store: Store, file: Path) -> None:
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as other, store.writing() as tx:
        found = ledger.due(tx, [QUEUE])
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("UPDATE work_task SET seq = seq + 1")
        assert ids(ledger.claim(tx, found[0], most=1, worker_id="w1", lease_s=30)) == ["1"]
