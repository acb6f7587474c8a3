"""Plan and reality of a batch, side by side."""

import pytest

from answerwatch.simulator import SimulatorThread, script_from
from answerwatch.workspace import Workspace
from answerwatch.workspace.batches.views import BatchRequest, Difference
from tests.databases import on_every_database
from tests.integration.workspace.test_batches import AddPlatform

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
