"""What every carrier must keep: nothing lost, nothing doubled, and the rules of retries, pauses and ends."""

import asyncio
import os
import random
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from multiprocessing.process import BaseProcess
from pathlib import Path

from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.engine.engine import Engine
from answerwatch.store.database import Store
from answerwatch.store.ops import alerts
from answerwatch.store.work import groups, lanes, ledger, workers
from answerwatch.store.work.ledger import GroupSpec
from benchmarks.lanes import above_limit
from tests.contract import toy
from tests.contract.toy import GROUP, LANE, QUEUE

StartWorker = Callable[[float], BaseProcess]


def test_everything_is_done_exactly_once(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    ids = [f"ok::{number:03}" for number in range(200)] + [f"sleep:0.01:{number}" for number in range(50)]
    toy.add(store, ids)
    toy.add(store, ids)
    toy.serve(store, tmp_path, carrier)
    assert toy.done(store) == sorted(ids)


def test_work_that_is_added_while_running_is_done_too(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)):
        toy.add(store, ["ok::1"])
        toy.eventually(lambda: toy.done(store) == ["ok::1"], "the first task")
        toy.add(store, ["ok::2"])
        toy.eventually(lambda: toy.done(store) == ["ok::1", "ok::2"], "the second task")


def test_failures_are_tried_again_as_the_policy_says(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    toy.add(store, ["flaky:2:1", "flaky:9:1", "dead::1"])
    toy.serve(store, tmp_path, carrier)
    assert toy.done(store) == ["flaky:2:1"]
    failed = toy.events(store, "failed")
    assert [detail for task, detail in failed if task == "flaky:2:1"] == ["retry:timeout"] * 2
    assert [detail for task, detail in failed if task == "flaky:9:1"] == ["retry:timeout"] * 3 + ["dead:timeout"]
    assert toy.letters(store) == [("dead::1", "bad_request"), ("flaky:9:1", "timeout")]


def test_a_fault_in_the_stage_fails_its_task_alone(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    toy.add(store, ["broken::1", "silent::1", "damaged::1", "ok::1"])
    toy.serve(store, tmp_path, carrier, stage=toy.ToyStage(together=4))
    assert "ok::1" in toy.done(store)
    assert toy.letters(store) == [
        ("broken::1", "internal_error"), ("damaged::1", "load_failed"), ("silent::1", "internal_error"),
    ]  # fmt: skip


def test_a_row_that_cannot_be_stored_stands_alone(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    fine = [f"ok::{number:02}" for number in range(60)]
    toy.add(store, [*fine[:37], "poison::1", *fine[37:]])
    toy.serve(store, tmp_path, carrier)
    assert toy.done(store) == fine
    assert toy.letters(store) == [("poison::1", "store_rejected")]


def test_steps_follow_each_other(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    toy.add(store, ["two::1"])
    toy.serve(store, tmp_path, carrier)
    assert toy.events(store, "done") == [("two::1", "work"), ("two::1", "second")]


def test_trouble_with_the_key_parks_the_lane_and_spends_no_retry(
    store: Store, tmp_path: Path, carrier: Carrier
) -> None:
    store.transact(lambda tx: lanes.ensure(tx, LANE, rate=1.0, capacity=1, in_flight=None))
    toy.add(store, ["parks::1", "ok::2", "ok::3"])
    toy.add(store, ["ok::other"], lane="other")
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)):
        toy.eventually(lambda: toy.events(store, "failed") == [("parks::1", "retry:bad_key")], "the bad key")
        toy.eventually(lambda: toy.done(store) == ["ok::other"], "work on another lane")
        toy.eventually(lambda: _leased(store) == 0, "work that waited for its moment is given back")
    assert toy.rows(store) == {"parks::1": (0, 1, 0), "ok::2": (0, 0, 0), "ok::3": (0, 0, 0)}
    with store.reading() as tx:
        assert [(each.kind, each.subject, each.count) for each in alerts.every(tx)] == [("lane_parked", LANE, 1)]


def test_stopping_hands_back_and_spends_no_retry(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    toy.add(store, ["sleep:600:1"])
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)) as engine:
        toy.eventually(lambda: engine.in_hand == 1, "the task is in hand")
        toy.eventually(lambda: len(toy.events(store, "claimed")) == 1, "the claim")
    assert toy.rows(store) in ({"sleep:600:1": (0, 1, 0)}, {"sleep:600:1": (0, 0, 0)})
    assert toy.letters(store) == []


def test_stopping_lets_work_in_flight_end_and_stores_it(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    ids = [f"sleep:0.3:{number}" for number in range(5)]
    toy.add(store, ids)
    engine = Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)
    with toy.serving(engine):
        toy.eventually(lambda: engine.in_hand == 5, "all are in hand")
        engine.request_stop(30.0)
        toy.eventually(lambda: engine.in_hand == 0, "all are stored")
    assert toy.done(store) == ids


def test_killed_workers_lose_and_double_nothing(store: Store, worker: StartWorker) -> None:
    ids = [f"sleep:0.05:{number:03}" for number in range(150)]
    toy.add(store, ids)
    dice = random.Random(7)
    for kill in range(1, 5):
        process = worker(30.0)
        enough = kill * 25 + dice.randrange(10)
        toy.eventually(_has_done(store, enough), "some work is done")
        process.kill()
        process.join()
    worker(30.0)
    toy.eventually(lambda: toy.nothing_left(store), "the rest is done")
    assert toy.done(store) == ids


def test_rep_sqlite_busy_snapshot_workers_side_by_side(store: Store, worker: StartWorker) -> None:
    """No process meets a busy database that it cannot wait for."""
    ids = [f"sleep:0.01:{number:03}" for number in range(300)] + [f"flaky:1:{number:02}" for number in range(20)]
    toy.add(store, ids)
    processes = [worker(30.0) for _ in range(3)]
    toy.eventually(lambda: toy.nothing_left(store), "all is done")
    assert toy.done(store) == sorted(ids)
    assert {detail for _, detail in toy.events(store, "failed")} == {"retry:timeout"}
    assert all(process.is_alive() for process in processes)


def test_rep_late_attempt_a_worker_that_slept_through_its_lease_writes_nothing(
    store: Store, tmp_path: Path, carrier: Carrier, worker: StartWorker
) -> None:
    """The second attempt ends first; the first one is evidence, not a result."""
    toy.add(store, ["sleep:1.0:1"])
    process = worker(0.6)
    toy.eventually(lambda: len(toy.events(store, "claimed")) == 1, "the first claim")
    _freeze(process, store)
    toy.serve(store, tmp_path, carrier)
    assert toy.done(store) == ["sleep:1.0:1"]
    assert process.pid is not None
    os.kill(process.pid, signal.SIGCONT)
    toy.eventually(lambda: len(toy.events(store, "lost")) == 1, "the late outcome")
    assert toy.done(store) == ["sleep:1.0:1"]
    assert toy.letters(store) == []


def test_a_task_that_kills_its_workers_ends_as_worker_died(store: Store, worker: StartWorker) -> None:
    toy.add(store, ["crash::1"])
    for _ in range(5):
        process = worker(30.0)
        process.join(toy.PATIENCE_S)
        assert process.exitcode == -signal.SIGKILL
    worker(30.0)
    toy.eventually(lambda: toy.letters(store) == [("crash::1", "worker_died")], "the dead letter")
    assert toy.events(store, "failed") == [("crash::1", "dead:worker_died")]
    assert toy.nothing_left(store)


def test_rep_restarted_worker_same_name(store: Store, tmp_path: Path, carrier: Carrier, worker: StartWorker) -> None:
    """The host's name is the same, the lock is not; the long lease does not matter."""
    toy.add(store, [f"sleep:600:{number}" for number in range(12)])
    process = worker(3600.0)
    toy.eventually(lambda: len(toy.events(store, "claimed")) == 12, "the claims")
    process.kill()
    process.join()
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)):
        toy.eventually(lambda: len(toy.events(store, "claimed")) == 24, "the claims of the next worker")
    assert {crashes for _, _, crashes in toy.rows(store).values()} == {1}


