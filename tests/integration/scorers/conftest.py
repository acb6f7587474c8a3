"""A fake scoring server for the tests of this folder."""

from collections.abc import Iterator

import pytest

from answerwatch.simulator import SimulatorThread


@pytest.fixture(scope="session")
def one_simulator() -> Iterator[SimulatorThread]:
    with SimulatorThread(seed=7) as running:
        yield running


@pytest.fixture
def simulator(one_simulator: SimulatorThread) -> SimulatorThread:
    """A simulator that nothing was asked yet."""
    one_simulator.reset()
    return one_simulator
