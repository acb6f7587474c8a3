"""Leases are renewed while the loop lives, and lost ones are told."""

from answerwatch.clock import HeldClock
from answerwatch.domain.work import Claim
from answerwatch.engine.hand import Hand
from answerwatch.engine.leases import Renewer
from answerwatch.store.database import Store, Write
from answerwatch.store.work import ledger, upkeep
from tests.contract import toy
from tests.contract.toy import QUEUE

LEASE_S = 30.0


def claim(store: Store) -> list[Claim]:
    def work(tx: Write) -> list[Claim]:
        return ledger.claim(tx, ledger.due(tx, [QUEUE])[0], most=9, worker_id="w", lease_s=LEASE_S)

    return store.transact(work)


def expired(store: Store) -> list[str]:
    freed = store.transact(lambda tx: upkeep.take_back(tx, queues=[QUEUE], dead_workers=[]))
    return [each.claim.task_id for each in freed]


def test_what_is_in_hand_keeps_its_lease(store: Store, clock: HeldClock) -> None:
    toy.add(store, ["ok::1"])
    hand, lost = Hand(), list[list[Claim]]()
    hand.take(claim(store))
    renewer = Renewer(store, hand, LEASE_S, lost.append)
    for _ in range(10):
        clock.advance(20)
        renewer.tick()
        renewer.turn()
    assert (expired(store), lost) == ([], [])


def test_a_loop_that_hangs_loses_its_leases(store: Store, clock: HeldClock) -> None:
    toy.add(store, ["ok::1"])
    hand = Hand()
    hand.take(claim(store))
    renewer = Renewer(store, hand, LEASE_S, lambda _: None)
    for _ in range(3):
        clock.advance(20)
        renewer.turn()
    assert expired(store) == ["ok::1"]


def test_claims_that_somebody_else_took_are_told_once_they_are_seen(store: Store, clock: HeldClock) -> None:
    toy.add(store, ["ok::1", "ok::2"])
    hand, lost = Hand(), list[list[Claim]]()
    held = claim(store)
    hand.take(held)
    renewer = Renewer(store, hand, LEASE_S, lost.append)
    clock.advance(LEASE_S + 1)
    expired(store)
    claim(store)
    renewer.tick()
    renewer.turn()
    assert lost == [held]
    hand.drop(held)
    renewer.turn()
    assert lost == [held]