def test_rep_restarted_worker_same_name_one_that_never_comes_back(
    store: Store, tmp_path: Path, carrier: Carrier, worker: StartWorker
) -> None:
    """Without a row in the registry and without a lock file, the lease alone gives the work back."""
    ids = [f"ok::{number:02}" for number in range(12)]
    toy.add(store, [f"sleep:600:{number:02}" for number in range(12)])
    process = worker(1.0)
    toy.eventually(lambda: len(toy.events(store, "claimed")) == 12, "the claims")
    process.kill()
    process.join()
    with store.reading() as tx:
        gone = workers.everyone(tx)
    store.transact(lambda tx: workers.forget(tx, [each.worker_id for each in gone]))
    for each in gone:
        Path(each.lock_path).unlink()
    toy.add(store, ids)
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)):
        toy.eventually(lambda: len(toy.events(store, "claimed")) == 36, "all claims of the next worker")
    assert toy.done(store) == ids


def test_rep_sigterm_retry_budget_five_stops_spend_none(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    """The operator's stops are neither failures nor crashes."""
    toy.add(store, ["sleep:600:1"])
    for stop in range(1, 6):
        with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)):
            toy.eventually(_has_claimed(store, stop), "the claim")
    failures, interruptions, crashes = toy.rows(store)["sleep:600:1"]
    assert (failures, crashes) == (0, 0)
    assert interruptions == len(toy.events(store, "handed_back"))
    assert toy.events(store, "failed") == []


