"""Asking again what failed: a child batch, counted once with its parent."""

import pytest
from sqlalchemy import select

from answerwatch.domain.batches import BatchStatus
from answerwatch.errors import UsageError
from answerwatch.simulator import SimulatorThread, script_from
from answerwatch.stages.collect.ending import expire_batch
from answerwatch.store.schema.batch import question_usage_log as usage
from answerwatch.workspace import Workspace
from answerwatch.workspace.batches.views import BatchRequest, RunEnd
from answerwatch.workspace.questions.editing import Edit
from tests.databases import on_every_database
from tests.integration.workspace.test_batches import AddPlatform, use_address

pytestmark = on_every_database


@pytest.fixture
def failed(bank: Workspace, add_platform: AddPlatform) -> str:
    """A batch of five questions in two rounds of which everything failed."""
    with SimulatorThread(script_from({"faults": {"e422": 1.0}}), seed=7) as sim:
        add_platform("sim", sim)
        run = bank.batches.run(BatchRequest(brands=("华为",), platforms=("sim",), rounds=2))
    assert run.end is RunEnd.PARTIAL
    return run.batches[0].batch_id


def test_a_child_asks_exactly_what_failed_as_it_was_asked(bank: Workspace, failed: str, sim: SimulatorThread) -> None:
    bank.questions.edit("Q1", Edit(query_text="现在问得不一样"))
    use_address(bank, sim)

    (planned,) = bank.batches.plan_recollections(failed)
    (child,) = bank.batches.recollect(failed)
    run = bank.batches.resume(child.batch_id)

    assert (planned.calls, planned.questions) == (10, 5)
    assert (child.parent_batch_id, child.total, child.priority, child.rounds) == (failed, 10, 1, 2)
    assert run.end is RunEnd.COMPLETED
    asked = bank.samples.list(batch=child.batch_id, limit=100)
    assert sorted((one.question_id, one.round) for one in asked) == sorted(
        (f"Q{number}", round_) for number in range(5) for round_ in (1, 2)
    )
    with bank.store.reading() as read:
        versions = read.all(select(usage.c.question_version).where(usage.c.batch_id == child.batch_id).distinct())
    assert [row.question_version for row in versions] == [1]


def test_parent_and_child_are_counted_once(bank: Workspace, failed: str, sim: SimulatorThread) -> None:
    use_address(bank, sim)
    child = bank.batches.recollect(failed)[0].batch_id
    bank.batches.resume(child)

    whole = bank.batches.show(failed).together
    report = bank.reports.report("华为")

    assert whole is not None
    assert (whole.batches, whole.total, whole.completed, whole.failed, whole.open) == ((failed, child), 10, 10, 0, 0)
    assert report.report.overall.planned == 10
    assert bank.reports.report("华为", batches=[failed]).batches == tuple(sorted((failed, child)))
    assert bank.batches.show(child).together is None


def test_one_key_makes_one_child_and_nothing_is_asked_twice(bank: Workspace, failed: str) -> None:
    (child,) = bank.batches.recollect(failed, idempotency_key="again")

    assert bank.batches.recollect(failed, idempotency_key="again") == (child,)
    with pytest.raises(UsageError, match=f"recollect {child.batch_id}"):
        bank.batches.recollect(failed)
    with pytest.raises(UsageError, match="already"):
        bank.batches.recollect(child.batch_id, idempotency_key="again")
    assert len(bank.batches.list()) == 2


def test_what_is_asked_again_cannot_be_replayed_too(bank: Workspace, failed: str) -> None:
    bank.batches.recollect(failed)

    replay = bank.dead.replay(everything=True)

    assert (len(replay.replayed), len(replay.skipped)) == (0, 10)
    assert bank.batches.status(failed).status is BatchStatus.PARTIAL


