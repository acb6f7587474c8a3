"""Splits of a request: by brand, scene and time window, all in one group; brands one after another."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from answerwatch.clock import HeldClock
from answerwatch.domain.batches import Window
from answerwatch.domain.work import COLLECT
from answerwatch.errors import UsageError
from answerwatch.simulator import SimulatorThread, script_from
from answerwatch.store.database import Store
from answerwatch.store.schema.batch import call_attempt
from answerwatch.store.work import ledger
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.batches.views import BatchRequest, RunEnd
from tests.databases import on_every_database
from tests.integration.workspace.test_batches import AddPlatform

pytestmark = on_every_database


def request(**changes: object) -> BatchRequest:
    values: dict[str, object] = {"brands": ("华为",), "platforms": ("sim",), "rounds": 2, "force": True}
    return BatchRequest(**{**values, **changes})  # type: ignore[arg-type]  # the fields are named by each test


@pytest.fixture
def ready(bank: Workspace, sim: SimulatorThread, add_platform: AddPlatform) -> Workspace:
    """Two brands, five questions of one scene and one of another, one platform."""
    bank.brands.add("荣耀")
    bank.questions.add("甲和乙哪个好", scene="COMPARE", question_id="C0")
    add_platform("sim", sim)
    return bank


def test_every_scene_of_every_brand_is_a_batch_in_one_group(ready: Workspace) -> None:
    wanted = request(brands=(), all_brands=True, split_scenes=True, idempotency_key="k")

    made = ready.batches.create(wanted)

    assert [(one.brand_name, one.scene_types, one.total) for one in made] == [
        (brand, (scene,), count) for brand in ("华为", "荣耀") for scene, count in (("COMPARE", 2), ("RECOMMEND", 10))
    ]
    assert len({one.group_id for one in made}) == 1
    assert made[0].group_id.startswith("GROUP_")
    assert len({one.batch_id for one in made}) == 4
    assert ready.batches.create(wanted) == made
    planned = ready.batches.plan(wanted)
    assert [(one.brand, one.scenes, one.calls) for one in planned.splits] == [
        (one.brand_name, one.scene_types, one.total) for one in made
    ]


def test_windows_cut_what_is_asked_without_loss_and_brands_take_turns(ready: Workspace) -> None:
    made = ready.batches.create(request(brands=("华为", "荣耀"), window=Window(5, 600)))

    assert [(one.brand_name, one.total) for one in made] == [
        ("华为", 5), ("荣耀", 5), ("华为", 5), ("荣耀", 5), ("华为", 2), ("荣耀", 2),
    ]  # fmt: skip
    starts = [one.starts_at for one in made]
    assert starts[0] is None
    assert [start - made[0].created_at for start in starts[1:] if start] == [
        timedelta(seconds=600 * number) for number in range(1, 6)
    ]
    run = [ready.batches.show(one.batch_id).progress for one in made]
    assert sum(one.pending for one in run) == 24


def test_a_window_does_not_start_before_its_time_also_after_a_restart(ready: Workspace) -> None:
    first, second = ready.batches.create(request(scenes=("RECOMMEND",), window=Window(5, 600)))

    def due_after(seconds: float) -> set[str]:
        """Ask a process that starts then."""
        store = Store(ready.settings.database_url, HeldClock(first.created_at + timedelta(seconds=seconds)))
        try:
            with store.reading() as read:
                return {pile.group for pile in ledger.due(read, [COLLECT])}
        finally:
            store.close()

    assert due_after(590) == {first.batch_id}
    assert due_after(610) == {first.batch_id, second.batch_id}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"window": Window(0, 60)}, "at least one call"),
        ({"window": Window(5, 0)}, "at least one call"),
        ({"all_brands": True}, "not both"),
        ({"rounds": 1000, "window": Window(1, 60)}, "larger time windows"),
        ({"window": Window(5, 0.05), "force": False}, "or force it"),
    ],
)
def test_an_impossible_split_is_refused(ready: Workspace, changes: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        ready.batches.create(request(**changes))

    assert ready.batches.list() == ()


def test_a_time_out_that_is_too_short_is_refused_with_the_windows_that_fit(
    ready: Workspace, sim: SimulatorThread, add_platform: AddPlatform
) -> None:
    add_platform("slow", sim, rate=0.1, capacity=1, in_flight=1, answer_s=1)
    wanted = request(platforms=("slow",), timeout_s=61.0, force=False)

    with pytest.raises(UsageError, match=r"--window 7/2 \(2 batches of at most 7 calls\)"):
        ready.batches.create(wanted)

    split = request(platforms=("slow",), timeout_s=61.0, force=False, window=Window(7, 120))
    assert [one.total for one in ready.batches.create(split)] == [7, 5]
    with pytest.raises(UsageError, match="not even one call"):
        ready.batches.create(request(platforms=("slow",), timeout_s=0.5, force=False))


def started(ws: Workspace, batch_id: str) -> list[datetime]:
    query = select(call_attempt.c.started_at).where(call_attempt.c.sub_task_id.like(f"{batch_id}\\_Q%", escape="\\"))
    with ws.store.reading() as read:
        return [row.started_at for row in read.all(query)]


def test_brands_are_asked_one_after_another(ready: Workspace) -> None:
    first, second = ready.batches.create(request(brands=("华为", "荣耀")))

    assert ready.batches.resume(second.batch_id).end is RunEnd.COMPLETED

    assert max(started(ready, first.batch_id)) <= min(started(ready, second.batch_id))


def test_brands_take_turns_where_the_setting_says_so(
    bank: Workspace, home: Path, sim: SimulatorThread, add_platform: AddPlatform
) -> None:
    bank.brands.add("荣耀")
    add_platform("sim", sim, in_flight=4)
    first, second = bank.batches.create(request(brands=("华为", "荣耀")))

    with open_workspace(home, database_url=bank.settings.database_url, brands_together=2) as ws:
        assert ws.batches.resume(first.group_id).end is RunEnd.COMPLETED

    assert min(started(bank, second.batch_id)) < max(started(bank, first.batch_id))


def test_a_brand_whose_platform_is_parked_holds_no_other_up(
    bank: Workspace, sim: SimulatorThread, add_platform: AddPlatform
) -> None:
    bank.brands.add("荣耀")
    with SimulatorThread(script_from({"faults": {"e401": 1.0}}), seed=7) as locked:
        add_platform("bad", locked)
        add_platform("sim", sim)
        (stuck,) = bank.batches.create(request(platforms=("bad",)))
        run = bank.batches.run(request(brands=("荣耀",)))

    assert run.end is RunEnd.COMPLETED
    assert [lane.platform for lane in bank.batches.status(stuck.batch_id).parked] == ["bad"]


def test_a_group_is_paused_resumed_and_cancelled_as_one(ready: Workspace) -> None:
    group = ready.batches.create(request(brands=("华为", "荣耀"), rounds=1))[0].group_id

    assert all(one.paused for one in ready.batches.pause(group))
    assert ready.batches.resume(group).end is RunEnd.COMPLETED
    whole = ready.batches.group(group)
    assert (whole.status, whole.total, whole.completed, whole.percent) == ("completed", 12, 12, 100.0)
    with pytest.raises(UsageError, match="completed already"):
        ready.batches.cancel(group)

    other = ready.batches.create(request(brands=("华为", "荣耀"), rounds=1))[0].group_id
    assert [one.cancelled for one in ready.batches.cancel(other)] == [6, 6]
    assert ready.batches.group(other).status == "cancelled"
    assert {one.group_id for one in ready.batches.list(group=other)} == {other}
    assert ready.batches.is_group(other)
    with pytest.raises(UsageError, match="no batch GROUP_X"):
        ready.batches.list(group="GROUP_X")
