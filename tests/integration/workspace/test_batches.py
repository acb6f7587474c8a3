"""Batches through their verbs, against simulated platforms."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import update

from answerwatch.domain.batches import BatchStatus
from answerwatch.errors import ConfigurationError, ServiceError, UsageError
from answerwatch.platforms.workspace_file import render
from answerwatch.simulator import Script, SimulatorThread, script_from
from answerwatch.store.schema.work import work_task
from answerwatch.workspace import Workspace, open_workspace, to_dict
from answerwatch.workspace.batches.views import BatchProgress, BatchRequest, RunEnd, Snapshot
from tests.databases import on_every_database

pytestmark = on_every_database

AddPlatform = Callable[..., None]


def request(**changes: object) -> BatchRequest:
    values: dict[str, object] = {"brands": ("华为",), "platforms": ("sim",), "scenes": ("recommend",), "rounds": 2}
    return BatchRequest(**{**values, **changes})  # type: ignore[arg-type]  # the fields are named by each test


def always(fault: str) -> Script:
    return script_from({"faults": {fault: 1.0}})


def use_address(ws: Workspace, simulator: SimulatorThread) -> None:
    """Give the platform of a workspace another address and no limits, as a person would edit the file."""
    values = {"base_url": f"{simulator.base_url}/v1", "model": "m", "key_env": "", "rate": 500, "capacity": 500}
    (ws.settings.home / "platforms.toml").write_text(render("sim", {**values, "in_flight": 32}), encoding="utf-8")


def balanced(progress: BatchProgress) -> bool:
    parts = progress.completed + progress.failed + progress.cancelled + progress.running + progress.pending
    return parts == progress.total


@pytest.fixture
def ready(bank: Workspace, sim: SimulatorThread, add_platform: AddPlatform) -> Workspace:
    """A workspace with a brand, five questions and one platform."""
    add_platform("sim", sim)
    return bank


def test_a_plan_tells_calls_duration_and_precision_and_stores_nothing(ready: Workspace) -> None:
    plan = ready.batches.plan(request(rounds=3))

    assert (plan.calls, plan.questions, plan.scenes) == (15, 5, ("RECOMMEND",))
    assert plan.timeout_s == 1800
    assert 0 < plan.half_width < 0.5
    assert plan.thin
    assert [(one.platform, one.calls, one.price, one.key_missing) for one in plan.platforms] == [
        ("sim", 15, None, None)
    ]
    assert ready.batches.list() == ()


def test_a_run_collects_and_cleans_everything(ready: Workspace) -> None:
    seen: list[Snapshot] = []

    run = ready.batches.run(request(), progress=seen.append)

    (batch,) = run.batches
    assert (run.end, run.succeeded) == (RunEnd.COMPLETED, True)
    assert (batch.total, batch.completed, batch.failed, batch.percent) == (10, 10, 0, 100.0)
    assert (batch.cleaning.total, batch.cleaning.completed, batch.cleaning.outstanding) == (10, 10, 0)
    assert balanced(batch)
    assert (seen[-1].done, seen[-1].total) == (10, 10)
    assert len(ready.samples.list(batch=batch.batch_id)) == 10
    assert to_dict(ready.batches.show(batch.batch_id))["failures"] == []


def test_one_idempotency_key_makes_one_batch(ready: Workspace) -> None:
    first = ready.batches.create(request(idempotency_key="once"))
    ready.questions.add("又一类手机哪个好", scene="RECOMMEND")
    again = ready.batches.create(request(idempotency_key="once", brands=("HUAWEI",), force=True))
    other = ready.batches.create(request(idempotency_key="twice"))

    assert first == again
    assert first != other
    assert len(ready.batches.list()) == 2


@pytest.mark.parametrize(
    ("changes", "differs"),
    [
        ({"rounds": 7}, "rounds"),
        ({"brands": ("荣耀",)}, "brands"),
        ({"brands": ("华为", "荣耀"), "scenes": ()}, "brands, scenes"),
        ({"platforms": ("sim", "other")}, "platforms"),
        ({"question_ids": ("Q0",)}, "questions"),
        ({"timeout_s": 7200.0, "priority": 1}, "priority, timeout_s"),
    ],
)
def test_a_key_that_comes_again_with_another_request_is_refused(
    ready: Workspace, sim: SimulatorThread, add_platform: AddPlatform, changes: dict[str, object], differs: str
) -> None:
    ready.brands.add("荣耀")
    add_platform("other", sim)
    (first,) = ready.batches.create(request(idempotency_key="once"))

    with pytest.raises(UsageError, match=rf"{first.batch_id} .*\({differs}\)"):
        ready.batches.create(request(idempotency_key="once", **changes))

    assert ready.batches.list() == (first,)


def test_a_key_of_an_import_makes_no_batch_that_asks(ready: Workspace, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"question": "a", "answer": "b", "platform": "kimi"}\n', encoding="utf-8")
    imported = ready.samples.import_file(answers)

    with pytest.raises(UsageError, match=str(imported.batch_id)):
        ready.batches.create(request(idempotency_key=f"import:{imported.sha256}:"))


def test_ids_of_one_second_differ_by_a_suffix(ready: Workspace) -> None:
    ids = [ready.batches.create(request())[0].batch_id for _ in range(3)]

    assert len(set(ids)) == 3
    assert all(id_.startswith("BATCH_") for id_ in ids)


def test_only_work_that_could_start_has_been_due(ready: Workspace) -> None:
    def oldest() -> float | None:
        return ready.status().queues[0].oldest_s

    assert oldest() is None
    (batch,) = ready.batches.create(request())
    due = oldest()
    ready.batches.pause(batch.batch_id)
    held = oldest()
    ready.batches.resume(batch.batch_id, work=False)
    with ready.store.writing() as tx:
        tx.run(update(work_task).values(due_us=work_task.c.due_us + 3_600_000_000))
    later = oldest()

    assert due is not None
    assert (held, later) == (None, None)


def test_each_brand_gets_a_batch_of_its_own_in_one_group(ready: Workspace) -> None:
    ready.brands.add("荣耀", aliases=["HONOR"])

    both = request(brands=("HUAWEI", "honor", "华为"), idempotency_key="k")
    one, two = ready.batches.create(both)

    assert (one.brand_name, two.brand_name) == ("华为", "荣耀")
    assert one.group_id == two.group_id
    assert ready.batches.create(both) == (one, two)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"brands": ("小米",)}, "not tracked"),
        ({"brands": ()}, "at least one brand"),
        ({"platforms": ()}, "at least one platform"),
        ({"platforms": ("nowhere",)}, "sim"),
        ({"scenes": ("RISK",)}, r"RECOMMEND \(5\)"),
        ({"question_ids": ("Q0", "Q9")}, "Q9"),
        ({"rounds": 0}, "1 to"),
        ({"timeout_s": 0.01}, "force"),
    ],
)
def test_an_impossible_request_is_refused_and_nothing_is_stored(
    ready: Workspace, changes: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        ready.batches.run(request(**changes))

    assert ready.batches.list() == ()


def test_an_empty_bank_is_told(ws: Workspace, sim: SimulatorThread, add_platform: AddPlatform) -> None:
    add_platform("sim", sim)
    ws.brands.add("华为")

    with pytest.raises(UsageError, match="questions add"):
        ws.batches.create(request())


def test_a_missing_key_is_told_before_anything_is_stored(bank: Workspace, sim: SimulatorThread) -> None:
    bank.platforms.add("sim", {"base_url": f"{sim.base_url}/v1", "model": "m", "key_env": "NO_SUCH_KEY"})

    assert bank.batches.plan(request()).platforms[0].key_missing == "NO_SUCH_KEY"
    with pytest.raises(ConfigurationError, match="NO_SUCH_KEY"):
        bank.batches.run(request())
    assert bank.batches.list() == ()


def test_a_server_that_cannot_be_reached_is_told_before_anything_is_stored(bank: Workspace, free_port: int) -> None:
    bank.platforms.add("sim", {"base_url": f"http://127.0.0.1:{free_port}", "model": "m", "key_env": ""})

    with pytest.raises(ServiceError, match="nothing was stored"):
        bank.batches.run(request())
    assert bank.batches.list() == ()


def test_a_stopped_run_is_paused_and_resume_finishes_it(bank: Workspace) -> None:
    stop = threading.Event()

    def stop_at_first(snapshot: Snapshot) -> None:
        if snapshot.done:
            stop.set()

    with SimulatorThread(seed=7) as sim:
        limits = {"rate": 4, "capacity": 1, "in_flight": 1}
        bank.platforms.add("sim", {"base_url": f"{sim.base_url}/v1", "model": "m", "key_env": "", **limits})
        stopped = bank.batches.run(request(rounds=3), progress=stop_at_first, stop=stop)
        (half,) = stopped.batches
        assert stopped.end is RunEnd.PAUSED
        assert half.paused
        assert 0 < half.completed < half.total
        assert half.running == 0
        assert half.eta_s is None
        use_address(bank, sim)
        resumed = bank.batches.resume(half.batch_id)

    assert resumed.end is RunEnd.COMPLETED
    assert resumed.batches[0].completed == 15


def test_a_finished_batch_cannot_be_resumed_paused_or_cancelled(ready: Workspace) -> None:
    (batch,) = ready.batches.run(request(rounds=1)).batches

    for verb in (ready.batches.resume, ready.batches.pause, ready.batches.cancel):
        with pytest.raises(UsageError, match="completed already"):
            verb(batch.batch_id)
    with pytest.raises(UsageError, match="no batch"):
        ready.batches.status("BATCH_X")


def test_a_cancelled_batch_drops_what_is_left(ready: Workspace) -> None:
    (batch,) = ready.batches.create(request())

    (paused,) = ready.batches.pause(batch.batch_id)
    (cancelled,) = ready.batches.cancel(batch.batch_id)

    assert (paused.paused, paused.pending) == (True, 10)
    assert (cancelled.status, cancelled.cancelled, cancelled.pending) == (BatchStatus.CANCELLED, 10, 0)
    assert balanced(cancelled)


def test_a_bad_key_parks_the_platform_and_ends_the_run_with_a_way_on(
    bank: Workspace, add_platform: AddPlatform
) -> None:
    with SimulatorThread(always("e401"), seed=7) as sim:
        add_platform("sim", sim)
        run = bank.batches.run(request(rounds=1))

    assert run.end is RunEnd.PARKED
    (lane,) = run.parked
    assert (lane.platform, lane.waiting) == ("sim", 5)
    assert lane.reason
    (check,) = bank.platforms.check()
    assert not check.ok
    assert "unpark" in (check.fix or "")
    assert [alert.kind for alert in bank.alerts.list()] == ["lane_parked"]
    assert bank.platforms.unpark("sim").parked is False
    with pytest.raises(UsageError, match="not parked"):
        bank.platforms.unpark("sim")


def test_permanent_failures_become_dead_letters_that_can_be_replayed(
    bank: Workspace, add_platform: AddPlatform
) -> None:
    with SimulatorThread(always("e422"), seed=7) as sim:
        add_platform("sim", sim)
        run = bank.batches.run(request(rounds=1))
        (batch,) = run.batches
        assert (run.end, batch.status, batch.failed) == (RunEnd.PARTIAL, BatchStatus.PARTIAL, 5)
        detail = bank.batches.show(batch.batch_id)
        assert [(one.error_type, one.count) for one in detail.failures] == [("bad_request", 5)]
    letters = bank.dead.list(queue="collect")
    assert len(letters) == 5
    with SimulatorThread(seed=7) as healthy:
        use_address(bank, healthy)
        replay = bank.dead.replay(everything=True)
        assert len(replay.replayed) == 5
        assert bank.dead.replay([letters[0].dead_id]).skipped[0][1] == "it was replayed before"
        resumed = bank.batches.resume(batch.batch_id)

    assert resumed.end is RunEnd.COMPLETED
    assert (resumed.batches[0].completed, resumed.batches[0].failed) == (5, 0)
    assert bank.dead.list() == ()


def test_dropped_dead_letters_are_gone_and_unknown_ones_are_told(bank: Workspace, add_platform: AddPlatform) -> None:
    with SimulatorThread(always("e422"), seed=7) as sim:
        add_platform("sim", sim)
        bank.batches.run(request(rounds=1))
    letters = bank.dead.list()

    assert bank.dead.drop([letters[0].dead_id]) == 1
    with pytest.raises(UsageError, match="no dead letter"):
        bank.dead.show(letters[0].dead_id)
    with pytest.raises(UsageError, match="--all"):
        bank.dead.replay()


def test_two_runs_at_once_in_one_workspace_both_end(ready: Workspace, home: Path) -> None:
    ends: list[RunEnd] = []

    def run() -> None:
        with open_workspace(home, poll_s=0.05) as other:
            ends.append(other.batches.run(request(rounds=2)).end)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert ends == [RunEnd.COMPLETED, RunEnd.COMPLETED]
    assert [batch.completed for batch in ready.batches.list()] == [10, 10]
    assert len(ready.samples.list(limit=100)) == 20


def test_a_batch_can_be_watched_from_outside(ready: Workspace, home: Path) -> None:
    (batch,) = ready.batches.create(request())
    seen: list[Snapshot] = []
    worker_stop = threading.Event()

    def work() -> None:
        with open_workspace(home, poll_s=0.05) as other:
            other.work(stop=worker_stop)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        last = ready.batches.watch(batch.batch_id, seen.append, every_s=0.05)
    finally:
        worker_stop.set()
        worker.join()

    assert last.completed == 10
    assert last.cleaning.outstanding == 0
    assert seen[-1].done == 10
