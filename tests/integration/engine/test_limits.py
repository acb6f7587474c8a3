"""Limits where they meet the ledger."""

import math

from sqlalchemy import select

from answerwatch.clock import HeldClock
from answerwatch.domain.limits import LimitPolicy, Signal, SignalKind, unpark
from answerwatch.domain.work import Claim
from answerwatch.engine.lanes import Grant, Limiter
from answerwatch.engine.scheduler import Lot
from answerwatch.store.database import Store, Write
from answerwatch.store.ops import alerts
from answerwatch.store.schema.ops import alert
from answerwatch.store.work import lanes, ledger
from tests.contract import toy
from tests.contract.toy import LANE, QUEUE

LIMITER = Limiter(LimitPolicy(late_s=0.0), horizon_s=2.0, monotonic=lambda: 100.0)


def limit(store: Store, *, rate: float | None = 5.0, capacity: int | None = 3, in_flight: int | None = None) -> None:
    store.transact(lambda tx: lanes.ensure(tx, LANE, rate=rate, capacity=capacity, in_flight=in_flight))


def take(store: Store, most: int) -> Grant:
    def work(tx: Write) -> Grant:
        piles = ledger.due(tx, [QUEUE])
        lot = Lot(queue=QUEUE, lane=LANE, piles=tuple(piles), most=most)

        def claim(allowed: int) -> list[Claim]:
            return ledger.claim(tx, piles[0], most=allowed, worker_id="w", lease_s=30) if piles else []

        return LIMITER.take(tx, lot, most, claim)

    return store.transact(work)


def promising(store: Store) -> bool:
    with store.reading() as tx:
        lot = Lot(queue=QUEUE, lane=LANE, piles=tuple(ledger.due(tx, [QUEUE])), most=1)
        return bool(LIMITER.promising(tx, [lot]))


def test_the_bucket_moves_by_what_was_claimed_and_not_by_what_was_asked(store: Store) -> None:
    limit(store)
    toy.add(store, ["ok::1"])
    assert take(store, 50).starts_s == (100.0,)
    toy.add(store, [f"ok::{number}" for number in range(2, 9)])
    assert take(store, 4).starts_s == (100.0, 100.0, 100.2, 100.4)


def test_a_lane_that_grants_nothing_claims_nothing(store: Store, clock: HeldClock) -> None:
    limit(store)
    toy.add(store, [f"ok::{number:02}" for number in range(30)])
    assert len(take(store, 50).claims) == 13
    assert not promising(store)
    assert take(store, 50).claims == ()
    clock.advance(0.2)
    assert promising(store)
    assert len(take(store, 50).claims) == 1


def test_the_cap_counts_leases_so_that_a_crash_cannot_leak_it(store: Store) -> None:
    limit(store, rate=None, capacity=None, in_flight=2)
    toy.add(store, [f"ok::{number}" for number in range(5)])
    held = take(store, 50).claims
    assert len(held) == 2
    assert not promising(store)
    store.transact(lambda tx: ledger.finish(tx, held[:1]))
    assert len(take(store, 50).claims) == 1


def test_new_limits_hold_at_once_and_what_was_learnt_stays(store: Store) -> None:
    limit(store)
    toy.add(store, [f"ok::{number:02}" for number in range(30)])
    take(store, 50)
    store.transact(lambda tx: LIMITER.report(tx, {LANE: [Signal(kind=SignalKind.THROTTLED)]}))
    limit(store, rate=50.0, capacity=3)
    with store.reading() as tx:
        state = lanes.every(tx)[0]
    assert (state.rate, round(state.factor, 2)) == (50.0, 0.7)
    assert take(store, 50).claims == ()


def test_a_storm_of_bad_keys_is_one_alert(store: Store) -> None:
    limit(store)
    told = store.transact(
        lambda tx: LIMITER.report(tx, {LANE: [Signal(kind=SignalKind.PARKS, reason="bad_key")] * 50, "unknown": []})
    )
    assert [(each.lane, each.closed) for each in told] == [(LANE, True)]
    with store.reading() as tx:
        rows = tx.all(select(alert.c.kind, alert.c.cause, alert.c.count))
    assert [tuple(row) for row in rows] == [("lane_parked", "bad_key", 50)]


def parks(store: Store, reason: str) -> set[str]:
    """Let a call say why the lane must wait for a person, and return the causes that are open."""
    store.transact(lambda tx: LIMITER.report(tx, {LANE: [Signal(kind=SignalKind.PARKS, reason=reason)]}))
    with store.reading() as tx:
        return {row.cause for row in tx.all(select(alert.c.cause).where(alert.c.acknowledged_at.is_(None)))}


def test_a_lane_that_stays_parked_stays_acknowledged_until_it_is_parked_anew_or_for_another_cause(
    store: Store,
) -> None:
    limit(store)
    assert parks(store, "bad_key: wrong") == {"bad_key"}
    store.transact(alerts.acknowledge)

    assert parks(store, "bad_key: still wrong") == set()
    assert parks(store, "no_balance") == {"no_balance"}
    assert parks(store, "bad_key") == {"no_balance", "bad_key"}

    store.transact(alerts.acknowledge)
    assert parks(store, "bad_key") == set()
    with store.writing() as tx:
        (state,) = lanes.every(tx)
        lanes.save(tx, unpark(state, tx.now_us()))
    assert parks(store, "bad_key") == {"bad_key"}


def test_a_lane_without_a_row_is_not_limited(store: Store) -> None:
    toy.add(store, [f"ok::{number:03}" for number in range(200)])
    grant = take(store, 150)
    assert (len(grant.claims), set(grant.starts_s), grant.late_s) == (150, {100.0}, math.inf)


def told_s(store: Store, signal: Signal) -> float:
    (told,) = store.transact(lambda tx: LIMITER.report(tx, {LANE: [signal]}))
    return told.blocked_s


def test_a_worker_waits_for_what_it_was_told_itself_and_asks_the_lane_for_the_rest(
    store: Store, clock: HeldClock
) -> None:
    limit(store)
    clock.advance(3600)
    assert told_s(store, Signal(kind=SignalKind.THROTTLED, wait_s=20.0)) == 20.0
    clock.advance(-3600)
    assert told_s(store, Signal(kind=SignalKind.ANSWERED)) == 2.0
    assert told_s(store, Signal(kind=SignalKind.THROTTLED, wait_s=30.0)) == 30.0
