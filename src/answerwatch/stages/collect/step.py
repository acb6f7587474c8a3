"""The one step of collection: ask a platform, keep what it said, store the sample."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.batches import AttemptOutcome, Outcomes
from answerwatch.domain.work import Claim, Done, HandedBack, Outcome, Why
from answerwatch.stages.collect.asking import Asker, Sent
from answerwatch.stages.collect.bookkeeping import attempt_row, tell_cut_short, tell_finished
from answerwatch.stages.collect.records import Call, ToAsk
from answerwatch.stages.handover import hand_over
from answerwatch.store.batch import attempts, moves, sub_tasks
from answerwatch.store.database import Read, Write
from answerwatch.store.sample import samples


@dataclass(slots=True)
class AskStep:
    """Asks each sub-task; an answer that was received is never paid for twice."""

    asker: Asker
    cleaner_version: str
    name: str = "ask"

    def load(self, tx: Read, claims: Sequence[Claim]) -> list[ToAsk]:
        """Return the sub-tasks, and for those tried before the attempts whose answers may have been kept."""
        rows = sub_tasks.load(tx, [claim.task_id for claim in claims])
        again = [claim.task_id for claim in claims if claim.attempt > 1]
        settled = attempts.settled(tx, again) if again else {}
        timed = any(claim.deadline_us is not None for claim in claims)
        ahead_s = self.asker.clock.monotonic() - tx.now_us() / MICROSECONDS if timed else 0.0
        return [
            ToAsk(
                claim=claim,
                sub_task=rows.get(claim.task_id),
                ends_s=None if claim.deadline_us is None else ahead_s + claim.deadline_us / MICROSECONDS,
                open_attempts=tuple(n for n in range(1, claim.attempt) if n not in settled[claim.task_id]),
            )
            for claim in claims
        ]

    async def run(self, items: Sequence[ToAsk]) -> AsyncIterator[Outcome[Call]]:
        """Yield one outcome for each sub-task.

        When the run is cancelled after a request had gone out, the attempt is handed back first: it counts as made.
        One whose answer was here already is done all the same.
        """
        for item in items:
            sent = Sent()
            try:
                outcome = await self.asker.outcome(item, sent)
            except asyncio.CancelledError:
                if sent.at is not None:
                    call = Call(attempt=item.claim.attempt, started_at=sent.at, ended_at=self.asker.clock.now())
                    yield HandedBack(claim=item.claim, why=Why.STOPPED, value=call)
                raise
            yield outcome

    def store(self, tx: Write, done: Sequence[Done[Call]]) -> None:
        """Store the samples, mark the sub-tasks, move the counters and make the clean tasks: all or nothing."""
        now = self.asker.clock.now()
        by_batch: dict[str, list[str]] = {}
        for one in done:
            by_batch.setdefault(one.claim.group, []).append(one.claim.task_id)
        sub_tasks.succeed(tx, [one.claim.task_id for one in done], now)
        samples.add(tx, [one.value.sample for one in done if one.value.sample is not None])
        samples.forget_late(tx, [(one.claim.task_id, one.value.attempt) for one in done if one.value.adopted])
        attempts.record(tx, [attempt_row(one.claim, one.value, AttemptOutcome.ANSWERED) for one in done])
        hand_over(tx, by_batch, cleaner_version=self.cleaner_version, now=now)
        tell_cut_short(tx, [one.value.sample for one in done if one.value.sample is not None])
        ended = {id_: Outcomes(completed=len(ids)) for id_, ids in by_batch.items()}
        finished = moves.add_outcomes(tx, ended, now)
        tell_finished(tx, finished)
