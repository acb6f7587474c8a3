"""A wish to stop that becomes urgent cancels calls in hand: they are interrupted, never failed."""

import threading
from collections.abc import Callable

import pytest
from sqlalchemy import select

from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.store.schema import call_attempt
from answerwatch.workspace import Workspace
from answerwatch.workspace.batches.views import BatchRequest, RunEnd
from answerwatch.workspace.running import engine


class Twice:
    """Ctrl-C pressed a second time as soon as the first was noticed."""

    def __init__(self) -> None:
        self.first = threading.Event()
        self._noticed = False

    def is_set(self) -> bool:
        self._noticed = self.first.is_set()
        return self._noticed

    def wait(self, timeout: float | None = None) -> bool:
        return self.first.wait(timeout)

    def is_urgent(self) -> bool:
        return self._noticed


def test_an_urgent_stop_does_not_wait_for_calls_that_hang(
    bank: Workspace, sim: SimulatorThread, add_platform: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "STOP_WITHIN_S", 600.0)  # longer than the calls' own deadline
    sim.use(parse_script("faults: {hang: 1.0}"))
    add_platform("sim", sim, deadline_s=10)
    stop = Twice()

    def asked(_snapshot: object) -> None:
        if sim.calls():
            stop.first.set()

    request = BatchRequest(brands=("华为",), platforms=("sim",), rounds=1)
    outcome = bank.batches.run(request, progress=asked, stop=stop)

    assert outcome.end is RunEnd.PAUSED
    with bank.store.reading() as read:
        assert {row.outcome for row in read.all(select(call_attempt.c.outcome))} == {"interrupted"}
