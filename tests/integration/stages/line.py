"""A small production line for tests: real store, real objects, real engine, fake platforms over real HTTP."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Table, select

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.batches import SubTask, expand
from answerwatch.domain.brands import Alias, Brand
from answerwatch.domain.lexicons import content_of, hash_of
from answerwatch.domain.limits import LimitPolicy
from answerwatch.domain.questions import Question
from answerwatch.domain.work import CLEAN, COLLECT, NewTask, RetryPolicy
from answerwatch.engine.engine import Engine
from answerwatch.engine.options import EngineOptions
from answerwatch.engine.stage import Stage
from answerwatch.errors import UsageError
from answerwatch.platforms.ask import Sends
from answerwatch.platforms.records import Surface
from answerwatch.platforms.sender import Sender
from answerwatch.reading import READER_VERSION
from answerwatch.stages.clean.stage import CleanStage
from answerwatch.stages.collect.stage import CollectStage
from answerwatch.store.database import Store
from answerwatch.store.objects import LocalObjects, ObjectStore
from answerwatch.store.ops import dead_letters
from answerwatch.store.schema import lexicon_version, question_usage_log, question_version, task_batch
from answerwatch.store.upsert import insert_new
from answerwatch.store.work import lanes, ledger

QUICK = RetryPolicy(delays_s=(0.05, 0.05, 0.05), max_retries=3, jitter=0.0)
"""The usual number of retries, without the usual waits."""


@dataclass(frozen=True)
class Surfaces:
    """Platforms by name."""

    by_name: Mapping[str, Surface]

    def get(self, name: str) -> Surface:
        """Return a surface; raises UsageError for an unknown one."""
        if name not in self.by_name:
            raise UsageError("platform_unknown", f"no platform {name}")
        return self.by_name[name]


def surface(base_url: str, name: str = "sim", *, deadline_s: float = 20.0) -> Surface:
    """Return a surface of the simulator's profile of the same name."""
    return Surface(
        name=name,
        product=name,
        base_url=f"{base_url}/{name}/v1",
        model="sim-answer",
        task_header="X-Sim-Key",
        answer_s=0.1,
        deadline_s=deadline_s,
    )


def questions(count: int) -> list[Question]:
    """Return invented questions."""
    return [
        Question(question_id=f"Q{n:03}", scene_type="RECOMMEND", query_text=f"第{n}个问题：推荐哪个咖啡品牌？")
        for n in range(1, count + 1)
    ]


