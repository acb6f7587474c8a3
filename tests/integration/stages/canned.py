"""A platform whose replies a test writes word for word; it stands where the network would be."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from answerwatch.domain.answers import Reply
from answerwatch.domain.limits import LimitPolicy
from answerwatch.domain.work import Claim, Done, Outcome
from answerwatch.engine.lanes import Limiter
from answerwatch.engine.stage import Stage
from answerwatch.engine.work import next_step
from answerwatch.engine.writer import Writer, Written
from answerwatch.platforms.records import HttpCall, Surface
from answerwatch.store.work import ledger
from tests.integration.stages.line import Line


def chat_body(text: str | None, **message: object) -> bytes:
    """Return a chat reply with this answer; a lone surrogate goes out as its escape."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": "stop"}
    return json.dumps({"id": "r1", "model": "m", "choices": [choice]}).encode()


class Canned:
    """Sends nothing and returns what `answer` makes of the question."""

    def __init__(self, answer: Callable[[str], bytes], status: int = 200) -> None:
        self.answer = answer
        self.status = status
        self.calls: list[HttpCall] = []

    async def send(self, call: HttpCall, surface: Surface, *, within_s: float | None = None) -> Reply:
        """Return a reply of this moment."""
        assert within_s is None or within_s > 0
        assert surface.name == call.platform
        self.calls.append(call)
        question = orjson.loads(call.body)["messages"][0]["content"]
        now = datetime.now(UTC)
        headers = (("content-type", "application/json"),)
        return Reply(started_at=now, ended_at=now, status=self.status, headers=headers, body=self.answer(question))


def take(line: Line, queue: str, *, most: int = 100, lease_s: float = 30.0) -> list[Claim]:
    """Claim due tasks of a queue as a worker would; a lease of 0 is that of a worker that is as good as dead."""
    claims: list[Claim] = []
    with line.store.writing() as tx:
        for pile in ledger.ready(tx, [queue]):
            claims += ledger.claim(tx, pile, most=most, worker_id="by-hand", lease_s=lease_s)
        line.stage(queue).claimed(tx, claims)
    return claims


def perform(line: Line, stage: Stage, claims: Sequence[Claim]) -> list[Outcome[Any]]:
    """Load and run claims at their step, without storing anything."""
    step = stage.steps[claims[0].step]
    with line.store.reading() as tx:
        items = step.load(tx, claims)

    async def all_outcomes() -> list[Outcome[Any]]:
        return [outcome async for outcome in step.run(items)]

    return asyncio.run(all_outcomes())


def settle(line: Line, stage: Stage, outcomes: Sequence[Outcome[Any]]) -> None:
    """Bring outcomes to the fence and store them as the engine does."""
    writer = Writer(line.store, {stage.queue: stage}, Limiter(LimitPolicy(), 2.0, time.monotonic))
    writer.write(outcomes, Written())


def carry_through(line: Line, stage: Stage, claims: Sequence[Claim]) -> None:
    """Do all steps of claims, one after the other, storing each."""
    while claims:
        outcomes = perform(line, stage, claims)
        settle(line, stage, outcomes)
        claims = [next_step(one.claim) for one in outcomes if isinstance(one, Done) and one.more]
