"""The score stage as the engine sees it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

from answerwatch.clock import Clock
from answerwatch.domain.limits import Signal, SignalKind
from answerwatch.domain.similarity import BlockStatus, TaskKind, TaskName
from answerwatch.domain.work import (
    SIMILARITY,
    SIMILARITY_POLICY,
    Claim,
    Done,
    Failed,
    HandedBack,
    NewTask,
    Outcome,
    RetryPolicy,
    Settled,
)
from answerwatch.engine.stage import Step
from answerwatch.similarity.scorer import Scorers
from answerwatch.stages.score import failing, storing
from answerwatch.stages.score.loading import Loader, Window
from answerwatch.stages.score.records import Item, Output
from answerwatch.stages.score.running import Runner
from answerwatch.stages.score.shelf import Shelf
from answerwatch.store.database import Read, Store, Write
from answerwatch.store.schema.similarity import similarity_score, similarity_vector
from answerwatch.store.similarity import blocks, jobs, memory
from answerwatch.store.work.ledger import GroupSpec

MOST_VECTORS = 500_000
"""Vectors that are remembered at most: half a gigabyte at 512 dimensions."""
MOST_SCORES = 5_000_000
"""Scores of pair scorers that are remembered at most."""


class ScoreStep:
    """Encodes, multiplies or asks a pair scorer, whatever the task is."""

    name = "score"

    def __init__(self, loader: Loader, runner: Runner, shelf: Shelf, clock: Clock) -> None:
        """Keep the parts."""
        self._loader = loader
        self._runner = runner
        self._shelf = shelf
        self._clock = clock

    def load(self, tx: Read, claims: Sequence[Claim]) -> Sequence[Item]:
        """Return what the claims need."""
        return self._loader.load(tx, claims)

    def run(self, items: Sequence[Item]) -> AsyncIterator[Outcome[Output]]:
        """Yield an outcome for every item."""
        return self._runner.run(items)

    def store(self, tx: Write, done: Sequence[Done[Output]]) -> None:
        """Write scores and move their jobs on."""
        storing.store(tx, done, self._shelf, self._clock.now())


class ScoreStage:
    """Works on similarity jobs, one unit or block at a time."""

    queue = SIMILARITY
    together = 1

    def __init__(
        self, scorers: Scorers, *, clock: Clock, window: Window, policy: RetryPolicy = SIMILARITY_POLICY
    ) -> None:
        """Take scorers from `scorers`; use again what is not older than the window."""
        self.policy = policy
        self._clock = clock
        self._shelf = Shelf()
        step = ScoreStep(Loader(clock, window, self._shelf), Runner(scorers), self._shelf, clock)
        self.steps: Sequence[Step[Any, Any]] = (step,)

    def claimed(self, tx: Write, claims: Sequence[Claim]) -> None:
        """Set jobs running, and blocks processing."""
        names = [(claim, TaskName.of(claim.task_id)) for claim in claims]
        jobs.begin(tx, sorted({name.job_id for _, name in names}), self._clock.now())
        for claim, name in names:
            _mark(tx, name, BlockStatus.PROCESSING, claim.failures)

    def failed(self, tx: Write, settled: Sequence[Settled[Output]]) -> None:
        """Count retries, and end what is not tried again."""
        failing.record(tx, settled, self._shelf, self._clock.now())

    def handed_back(self, tx: Write, back: Sequence[HandedBack[Output]]) -> None:
        """Change nothing: it will be claimed again."""

    def lost(self, tx: Write, late: Sequence[Outcome[Output]]) -> None:
        """Drop what came too late: whoever has the task now computes the same."""

    def expired(self, tx: Write, group_id: str) -> None:
        """Do nothing: jobs have no time limit."""

    def revive(self, tx: Write, task_ids: Sequence[str]) -> list[tuple[GroupSpec, NewTask]]:
        """Take jobs up again where something of them is dead."""
        return failing.revive(tx, task_ids, self._clock.now())

    def signal(self, outcome: Outcome[Output]) -> Signal | None:
        """Return what parks a scorer's lane, or lets it be asked again."""
        if isinstance(outcome, Done):
            return Signal(kind=SignalKind.ANSWERED)
        if isinstance(outcome, Failed) and outcome.failure.parks:
            reason = f"{outcome.failure.error_type}: {outcome.failure.message}"[:500]
            return Signal(kind=SignalKind.PARKS, reason=reason)
        return None

    def swept(self, store: Store) -> None:
        """Forget the oldest of what is remembered when it is too much."""
        for table, most in ((similarity_vector, MOST_VECTORS), (similarity_score, MOST_SCORES)):
            store.transact(partial(memory.evict, table=table, most=most))


def _mark(tx: Write, name: TaskName, status: BlockStatus, retries: int) -> None:
    if name.kind is TaskKind.BLOCK:
        blocks.mark(tx, name.job_id, (name.at[0], name.at[1]), status, retries=retries)
    elif name.kind is TaskKind.RERANK:
        blocks.mark_rerank(tx, name.job_id, name.at[0], status, retries=retries)
