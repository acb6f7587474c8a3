"""The finishing transaction: order, the fence, and rows that cannot be stored."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from answerwatch.domain.failures import Failure, Severity
from answerwatch.domain.limits import LimitPolicy
from answerwatch.domain.work import Claim, Done, Failed, HandedBack, Outcome, Settled, Why
from answerwatch.engine.lanes import Limiter
from answerwatch.engine.writer import Writer, Written
from answerwatch.errors import StoreFull
from answerwatch.store.database import Store, Write
from answerwatch.store.work import ledger, upkeep
from tests.contract import toy
from tests.contract.toy import QUEUE


def claim(store: Store, ids: Sequence[str]) -> list[Claim]:
    toy.add(store, ids)

    def work(tx: Write) -> list[Claim]:
        return ledger.claim(tx, ledger.due(tx, [QUEUE])[0], most=100, worker_id="w", lease_s=30)

    return store.transact(work)


def write(store: Store, outcomes: Sequence[Outcome[Any]], stage: toy.ToyStage | None = None) -> Written:
    writer = Writer(store, {QUEUE: stage or toy.ToyStage()}, Limiter(LimitPolicy(), 2.0, time.monotonic))
    written = Written()
    writer.write(outcomes, written)
    return written


def done(claims: Sequence[Claim], value: str = "") -> list[Outcome[Any]]:
    return [Done(claim=each, value=value) for each in claims]


def take_back_all(store: Store) -> None:
    store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=["w"]))


def test_outcomes_are_stored_in_id_order_whatever_order_they_came_in(store: Store) -> None:
    claims = claim(store, [f"ok::{number}" for number in range(9)])
    write(store, done([*reversed(claims)]))
    assert [task for task, _ in toy.events(store, "done")] == [each.task_id for each in claims]


def test_the_fence_sends_late_outcomes_to_lost_and_stores_the_others(store: Store) -> None:
    early = claim(store, ["ok::1", "ok::2"])
    take_back_all(store)
    now = claim(store, [])
    late = [early[0], now[1]]
    written = write(store, done(late))
    assert toy.done(store) == ["ok::2"]
    assert toy.events(store, "lost") == [("ok::1", "Done")]
    assert written.settled == late
    assert list(toy.rows(store)) == ["ok::1"]


def test_rep_late_attempt_a_late_failure_changes_nothing(store: Store) -> None:
    """The task succeeded by then; the failure is only evidence."""
    early = claim(store, ["ok::1"])
    take_back_all(store)
    write(store, done(claim(store, [])))
    failure = Failure(error_type="timeout", severity=Severity.PERMANENT)
    write(store, [Failed(claim=early[0], failure=failure)])
    assert toy.done(store) == ["ok::1"]
    assert toy.events(store, "failed") == []
    assert toy.letters(store) == []
    assert toy.events(store, "lost") == [("ok::1", "Failed")]


def test_rep_double_count_an_outcome_written_twice_counts_once(store: Store) -> None:
    """A redelivery after the commit finds the fence closed."""
    claims = claim(store, ["ok::1"])
    write(store, done(claims))
    write(store, done(claims))
    assert toy.done(store) == ["ok::1"]


def test_work_with_a_next_step_stays_in_hand(store: Store) -> None:
    claims = claim(store, ["two::1"])
    written = write(store, [Done(claim=claims[0], value="", more=True)])
    assert written.settled == []
    next_claims = [each for loaded in written.advanced for work in loaded.works for each in work.claims]
    assert [(each.step, each.token) for each in next_claims] == [(1, claims[0].token)]
    take_back_all(store)
    assert claim(store, [])[0].step == 1


def test_a_poison_row_stands_alone(store: Store) -> None:
    claims = claim(store, [f"ok::{number:02}" for number in range(37)])
    write(store, [*done(claims[:20]), *done(claims[20:21], "poison"), *done(claims[21:])])
    assert toy.done(store) == [each.task_id for each in claims if each is not claims[20]]
    assert toy.letters(store) == [(claims[20].task_id, "store_rejected")]
    assert toy.nothing_left(store)


class RefusesValues(toy.ToyStage):
    """A stage that cannot record a failed attempt that has a value."""

    def failed(self, tx: Write, settled: Sequence[Settled[Any]]) -> None:
        if any(each.outcome.value is not None for each in settled):
            raise toy.CannotBeStored
        super().failed(tx, settled)


def test_a_value_that_poisons_the_failure_too_is_left_out(store: Store) -> None:
    write(store, done(claim(store, ["ok::1"]), "poison"), RefusesValues())
    assert toy.letters(store) == [("ok::1", "store_rejected")]


class RefusesAll(toy.ToyStage):
    """A stage that can record nothing."""

    def failed(self, tx: Write, settled: Sequence[Settled[Any]]) -> None:
        raise toy.CannotBeStored((tx, settled))


def test_what_cannot_be_recorded_at_all_is_left_to_its_lease(store: Store) -> None:
    claims = claim(store, ["ok::1", "ok::2"])
    written = write(store, [*done(claims[:1], "poison"), *done(claims[1:])], RefusesAll())
    assert sorted(each.task_id for each in written.settled) == ["ok::1", "ok::2"]
    assert toy.rows(store) == {"ok::1": (0, 0, 0)}
    assert toy.done(store) == ["ok::2"]


class FullOnce(toy.ToyStage):
    """A stage whose database is full at the second transaction."""

    calls = 0

    def handed_back(self, tx: Write, back: Sequence[HandedBack[Any]]) -> None:
        self.calls += 1
        if self.calls == 1:
            raise StoreFull("store_full", "full")
        super().handed_back(tx, back)


def test_writing_again_after_the_database_failed_stores_nothing_twice(store: Store) -> None:
    claims = claim(store, ["ok::1", "ok::2", "poison::3"])
    stage = FullOnce()
    writer = Writer(store, {QUEUE: stage}, Limiter(LimitPolicy(), 2.0, time.monotonic))
    outcomes: list[Outcome[Any]] = [
        Done(claim=claims[0], value="", more=True),
        HandedBack(claim=claims[1], why=Why.STOPPED, value="called"),
        Done(claim=claims[2], value="poison"),
    ]
    written = Written()
    for _ in range(2):
        done_already = {each.task_id for each in written.stored}
        rest = [each for each in outcomes if each.claim.task_id not in done_already]
        try:
            writer.write(rest, written)
        except StoreFull:
            continue
    assert toy.events(store, "done") == [("ok::1", "work")]
    assert toy.events(store, "handed_back") == [("ok::2", "stopped")]
    assert toy.letters(store) == [("poison::3", "store_rejected")]


def test_what_was_committed_without_anybody_being_told_is_not_stored_again(store: Store) -> None:
    claims = claim(store, ["ok::1", "ok::2", "ok::3", "dead::4"])
    failure = Failure(error_type="bad_request", severity=Severity.PERMANENT)
    outcomes: list[Outcome[Any]] = [
        Done(claim=claims[0], value="", more=True),
        Done(claim=claims[1], value=""),
        HandedBack(claim=claims[2], why=Why.STOPPED, value="called"),
        Failed(claim=claims[3], failure=failure, value="tried"),
    ]
    first, again = write(store, outcomes), write(store, outcomes)
    assert toy.events(store, "done") == [("ok::1", "work"), ("ok::2", "work")]
    assert toy.letters(store) == [("dead::4", "bad_request")]
    for written in (first, again):
        (loaded,) = written.advanced
        assert [(each.task_id, each.step) for work in loaded.works for each in work.claims] == [("ok::1", 1)]
        assert {each.task_id for each in written.settled} == {each.task_id for each in claims[1:]}


@pytest.mark.parametrize("lost_first", [True, False])
def test_a_worker_that_claimed_its_lost_task_anew_brings_both_outcomes(store: Store, *, lost_first: bool) -> None:
    lost = claim(store, ["ok::1"])
    take_back_all(store)
    held = claim(store, [])
    both = [*lost, *held] if lost_first else [*held, *lost]
    written = write(store, [Done(claim=each, value="", more=True) for each in both])
    (loaded,) = written.advanced
    assert [each.token for work in loaded.works for each in work.claims] == [held[0].token]
    assert written.settled == lost
    assert toy.events(store, "done") == [("ok::1", "work")]
    assert toy.events(store, "lost") == [("ok::1", "Done")]
