"""A simulator for the tests of this folder, and a client that does nothing on its own."""

import json
from collections.abc import Callable, Iterator

import httpx2
import pytest

from answerwatch.simulator import SimulatorThread

Ask = Callable[..., httpx2.Response]


@pytest.fixture
def simulator() -> Iterator[SimulatorThread]:
    with SimulatorThread(seed=7) as running:
        yield running


@pytest.fixture
def client(simulator: SimulatorThread) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=simulator.base_url, timeout=20, trust_env=False) as opened:
        yield opened


@pytest.fixture
def ask(client: httpx2.Client) -> Ask:
    """Ask one question; `fault` goes into the model, `path` chooses the profile."""

    def send(
        question: str = "哪家咖啡好",
        *,
        fault: str = "",
        path: str = "/v1",
        key: str = "sk-test",
        headers: dict[str, str] | None = None,
        timeout: float = 20,
    ) -> httpx2.Response:
        model = f"sim-answer@{fault}" if fault else "sim-answer"
        body = {"model": model, "messages": [{"role": "user", "content": question}]}
        return client.post(
            f"{path}/chat/completions",
            content=json.dumps(body),
            headers={"authorization": f"Bearer {key}", "content-type": "application/json", **(headers or {})},
            timeout=timeout,
        )

    return send
