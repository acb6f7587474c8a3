"""Work starts at its moment or goes back, and every item has exactly one outcome."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from answerwatch.domain.work import Claim, Done, Failed, HandedBack, Outcome, Why
from answerwatch.engine.runner import Runner, Start
from answerwatch.engine.work import Work
from answerwatch.store.database import Read, Write


@dataclass(frozen=True, slots=True)
class Thing:
    claim: Claim


class Waiting:
    """Works until it is told to go on; `bad` items raise, `stubborn` ones turn a cancel into another error."""

    name = "wait"

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.started: list[str] = []

    def load(self, _: Read, claims: Sequence[Claim]) -> Sequence[Thing]:
        return [Thing(claim) for claim in claims]

    async def run(self, items: Sequence[Thing]) -> AsyncIterator[Outcome[str]]:
        for item in items:
            self.started.append(item.claim.task_id)
            if item.claim.task_id == "bad":
                raise RuntimeError("bad")
            try:
                await self.go_on.wait()
            except asyncio.CancelledError:
                if item.claim.task_id == "stubborn":
                    raise ConnectionError("reset by our own cancel") from None
                raise
            yield Done(claim=item.claim, value="")

    def store(self, tx: Write, done: Sequence[Done[str]]) -> None: ...


def claim(task_id: str) -> Claim:
    return Claim(
        task_id=task_id, queue="q", group="g", lane="a", step=0, token="t",
        failures=0, interruptions=0, deadline_us=None,
    )  # fmt: skip


class Bench:
    """A runner with its outcomes."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome[Any]] = []
        self.runner = Runner(self.outcomes.append)
        self.step = Waiting()

    def start(self, *task_ids: str, in_s: float = 0.0, late_s: float = 1.0) -> None:
        work = Work(step=self.step, items=[Thing(claim(task_id)) for task_id in task_ids])
        at_s = asyncio.get_running_loop().time() + in_s
        self.runner.start(work, Start(at_s, at_s + late_s))

    def said(self) -> list[tuple[str, object]]:
        return [
            (outcome.claim.task_id, outcome.why if isinstance(outcome, HandedBack) else type(outcome))
            for outcome in self.outcomes
        ]


def loop(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


def test_work_runs_and_delivers_what_it_did() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.step.go_on.set()
        bench.start("1", "2")
        await bench.runner.quiet()
        assert bench.said() == [("1", Done), ("2", Done)]

    loop(scene())


def test_work_that_is_too_late_goes_back_without_a_call() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.start("1", in_s=-1.5)
        assert bench.said() == [("1", Why.LATE_START)]
        assert bench.step.started == []

    loop(scene())


def test_work_waits_for_its_moment_and_can_be_taken_back_until_then() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.start("1", in_s=600)
        bench.start("2", in_s=600)
        assert [each.task_id for each in bench.runner.waiting_claims()] in (["1", "2"], ["2", "1"])
        bench.runner.hand_back_waiting(lambda each: each.task_id == "2", Why.HELD)
        assert bench.said() == [("2", Why.HELD)]
        assert [each.task_id for each in bench.runner.waiting_claims()] == ["1"]

    loop(scene())


def test_starts_that_the_platform_put_off_go_back() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.runner.block("a", 30.0)
        bench.start("1")
        assert bench.said() == [("1", Why.SLOWED)]

    loop(scene())


def test_a_start_after_the_moment_that_the_platform_asked_for_is_not_put_off() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.runner.block("a", 30.0)
        bench.runner.block("a", 10.0)
        bench.start("1", in_s=20.0)
        bench.start("2", in_s=31.0)
        assert bench.said() == [("1", Why.SLOWED)]
        assert [each.task_id for each in bench.runner.waiting_claims()] == ["2"]

    loop(scene())


def test_work_without_a_limit_is_never_late() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.step.go_on.set()
        bench.start("1", in_s=-1000.0, late_s=float("inf"))
        await bench.runner.quiet()
        assert bench.said() == [("1", Done)]

    loop(scene())


def test_a_fault_fails_its_own_item_and_the_others_run() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.step.go_on.set()
        bench.start("1", "bad", "2")
        await bench.runner.quiet()
        assert sorted(bench.said(), key=str) == sorted([("1", Done), ("bad", Failed), ("2", Done)], key=str)
        assert len(bench.step.started) == len(["1", "bad", "bad", "2"])

    loop(scene())


def test_cancelled_work_goes_back_whatever_it_raises() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.start("1")
        bench.start("stubborn")
        await asyncio.sleep(0)
        bench.runner.cancel(Why.STOPPED)
        await bench.runner.quiet()
        assert sorted(bench.said()) == [("1", Why.STOPPED), ("stubborn", Why.STOPPED)]

    loop(scene())


def test_only_runs_whose_every_item_is_lost_are_cancelled() -> None:
    async def scene() -> None:
        bench = Bench()
        bench.start("1")
        bench.start("2", "3")
        await asyncio.sleep(0)
        bench.runner.cancel(Why.LOST, {("1", "t"), ("2", "t")})
        bench.step.go_on.set()
        await bench.runner.quiet()
        assert sorted(bench.said(), key=str) == [("1", Why.LOST), ("2", Done), ("3", Done)]

    loop(scene())