@dataclass
class Line:
    """One workspace's worth of parts in a folder."""

    folder: Path
    """Where objects and locks lie."""
    url: str
    """A database with all tables."""
    surfaces: Mapping[str, Surface] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)
    policy: RetryPolicy = QUICK

    def __post_init__(self) -> None:
        self.store = Store(self.url)
        self.objects: ObjectStore = LocalObjects(self.folder / "objects")

    def add_lexicon(self, version: int = 1, **aliases: Sequence[str]) -> None:
        """Store a lexicon version of brands with their aliases."""
        brands = [
            Brand(brand_id=name, standard_name=name, aliases=tuple(Alias(text=text) for text in (name, *texts)))
            for name, texts in aliases.items()
        ]
        content = content_of(brands)
        with self.store.writing() as tx:
            tx.insert(
                lexicon_version,
                [
                    {
                        "version": version,
                        "content_hash": hash_of(content),
                        "content": content,
                        "created_at": datetime.now(UTC),
                        "changed_by": "test",
                        "note": "",
                    }
                ],
            )

    def add_batch(
        self,
        batch_id: str,
        asked: Sequence[Question],
        *,
        rounds: int = 1,
        brand: str = "A牌",
        timeout_s: float | None = None,
    ) -> list[SubTask]:
        """Store a batch of all platforms and put it on the ledger."""
        sub_tasks = list(expand(batch_id, asked, list(self.surfaces), rounds))
        now = datetime.now(UTC)
        with self.store.writing() as tx:
            insert_new(tx, question_version, [_version(question, now) for question in asked])
            tx.insert(task_batch, [_batch(batch_id, brand, sub_tasks, rounds, now)])
            tx.insert(question_usage_log, [_usage(batch_id, one, now) for one in sub_tasks])
            budget = None if timeout_s is None else round(timeout_s * MICROSECONDS)
            ledger.open_group(
                tx, ledger.GroupSpec(queue=COLLECT, group_id=batch_id, brand_name=brand, budget_us=budget)
            )
            ledger.add(tx, COLLECT, batch_id, [_task(one, self.surfaces) for one in sub_tasks])
            for one in self.surfaces.values():
                lanes.ensure(tx, f"{COLLECT}/{one.lane}", rate=None, capacity=None, in_flight=None)
        return sub_tasks

    def run(
        self,
        *queues: str,
        until: Callable[[], bool] | None = None,
        within_s: float = 60.0,
    ) -> None:
        """Run an engine until `until` holds; without one, until nothing is left on the ledger."""
        asyncio.run(self._run(queues or (COLLECT, CLEAN), until or self.is_idle, within_s))

    async def _run(
        self,
        queues: tuple[str, ...],
        until: Callable[[], bool],
        within_s: float,
    ) -> None:
        end = time.monotonic() + within_s

        def done() -> bool:
            if time.monotonic() > end:
                raise TimeoutError(f"not done after {within_s} s: {self.depths()}")
            return until()

        async with Sender(slots=64, environ=self.environ) as sender:
            collect = self.collect_stage(sender)
            clean = CleanStage(clock=self.store.clock, policy=self.policy)
            await Engine(self.store, [collect, clean], self.options(queues)).run(until=done)

    def options(self, queues: tuple[str, ...]) -> EngineOptions:
        """Return quick settings of an engine."""
        return EngineOptions(
            lock_folder=self.folder / "locks",
            queues=queues,
            limits=LimitPolicy(faults_to_open=1_000),
            poll_s=0.02,
            sweep_s=0.1,
            gather_s=0.005,
            lease_s=5.0,
        )

    def replay(self, queue: str) -> int:
        """Replay all dead letters of a queue, as a person does."""
        stage = self.stage(queue)
        with self.store.writing() as tx:
            letters = dead_letters.find(tx, dead_letters.Filter(queue=queue))
            taken = dead_letters.take_for_replay(tx, [letter.dead_id for letter in letters], by="test")
            revived = stage.revive(tx, [letter.task_id for letter in taken])
            for group, task in revived:
                ledger.open_group(tx, group)
                ledger.add(tx, queue, group.group_id, [task])
        return len(revived)

    def stage(self, queue: str) -> Stage:
        """Return the stage of a queue."""
        return self.collect_stage() if queue == COLLECT else CleanStage(clock=self.store.clock, policy=self.policy)

    def collect_stage(self, sender: Sends | None = None) -> CollectStage:
        """Return the collect stage; without a sender it can do everything but ask."""
        return CollectStage(
            Surfaces(self.surfaces),
            sender or Sender(slots=1),
            self.objects,
            clock=self.store.clock,
            cleaner_version=READER_VERSION,
            policy=self.policy,
        )

    def depths(self) -> list[ledger.Depth]:
        """Return what is left on the ledger."""
        with self.store.reading() as tx:
            return ledger.depths(tx)

    def is_parked(self) -> bool:
        """Tell whether a lane is parked and nothing is in hand."""
        with self.store.reading() as tx:
            parked = any(lane.parked for lane in lanes.every(tx))
        return parked and all(depth.leased == 0 for depth in self.depths())

    def is_idle(self) -> bool:
        """Tell whether nothing is left on the ledger."""
        return not self.depths()

    def rows(self, table: Table, **where: object) -> list[dict[str, Any]]:
        """Return the rows of a table, in the order of its key."""
        query = select(table).order_by(*(column for column in table.columns if column.primary_key))
        for name, value in where.items():
            query = query.where(table.c[name] == value)
        with self.store.reading() as tx:
            return [row._asdict() for row in tx.all(query)]

    def count(self, table: Table, column: str) -> dict[Any, int]:
        """Return how many rows a table has by a column."""
        return dict(Counter(row[column] for row in self.rows(table)))


def _version(question: Question, now: datetime) -> dict[str, object]:
    return {
        "question_id": question.question_id,
        "version": question.version,
        "query_text": question.query_text,
        "scene_type": question.scene_type,
        "changed_at": now,
        "changed_by": "test",
        "note": "",
    }


def _batch(batch_id: str, brand: str, sub_tasks: Sequence[SubTask], rounds: int, now: datetime) -> dict[str, object]:
    platforms = sorted({one.platform for one in sub_tasks})
    return {
        "batch_id": batch_id, "brand_name": brand, "scene_types": ["RECOMMEND"], "platforms": platforms,
        "total_questions": len({one.question_id for one in sub_tasks}), "total_sub_tasks": len(sub_tasks),
        "completed_sub_tasks": 0, "failed_sub_tasks": 0, "batch_status": "pending", "created_at": now,
        "group_id": batch_id, "priority": 0, "rounds": rounds, "timeout_s": 1800.0, "origin": "collected",
    }  # fmt: skip


def _usage(batch_id: str, one: SubTask, now: datetime) -> dict[str, object]:
    return {
        "sub_task_id": one.sub_task_id, "question_id": one.question_id, "question_version": one.question_version,
        "batch_id": batch_id, "platform": one.platform, "scene_type": one.scene_type, "round": one.round,
        "status": "pending", "retry_count": 0, "created_at": now,
    }  # fmt: skip


def _task(one: SubTask, surfaces: Mapping[str, Surface]) -> NewTask:
    return NewTask(task_id=one.sub_task_id, lane=f"{COLLECT}/{surfaces[one.platform].lane}", seq=one.seq)
