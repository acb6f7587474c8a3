"""What is urgent overtakes a long queue, on every worker; what is in trouble holds up nobody else."""

from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.engine.engine import Engine
from answerwatch.store.database import Store
from answerwatch.store.work.ledger import GroupSpec
from tests.contract import toy
from tests.contract.toy import QUEUE

StartWorker = Callable[[float], BaseProcess]

WORKERS = 2
IN_HAND = 2 * WORKERS * toy.SLOTS
"""Tasks that may start after an urgent one was added: those claimed by then, and one more turn of every slot."""


@pytest.mark.parametrize("queued", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_an_urgent_task_starts_within_two_task_times(store: Store, worker: StartWorker, queued: int) -> None:
    toy.add(store, [f"sleep:0.05:{number:06}" for number in range(queued)])
    for _ in range(WORKERS):
        worker(30.0)
    toy.eventually(lambda: len(toy.events(store, "claimed")) > IN_HAND, "both workers at work")

    before = len(toy.events(store, "claimed"))
    toy.add(store, ["ok::urgent"], group=GroupSpec(queue=QUEUE, group_id="urgent", order=9, priority=1))

    toy.eventually(lambda: toy.done(store)[:1] == ["ok::urgent"], "the urgent task")
    claimed = [task for task, _ in toy.events(store, "claimed")]
    assert claimed.index("ok::urgent") - before <= IN_HAND


def test_a_platform_in_trouble_leaves_the_others_alone(store: Store, tmp_path: Path, carrier: Carrier) -> None:
    """One platform hangs for ever, one has a bad key: the third one's work is done as if they were not there."""
    toy.add(store, [f"sleep:600:{number:03}" for number in range(200)], lane="hangs")
    toy.add(store, [f"parks::{number:03}" for number in range(200)], lane="parked")
    toy.add(store, [f"ok::{number:03}" for number in range(200)], lane="answers")
    engine = Engine(store, [toy.ToyStage()], toy.options(tmp_path), carrier=carrier)
    with toy.serving(engine):
        toy.eventually(lambda: len(toy.done(store)) == 200, "the platform that answers")