def test_a_paused_group_waits_and_goes_on(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    toy.add(store, ["ok::1"])
    store.transact(lambda tx: groups.hold(tx, QUEUE, GROUP))
    other = GroupSpec(queue=QUEUE, group_id="G2")
    toy.add(store, ["ok::2"], group=other)
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)):
        toy.eventually(lambda: toy.done(store) == ["ok::2"], "the group that is not paused")
        assert "ok::1" in toy.rows(store)
        store.transact(lambda tx: groups.release(tx, QUEUE, GROUP))
        toy.eventually(lambda: toy.nothing_left(store), "the paused group")
    assert toy.done(store) == ["ok::1", "ok::2"]


def test_the_more_urgent_group_goes_first(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    toy.add(store, ["ok::old"], group=GroupSpec(queue=QUEUE, group_id="old", order=1))
    toy.add(store, ["ok::new"], group=GroupSpec(queue=QUEUE, group_id="new", order=2))
    toy.add(store, ["ok::urgent"], group=GroupSpec(queue=QUEUE, group_id="urgent", order=3, priority=1))
    toy.serve(store, tmp_path, carrier, slots={QUEUE: 1})
    assert [task for task, _ in toy.events(store, "claimed")] == ["ok::urgent", "ok::old", "ok::new"]


def test_a_group_whose_time_is_over_is_expired(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    budget = GroupSpec(queue=QUEUE, group_id="short", budget_us=200_000)
    toy.add(store, ["sleep:600:1", "ok::1"], group=budget)
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path, lease_s=0.6), carrier=carrier)) as engine:
        toy.eventually(lambda: toy.events(store, "expired") == [("sleep:600:1", "short")], "the time-out")
        toy.eventually(lambda: engine.in_hand == 0, "the call that nobody needs is cancelled")
    assert toy.done(store) == ["ok::1"]
    assert [task for task, _ in toy.events(store, "lost")] == ["sleep:600:1"]


