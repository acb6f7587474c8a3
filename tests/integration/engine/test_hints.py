"""What workers are told: the head of the ledger, only what could start, and not more than they can take."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from answerwatch.clock import HeldClock
from answerwatch.domain.limits import Breaker
from answerwatch.domain.work import NewTask
from answerwatch.engine.carriers.hints import Hints, Scale, hints, take_turn
from answerwatch.store.database import Store, Write
from answerwatch.store.work import groups, lanes, ledger, workers
from answerwatch.store.work.ledger import GroupSpec
from tests.contract import toy
from tests.contract.toy import GROUP, LANE, QUEUE

SCALE = Scale(slots={QUEUE: 20}, sweep_s=2.0)


def enter(store: Store, *names: str) -> None:
    for name in names:
        new = workers.Worker(worker_id=name, host="h", pid=1, lock_path=f"/{name}")
        store.transact(lambda tx, new=new: workers.register(tx, new))  # type: ignore[misc]  # mypy does not follow new


def told(store: Store) -> Hints:
    with store.reading() as read:
        return hints(read, [QUEUE], SCALE)


def ids(store: Store) -> Sequence[Sequence[str]]:
    return told(store).by_queue[QUEUE]


def test_nobody_is_told_where_nobody_lives(store: Store, clock: HeldClock) -> None:
    toy.add(store, ["ok::1"])
    assert told(store) == Hints(workers=0, by_queue={QUEUE: []})

    enter(store, "w1")
    assert told(store).workers == 1
    clock.advance(31.0)
    assert told(store).workers == 0


def test_a_worker_is_counted_on_for_the_lease_that_was_set(store: Store, clock: HeldClock) -> None:
    enter(store, "w1")
    clock.advance(31.0)

    with store.reading() as read:
        assert hints(read, [QUEUE], replace(SCALE, lease_s=60.0)).workers == 1
        assert hints(read, [QUEUE], replace(SCALE, lease_s=10.0)).workers == 0


def test_one_hint_for_each_worker_with_the_first_tasks(store: Store) -> None:
    enter(store, "w1", "w2")
    names = [f"ok::{number:03}" for number in range(100)]
    toy.add(store, names)

    assert ids(store) == [names[:20], names[20:40]]


def test_few_tasks_are_spread_so_that_every_worker_hears(store: Store) -> None:
    enter(store, "w1", "w2", "w3")
    toy.add(store, ["ok::1", "ok::2"])

    assert ids(store) == [["ok::1"], ["ok::2"]]


def test_the_urgent_pile_is_told_first_and_a_hint_is_of_one_pile(store: Store) -> None:
    enter(store, "w1", "w2", "w3")
    toy.add(store, ["ok::old"])
    toy.add(store, ["ok::urgent"], group=GroupSpec(queue=QUEUE, group_id="urgent", priority=1, order=9))

    assert ids(store) == [["ok::urgent"], ["ok::old"]]


def test_what_could_not_start_is_not_told(store: Store) -> None:
    enter(store, "w1", "w2", "w3")
    toy.add(store, ["ok::paused"], group=GroupSpec(queue=QUEUE, group_id="paused"))
    store.transact(lambda tx: groups.hold(tx, QUEUE, "paused"))
    store.transact(lambda tx: lanes.ensure(tx, "parked", rate=None, capacity=None, in_flight=None))
    store.transact(_park)
    toy.add(store, ["ok::parked"], lane="parked")
    store.transact(_add_later)
    toy.add(store, ["ok::1"])

    assert ids(store) == [["ok::1"]]


def test_one_publisher_at_a_time_fills_a_queue(store: Store, clock: HeldClock) -> None:
    turns: list[bool] = []
    for pause_s in (1.0, 0.06, 0.06):
        turns.append(store.transact(lambda tx: take_turn(tx, QUEUE)))
        clock.advance(pause_s)
    turns.append(store.transact(lambda tx: take_turn(tx, QUEUE)))
    assert turns == [True, True, False, True]


def test_those_who_listen_hear_of_a_commit_and_of_nothing_else(store: Store) -> None:
    heard: list[frozenset[str]] = []
    store.listeners.append(heard.append)

    with pytest.raises(ZeroDivisionError):
        store.transact(_add_and_fail)
    assert heard == []

    toy.add(store, ["ok::1"])
    toy.add(store, ["ok::1"])  # it is there already
    store.transact(lambda tx: groups.hold(tx, QUEUE, GROUP))
    store.transact(lambda tx: groups.release(tx, QUEUE, GROUP))
    assert heard == [frozenset({QUEUE})] * 2


def _park(tx: Write) -> None:
    state = lanes.lock(tx, "parked")
    assert state is not None
    lanes.save(tx, replace(state, breaker=Breaker.PARKED))


def _add_and_fail(tx: Write) -> None:
    _add_later(tx)
    raise ZeroDivisionError


def _add_later(tx: Write) -> None:
    ledger.open_group(tx, GroupSpec(queue=QUEUE, group_id="later"))
    ledger.add(tx, QUEUE, "later", [NewTask(task_id="ok::later", lane=LANE)], due_us=tx.now_us() + 1_000_000)
