"""What the sweeper does for groups and workers, on a clock that is moved by hand."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock

from answerwatch.clock import MICROSECONDS, HeldClock
from answerwatch.domain.limits import Breaker, LaneState
from answerwatch.domain.work import Claim
from answerwatch.engine.sweeper import Sweeper
from answerwatch.engine.workers import Presence
from answerwatch.store.database import Store, Write
from answerwatch.store.work import groups, lanes, ledger, workers
from answerwatch.store.work.ledger import GroupSpec
from tests.contract import toy
from tests.contract.toy import LANE, QUEUE

SPEC = GroupSpec(queue=QUEUE, group_id="B1", budget_us=100 * MICROSECONDS)


@pytest.fixture
def presence(store: Store, tmp_path: Path) -> Iterator[Presence]:
    presence = Presence(store, tmp_path / "locks")
    presence.enter()
    yield presence
    presence.leave(settled=True)


@pytest.fixture
def sweeper(store: Store, presence: Presence) -> Sweeper:
    return Sweeper(store, {QUEUE: toy.ToyStage()}, presence)


def claim(store: Store, *, worker: str = "w1", lease_s: float = 3600.0) -> list[Claim]:
    def work(tx: Write) -> list[Claim]:
        return ledger.claim(tx, ledger.due(tx, [QUEUE])[0], most=10, worker_id=worker, lease_s=lease_s)

    return store.transact(work)


def park(store: Store, breaker: Breaker) -> None:
    def work(tx: Write) -> None:
        lanes.ensure(tx, LANE, rate=None, capacity=None, in_flight=None)
        lanes.save(tx, replace(LaneState(lane=LANE), breaker=breaker, breaker_us=tx.now_us()))

    store.transact(work)


def block(store: Store, seconds: int) -> None:
    """Let the lane wait because its platform asked for it."""

    def work(tx: Write) -> None:
        lanes.ensure(tx, LANE, rate=None, capacity=None, in_flight=None)
        until = tx.now_us() + seconds * MICROSECONDS
        lanes.save(tx, replace(LaneState(lane=LANE), blocked_us=until))

    store.transact(work)


def blocked_s(store: Store) -> float:
    with store.reading() as tx:
        (lane,) = lanes.every(tx)
        return (lane.blocked_us - tx.now_us()) / MICROSECONDS


def deadline(store: Store) -> int | None:
    with store.reading() as tx:
        return groups.clocks(tx, QUEUE)[0].deadline_us


def sweep_for(sweeper: Sweeper, clock: HeldClock, seconds: int) -> None:
    """Sweep every ten seconds."""
    for _ in range(seconds // 10):
        clock.advance(10)
        sweeper.sweep()


def test_a_group_ends_when_its_time_is_over(store: Store, sweeper: Sweeper, clock: HeldClock) -> None:
    toy.add(store, ["ok::1"], group=SPEC)
    claim(store)
    sweeper.sweep()
    sweep_for(sweeper, clock, 100)
    assert toy.events(store, "expired") == []
    sweep_for(sweeper, clock, 10)
    assert toy.events(store, "expired") == [("ok::1", "B1")]
    assert toy.nothing_left(store)


def test_time_in_which_nothing_of_ours_ran_counts_for_no_deadline(
    store: Store, sweeper: Sweeper, clock: HeldClock
) -> None:
    toy.add(store, ["ok::1"], group=SPEC)
    claim(store)
    sweeper.sweep()
    before = deadline(store)
    assert before is not None
    clock.advance(3600)
    sweeper.sweep()
    assert deadline(store) == before + 3600 * MICROSECONDS
    sweeper.sweep()
    assert deadline(store) == before + 3600 * MICROSECONDS
    assert toy.events(store, "expired") == []


def test_a_clock_that_is_set_takes_no_work_from_those_who_live(
    store: Store, sweeper: Sweeper, clock: HeldClock
) -> None:
    toy.add(store, ["ok::1"])
    held = claim(store, lease_s=20)
    for seconds in (0, 3600, -7200):
        clock.advance(seconds)
        sweeper.sweep()
        assert store.transact(partial(ledger.fence, claims=held)).mine == held
    clock.advance(25)
    sweeper.sweep()
    assert store.transact(partial(ledger.fence, claims=held)).mine == []


def test_a_clock_that_is_set_back_stops_neither_work_nor_deadlines(
    store: Store, sweeper: Sweeper, clock: HeldClock
) -> None:
    toy.add(store, ["ok::1"], group=SPEC)
    claim(store)
    toy.add(store, ["ok::2"], group=SPEC)
    block(store, 20)
    sweeper.sweep()
    before = deadline(store)
    clock.advance(-3600)
    sweeper.sweep()
    assert deadline(store) == (before or 0) - 3600 * MICROSECONDS
    assert [each.task_id for each in claim(store)] == ["ok::2"]
    assert 0 < blocked_s(store) <= 20


@pytest.mark.parametrize("breaker", [Breaker.PARKED, Breaker.PROBING])
def test_parked_time_is_left_out(store: Store, sweeper: Sweeper, clock: HeldClock, breaker: Breaker) -> None:
    toy.add(store, ["ok::1"], group=SPEC)
    claim(store)
    sweeper.sweep()
    park(store, breaker)
    sweep_for(sweeper, clock, 500)
    assert toy.events(store, "expired") == []
    park(store, Breaker.CLOSED)
    sweep_for(sweeper, clock, 90)
    assert toy.events(store, "expired") == []
    sweep_for(sweeper, clock, 30)
    assert toy.events(store, "expired") == [("ok::1", "B1")]


def test_a_group_with_one_open_lane_is_not_idle(store: Store, sweeper: Sweeper, clock: HeldClock) -> None:
    toy.add(store, ["ok::1"], group=SPEC)
    toy.add(store, ["ok::2"], group=SPEC, lane="open")
    claim(store)
    sweeper.sweep()
    park(store, Breaker.PARKED)
    sweep_for(sweeper, clock, 110)
    assert toy.events(store, "expired") == [("ok::1", "B1"), ("ok::2", "B1")]


def test_a_worker_is_dead_when_nobody_holds_its_lock(store: Store, sweeper: Sweeper, presence: Presence) -> None:
    toy.add(store, ["ok::1"])
    gone, here, other_host = "gone", "here", "other-host"
    for name in (gone, here, other_host):
        _register(store, presence, name)
    with FileLock(_lock_of(presence, here)):
        claim(store, worker=gone)
        sweeper.sweep()
        with store.reading() as tx:
            left = {each.worker_id for each in workers.everyone(tx)}
    assert left == {here, other_host, presence.worker_id}
    assert toy.rows(store) == {"ok::1": (0, 1, 1)}


def test_a_lock_file_that_is_missing_proves_nothing(store: Store, sweeper: Sweeper, presence: Presence) -> None:
    toy.add(store, ["ok::1"])
    _register(store, presence, "unknown", touch=False)
    claim(store, worker="unknown")
    sweeper.sweep()
    assert toy.rows(store) == {"ok::1": (0, 0, 0)}


def _lock_of(presence: Presence, name: str) -> Path:
    return presence.lock_path.with_name(f"{name}.lock")


def _register(store: Store, presence: Presence, name: str, *, touch: bool = True) -> None:
    path = _lock_of(presence, name)
    if touch:
        path.touch()
    host = "elsewhere" if name == "other-host" else presence.host
    row = workers.Worker(worker_id=name, host=host, pid=1, lock_path=str(path))
    store.transact(lambda tx: workers.register(tx, row))