def test_a_platform_that_hangs_leaves_slots_to_the_others(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    toy.add(store, [f"sleep:600:{number}" for number in range(50)], lane="hangs")
    toy.add(store, [f"ok::{number:02}" for number in range(50)], lane="answers")
    engine = Engine(store, [toy.ToyStage()], toy.options(tmp_path, slots={QUEUE: 8}), carrier=carrier)
    with toy.serving(engine):
        toy.eventually(lambda: len(toy.done(store)) == 50, "the lane that answers")


def test_two_sweepers_at_once_do_no_harm(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    ids = [f"sleep:0.05:{number:02}" for number in range(60)]
    toy.add(store, ids)
    busy = toy.options(tmp_path, sweep_s=0.001)
    with (
        toy.serving(Engine(store, [toy.ToyStage()], busy, carrier=carrier)),
        toy.serving(Engine(store, [toy.ToyStage()], busy)),
    ):
        toy.eventually(lambda: toy.nothing_left(store), "all is done")
    assert toy.done(store) == ids
    assert toy.events(store, "lost") == []


def test_starts_keep_to_the_bucket_of_their_lane(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    store.transact(lambda tx: lanes.ensure(tx, LANE, rate=40.0, capacity=5, in_flight=None))
    toy.add(store, [f"stamp::{number:02}" for number in range(60)])
    toy.STAMPS.clear()
    toy.serve(store, tmp_path, carrier)
    assert len(toy.STAMPS) == 60
    assert above_limit(toy.STAMPS, rate=40.0, capacity=5) < 0.5


def test_work_whose_moment_has_not_come_does_not_start_after_a_pause(
    store: Store, tmp_path: Path, carrier: Carrier
) -> None:
    store.transact(lambda tx: lanes.ensure(tx, LANE, rate=0.5, capacity=1, in_flight=None))
    toy.add(store, ["ok::1", "ok::2"])
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)):
        toy.eventually(lambda: toy.done(store) == ["ok::1"], "the first task")
        store.transact(lambda tx: groups.hold(tx, QUEUE, GROUP))
        toy.eventually(lambda: _leased(store) == 0, "the second one is given back")
    assert toy.rows(store) == {"ok::2": (0, 0, 0)}


def test_a_cancelled_engine_hands_back_what_it_has(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    toy.add(store, ["sleep:600:1", "sleep:600:2"])
    engine = Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)

    async def scene() -> None:
        running = asyncio.create_task(engine.run())
        await asyncio.to_thread(toy.eventually, lambda: engine.in_hand == 2, "both are in hand")
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()

    asyncio.run(scene())
    assert _leased(store) == 0
    assert {(failures, crashes) for failures, _, crashes in toy.rows(store).values()} == {(0, 0)}
    with store.reading() as tx:
        assert workers.everyone(tx) == []


def test_a_platform_that_asks_to_wait_is_left_alone(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    store.transact(lambda tx: lanes.ensure(tx, LANE, rate=0.2, capacity=1, in_flight=None))
    toy.add(store, ["throttled:600:1", "ok::2", "ok::3"])
    with toy.serving(Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)):
        toy.eventually(lambda: len(toy.events(store, "failed")) == 1, "the platform's wish")
        toy.eventually(lambda: _leased(store) == 0, "what was reserved is given back")
    assert toy.rows(store) == {"throttled:600:1": (1, 0, 0), "ok::2": (0, 0, 0), "ok::3": (0, 0, 0)}


def _leased(store: Store) -> int:
    with store.reading() as tx:
        return sum(depth.leased for depth in ledger.depths(tx))


def _freeze(process: BaseProcess, store: Store) -> None:
    """Stop a process, but not inside a write transaction: on SQLite it would stop everybody else too."""
    assert process.pid is not None
    for _ in range(1000):
        os.kill(process.pid, signal.SIGSTOP)
        toy.eventually(_is_stopped(process.pid), "every thread has stopped")
        if store.file is None:
            return
        try:
            with closing(sqlite3.connect(store.file, timeout=0.1, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
            return
        except sqlite3.OperationalError:
            os.kill(process.pid, signal.SIGCONT)
    raise AssertionError("the process is always inside a transaction")


def _is_stopped(pid: int) -> Callable[[], bool]:
    """Tell whether no thread runs any more; the signal needs a moment."""
    threads = Path(f"/proc/{pid}/task")
    return lambda: all(each.read_text().rpartition(")")[2].split()[0] == "T" for each in threads.glob("*/stat"))


def _has_done(store: Store, count: int) -> Callable[[], bool]:
    return lambda: len(toy.done(store)) >= count


def _has_claimed(store: Store, count: int) -> Callable[[], bool]:
    return lambda: len(toy.events(store, "claimed")) >= count
