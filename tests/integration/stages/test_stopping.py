"""Stopping in the middle of calls: attempts are interrupted, nothing is failed, the work goes on later."""

import asyncio

from answerwatch.domain.work import COLLECT
from answerwatch.engine.engine import Engine
from answerwatch.platforms.sender import Sender
from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.store import lanes
from answerwatch.store.schema import call_attempt, clean_state, dead_letter, question_usage_log
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
