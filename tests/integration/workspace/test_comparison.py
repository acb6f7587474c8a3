"""Plan and reality of a batch, side by side."""

import threading

import pytest
from sqlalchemy import update

from answerwatch.clock import MICROSECONDS
from answerwatch.simulator import SimulatorThread, script_from
from answerwatch.store.schema.batch import task_batch
from answerwatch.store.schema.work import work_group
from answerwatch.store.work import upkeep
from answerwatch.workspace import Workspace
from answerwatch.workspace.batches.views import BatchRequest, Difference, Snapshot
from tests.databases import on_every_database
from tests.integration.workspace.test_batches import AddPlatform, use_address

pytestmark = on_every_database
REQUEST = BatchRequest(brands=("华为",), platforms=("sim",), rounds=2)


def test_a_run_without_trouble_is_as_it_was_planned(
    bank: Workspace, sim: SimulatorThread, add_platform: AddPlatform
) -> None:
    price = {"currency": "CNY", "prompt": 2.0, "completion": 8.0}
    add_platform("sim", sim, price=price)
    planned = bank.batches.plan(REQUEST).platforms[0]

    (batch,) = bank.batches.run(REQUEST).batches

    (one,) = bank.batches.show(batch.batch_id).comparison
    assert (one.planned_calls, one.calls, one.retries, one.throttled) == (10, 10, 0, 0)
    assert one.planned_s == planned.duration_s
    assert one.planned_price == pytest.approx(planned.price)
    assert one.price is not None
    assert one.duration_s is not None
    assert one.differences == ()


def test_retries_throttling_and_unknown_prices_are_told(bank: Workspace, add_platform: AddPlatform) -> None:
    with SimulatorThread(script_from({"faults": {"e429_bare": 0.3}}), seed=7) as sim:
        add_platform("sim", sim)
        (batch,) = bank.batches.create(REQUEST)
        assert bank.batches.show(batch.batch_id).comparison[0].differences == (Difference.OPEN,)
        bank.batches.resume(batch.batch_id)

    (one,) = bank.batches.show(batch.batch_id).comparison
    assert one.calls == 10 + one.retries
    assert one.throttled >= one.retries > 0
    assert one.throttled_s > 0
    assert one.price is None
    assert one.differences == (Difference.RETRIES, Difference.THROTTLED, Difference.UNPRICED)


def test_batches_side_by_side_are_told(bank: Workspace, sim: SimulatorThread, add_platform: AddPlatform) -> None:
    add_platform("sim", sim)
    bank.brands.add("荣耀")
    made = bank.batches.run(BatchRequest(brands=("华为", "荣耀"), platforms=("sim",), rounds=1)).batches

    assert all(bank.batches.show(one.batch_id).comparison[0].calls == 5 for one in made)


def test_a_pause_is_kept_and_told_once_the_batch_has_ended(bank: Workspace) -> None:
    stop = threading.Event()

    def stop_at_first(snapshot: Snapshot) -> None:
        if snapshot.done:
            stop.set()

    with SimulatorThread(seed=7) as sim:
        limits = {"rate": 4, "capacity": 1, "in_flight": 1}
        bank.platforms.add("sim", {"base_url": f"{sim.base_url}/v1", "model": "m", "key_env": "", **limits})
        (half,) = bank.batches.run(REQUEST, progress=stop_at_first, stop=stop).batches
        _pause_began_earlier(bank, half.batch_id, hours=2)
        paused = bank.batches.status(half.batch_id)
        use_address(bank, sim)
        bank.batches.resume(half.batch_id)

    ended = bank.batches.show(half.batch_id)
    assert paused.stood_s == pytest.approx(7200, abs=120)
    assert ended.progress.stood_s == pytest.approx(7200, abs=120)
    assert Difference.STOOD in ended.comparison[0].differences


def test_a_batch_that_is_cancelled_in_its_pause_keeps_it(bank: Workspace, add_platform: AddPlatform) -> None:
    stop = threading.Event()
    with SimulatorThread(seed=7) as sim:
        add_platform("sim", sim, rate=4, capacity=1)
        (half,) = bank.batches.run(REQUEST, progress=lambda one: stop.set() if one.done else None, stop=stop).batches
    _pause_began_earlier(bank, half.batch_id, hours=1)

    (ended,) = bank.batches.cancel(half.batch_id)

    assert ended.stood_s == pytest.approx(3600, abs=120)


@pytest.mark.parametrize("swept", [True, False])
def test_a_batch_that_is_asked_again_goes_on_from_what_it_stood(
    bank: Workspace, add_platform: AddPlatform, *, swept: bool
) -> None:
    with SimulatorThread(script_from({"faults": {"e422": 1.0}}), seed=7) as sim:
        add_platform("sim", sim)
        (failed,) = bank.batches.run(REQUEST).batches
    with bank.store.writing() as tx:
        tx.run(update(task_batch).values(stood_s=3600.0))
        tx.run(update(work_group).values(deadline_us=work_group.c.deadline_us + 3600 * MICROSECONDS))
    if swept:
        bank.store.transact(upkeep.drop_empty)

    bank.dead.replay(everything=True, batch=failed.batch_id)

    assert bank.batches.status(failed.batch_id).stood_s == pytest.approx(3600, abs=120)
    assert Difference.STOOD in bank.batches.show(failed.batch_id).comparison[0].differences


def _pause_began_earlier(bank: Workspace, batch_id: str, *, hours: int) -> None:
    """Move the beginning of a pause into the past, as far as the clock of the batch knows."""
    mine = update(work_group).where(work_group.c.group_id == batch_id)
    with bank.store.writing() as tx:
        tx.run(mine.values(idle_since_us=work_group.c.idle_since_us - hours * 3600 * MICROSECONDS))
