"""A workspace whose workers are woken over a broker."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from answerwatch.engine.carriers.brokers import kind_of, refuse_unusable
from answerwatch.errors import AnswerwatchError
from answerwatch.simulator import SimulatorThread
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.batches.views import BatchRequest
from answerwatch.workspace.health.doctor import Grade
from tests import brokers
from tests.brokers import REDIS
from tests.integration.workspace.conftest import QUICK

REQUEST = BatchRequest(brands=("华为",), platforms=("sim",), rounds=2)


@pytest.fixture
def own_redis(needs_server: Callable[[str], None], free_port: int) -> Iterator[str]:
    """The address of a Redis server of the test's own."""
    needs_server(REDIS)
    with brokers.redis_server(free_port) as address:
        yield address


@pytest.fixture
def ready(bank: Workspace, sim: SimulatorThread, add_platform: Callable[..., None]) -> Workspace:
    """A workspace with a brand, five questions and one platform."""
    add_platform("sim", sim)
    return bank


@pytest.mark.redis
def test_a_batch_runs_over_a_broker(ready: Workspace, made_home: Path, own_redis: str) -> None:
    with open_workspace(made_home, engine_url=own_redis, **QUICK) as ws:
        end = ws.batches.run(REQUEST)
        assert {check.name: check.grade for check in ws.doctor()}["broker"] is Grade.OK
    assert [str(each.status) for each in end.batches] == ["completed"]
    assert ready.status().samples == 10


@pytest.mark.parametrize("scheme", ["amqp", "redis"])
def test_doctor_names_a_broker_that_is_away_and_work_is_created_all_the_same(
    ready: Workspace, made_home: Path, free_port: int, scheme: str
) -> None:
    with open_workspace(made_home, engine_url=f"{scheme}://me:secret@127.0.0.1:{free_port}/0", **QUICK) as ws:
        ws.batches.create(REQUEST)
        check = next(check for check in ws.doctor() if check.name == "broker")
    assert check.grade is Grade.FAIL
    assert f"{scheme}://127.0.0.1:{free_port}/0 cannot be reached" in str(check.message)
    assert "secret" not in str(check)
    assert ready.status().queues[0].ready == 10


@pytest.mark.parametrize("scheme", ["amqp", "redis"])
def test_a_password_of_digits_whose_host_was_forgotten_is_not_shown(made_home: Path, scheme: str) -> None:
    with open_workspace(made_home, engine_url=f"{scheme}://nobody.invalid:12345") as ws:
        shown = [*map(str, ws.doctor()), *map(str, ws.config()), *map(str, ws.readiness().faults())]
        with pytest.raises(AnswerwatchError, match=r"nobody\.invalid:\*\*\*") as refused:
            refuse_unusable(kind_of(ws.settings.engine_url, "aw"))

    told = [*shown, f"{refused.value.text} {refused.value.facts}"]
    assert not [text for text in told if "12345" in text]