def test_a_cancelled_child_gives_its_part_back_and_a_child_can_have_one(
    bank: Workspace, failed: str, sim: SimulatorThread
) -> None:
    first = bank.batches.recollect(failed)[0].batch_id
    bank.batches.cancel(first)
    with SimulatorThread(script_from({"faults": {"e422": 0.5}}), seed=7) as flaky:
        use_address(bank, flaky)
        second = bank.batches.recollect(failed)[0].batch_id
        half = bank.batches.resume(second).batches[0]
        assert 0 < half.failed < 10
    third = bank.batches.recollect(second)[0].batch_id
    use_address(bank, sim)
    bank.batches.resume(third)

    whole = bank.batches.show(failed).together
    assert whole is not None
    assert set(whole.batches) == {failed, first, second, third}
    assert (whole.completed, whole.failed) == (10, 0)
    assert bank.reports.report("华为").report.overall.planned == 10


def test_a_batch_that_runs_or_has_no_failure_has_nothing_to_ask_again(
    bank: Workspace, sim: SimulatorThread, add_platform: AddPlatform
) -> None:
    add_platform("sim", sim)
    (batch,) = bank.batches.create(BatchRequest(brands=("华为",), platforms=("sim",), rounds=1))

    with pytest.raises(UsageError, match="wait for its end"):
        bank.batches.recollect(batch.batch_id)
    bank.batches.resume(batch.batch_id)
    with pytest.raises(UsageError, match="Nothing failed"):
        bank.batches.recollect(batch.batch_id)
    with pytest.raises(UsageError, match="no batch"):
        bank.batches.recollect("BATCH_X")


def test_what_a_time_out_left_is_asked_again(bank: Workspace, sim: SimulatorThread, add_platform: AddPlatform) -> None:
    add_platform("sim", sim)
    (batch,) = bank.batches.create(BatchRequest(brands=("华为",), platforms=("sim",), rounds=1))
    with bank.store.writing() as tx:
        expire_batch(tx, batch.batch_id, batch.created_at)

    (child,) = bank.batches.recollect(batch.batch_id)

    assert bank.batches.status(batch.batch_id).status is BatchStatus.PARTIAL
    assert (child.total, child.timeout_s) == (5, 1800)
    assert bank.batches.resume(child.batch_id).end is RunEnd.COMPLETED


def test_a_group_is_asked_again_by_a_group(bank: Workspace, sim: SimulatorThread, add_platform: AddPlatform) -> None:
    bank.brands.add("比亚迪")
    with SimulatorThread(script_from({"faults": {"e422": 1.0}}), seed=7) as broken:
        add_platform("sim", broken)
        request = BatchRequest(brands=("华为", "比亚迪"), platforms=("sim",), rounds=1)
        run = bank.batches.run(request)
    parents = [one.batch_id for one in run.batches]
    group = bank.batches.list()[0].group_id
    use_address(bank, sim)

    planned = bank.batches.plan_recollections(group)
    children = bank.batches.recollect(group, idempotency_key="again")
    ended = bank.batches.resume(children[0].group_id)

    assert [one.parent_batch_id for one in planned] == parents
    assert [one.parent_batch_id for one in children] == parents
    assert len({one.group_id for one in children}) == 1
    assert children[0].group_id not in {group, *parents}
    again = bank.batches.recollect(group, idempotency_key="again")
    assert [one.batch_id for one in again] == [one.batch_id for one in children]
    assert ended.end is RunEnd.COMPLETED
    with pytest.raises(UsageError, match=f"asked again by {children[-1].batch_id}"):
        bank.batches.recollect(group)


def test_of_a_group_only_batches_in_which_something_failed_are_asked_again(
    bank: Workspace, failed: str, sim: SimulatorThread
) -> None:
    use_address(bank, sim)
    bank.brands.add("比亚迪")
    request = BatchRequest(brands=("华为", "比亚迪"), platforms=("sim",), rounds=1)
    waiting = bank.batches.create(request)
    with pytest.raises(UsageError, match="may still get its answers"):
        bank.batches.recollect(waiting[0].group_id)

    with bank.store.writing() as tx:
        expire_batch(tx, waiting[1].batch_id, bank.store.clock.now())
    bank.batches.cancel(waiting[0].batch_id)
    (child,) = bank.batches.recollect(waiting[0].group_id)

    assert child.parent_batch_id == waiting[1].batch_id
    assert child.group_id == child.batch_id
