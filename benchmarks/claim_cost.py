"""What a claim costs when a paused batch lies in front of it."""

from __future__ import annotations

import statistics

from answerwatch.domain.work import Claim
from answerwatch.store import groups, ledger
from answerwatch.store.database import Store, Write
from answerwatch.store.ledger import GroupSpec
from benchmarks.frame import Better, Options, Row, seconds
from benchmarks.idle_stage import QUEUE, fill, scratch

NAME = "claim_cost"
CLAIM = 50


def run(options: Options) -> list[Row]:
    """Claim fifty tasks at a time behind 200,000 paused ones, in one transaction each, and next to none."""
    paused, claims = options.size(200_000, 2_000), options.size(200, 10)
    behind, alone = _median_ms(paused, claims), _median_ms(0, claims)
    note = f"{CLAIM} ids in one transaction, median of {claims}"
    return [
        Row(
            name=f"claim behind {paused:,} paused tasks", measured=behind, unit="ms", target=1.0, better=Better.LOWER,
            note=note,
        ),
        Row(name="claim with nothing in front", measured=alone, unit="ms", note=note),
    ]  # fmt: skip


def _median_ms(paused: int, claims: int) -> float:
    with scratch() as (store, _):
        if paused:
            fill(store, paused, group=GroupSpec(queue=QUEUE, group_id="paused", priority=9))
            store.transact(lambda tx: groups.hold(tx, QUEUE, "paused"))
        fill(store, (claims + 1) * CLAIM)
        assert len(_claim(store)) == CLAIM
        return statistics.median(seconds(lambda: _claim(store)) for _ in range(claims)) * 1000


def _claim(store: Store) -> list[Claim]:
    """Look at the piles and claim, as the engine does it."""

    def work(tx: Write) -> list[Claim]:
        return ledger.claim(tx, ledger.due(tx, [QUEUE])[0], most=CLAIM, worker_id="bench", lease_s=30.0)

    return store.transact(work)
