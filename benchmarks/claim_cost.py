"""What a claim costs when a paused batch lies in front of it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from answerwatch.domain.work import Claim
from answerwatch.store.database import Store, Write
from answerwatch.store.work import groups, ledger
from answerwatch.store.work.ledger import GroupSpec
from benchmarks.frame import Better, Options, Row, seconds
from benchmarks.idle_stage import QUEUE, fill, scratch

NAME = "claim_cost"
CLAIM = 50
TURNS = 7


def run(options: Options) -> list[Row]:
    """Claim fifty tasks at a time behind 200,000 paused ones and next to none, in turn, in one transaction each."""
    paused, claims = options.size(200_000, 2_000), options.size(100, 5)
    with scratch() as (long, _), scratch() as (short, _):
        fill(long, paused, group=GroupSpec(queue=QUEUE, group_id="paused", priority=9))
        long.transact(lambda tx: groups.hold(tx, QUEUE, "paused"))
        for store in (long, short):
            fill(store, (TURNS * claims + 1) * CLAIM)
            assert len(_claim(store)) == CLAIM
        turns = [(_median_ms(long, claims), _median_ms(short, claims)) for _ in range(TURNS)]
    behind, alone = zip(*turns, strict=True)
    return [
        Row(
            name=f"claim behind {paused:,} paused tasks", measured=statistics.median(behind), unit="ms", target=1.0,
            better=Better.LOWER, note=_note(claims, behind),
        ),
        Row(
            name="claim with nothing in front", measured=statistics.median(alone), unit="ms",
            note=_note(claims, alone),
        ),
        Row(name="paused work in front ÷ none", measured=statistics.median(b / a for b, a in turns), unit="x"),
    ]  # fmt: skip


def _note(claims: int, turns: Sequence[float]) -> str:
    return f"{CLAIM} ids in one transaction, {TURNS} turns of {claims}: {min(turns):.2f} to {max(turns):.2f}"


def _median_ms(store: Store, claims: int) -> float:
    return statistics.median(seconds(lambda: _claim(store)) for _ in range(claims)) * 1000


def _claim(store: Store) -> list[Claim]:
    """Look at the piles and claim, as the engine does it."""

    def work(tx: Write) -> list[Claim]:
        return ledger.claim(tx, ledger.due(tx, [QUEUE])[0], most=CLAIM, worker_id="bench", lease_s=30.0)

    return store.transact(work)
