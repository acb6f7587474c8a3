"""Stopping in the middle of calls: attempts are interrupted, nothing is failed, the work goes on later."""

import asyncio
import threading
from pathlib import Path
from typing import Any

from answerwatch.domain.work import COLLECT, Done, Outcome
from answerwatch.engine.engine import Engine
from answerwatch.platforms.sender import Sender
from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.stages.collect.stage import CollectStage
from answerwatch.store.objects import LocalObjects
from answerwatch.store.schema import answer_sample, call_attempt, clean_state, dead_letter, question_usage_log
from answerwatch.store.work import lanes
from tests.integration.stages.canned import Canned, chat_body, settle, take
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line, questions


async def stop_during_the_call(line: Line, simulator: SimulatorThread, calls: int) -> None:
    """Start an engine, and stop it at once when the platform has seen so many calls in all."""
    async with Sender(slots=4) as sender:
        engine = Engine(line.store, [line.collect_stage(sender)], line.options((COLLECT,)))

        def watch() -> bool:
            if len(simulator.calls()) >= calls:
                engine.request_stop(within_s=0)
            return False

        async with asyncio.timeout(30):
            await engine.run(until=watch)


def test_rep_sigterm_retry_budget(make_line: MakeLine, simulator: SimulatorThread) -> None:
    line = make_line("faults: {hang: 1}")
    line.add_batch("B1", questions(1))
    for restart in range(1, 6):
        asyncio.run(stop_during_the_call(line, simulator, restart))
    with line.store.reading() as tx:
        (lane,) = lanes.every(tx)
    assert (lane.factor, lane.faults, lane.parked) == (1.0, 0, False)
    simulator.use(parse_script("{seed: 1, latency: 0}"))
    line.run()
    (usage,) = line.rows(question_usage_log)
    assert (usage["status"], usage["retry_count"], usage["error"]) == ("success", 0, None)
    outcomes = [(row["attempt"], row["outcome"]) for row in line.rows(call_attempt)]
    assert outcomes == [*((n, "interrupted") for n in range(1, 6)), (6, "answered")]
    assert line.rows(dead_letter) == []
    assert line.count(clean_state, "current_state") == {"completed": 1}


class SlowDisk(LocalObjects):
    """An object store whose disk takes its time: it writes when it is let."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.asked = threading.Event()
        self.let = threading.Event()

    def put(self, key: str, data: bytes) -> None:
        self.asked.set()
        assert self.let.wait(30)
        super().put(key, data)


async def cancel_while_keeping(line: Line, stage: CollectStage, disk: SlowDisk) -> list[Outcome[Any]]:
    """Run what is due and cancel it after the answer came, before it was kept; return the outcomes."""
    (step,) = stage.steps
    with line.store.reading() as tx:
        items = step.load(tx, take(line, COLLECT))
    outcomes: list[Outcome[Any]] = []

    async def drive() -> None:
        outcomes.extend([outcome async for outcome in step.run(items)])

    task = asyncio.create_task(drive())
    assert await asyncio.to_thread(disk.asked.wait, 30)
    task.cancel()
    await asyncio.sleep(0)  # the cancelling arrives at the task
    disk.let.set()
    await asyncio.wait([task])
    return outcomes


def test_an_answer_that_is_here_is_kept_and_stored_although_its_run_is_cancelled(make_line: MakeLine) -> None:
    line = make_line()
    line.add_batch("B1", questions(1))
    line.objects = disk = SlowDisk(line.folder / "objects")
    stage = line.collect_stage(Canned(lambda question: chat_body(f"{question}砚山咖啡")))
    outcomes = asyncio.run(cancel_while_keeping(line, stage, disk))
    settle(line, stage, outcomes)
    assert [type(outcome) for outcome in outcomes] == [Done]
    assert line.count(answer_sample, "attempt") == {1: 1}
    assert line.count(call_attempt, "outcome") == {"answered": 1}
