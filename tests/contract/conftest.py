"""Carriers, stores and worker processes for the contract suite."""

import multiprocessing
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.engine.carriers.poll import PollCarrier
from answerwatch.store.database import Store
from tests.contract import toy
from tests.contract.worker import serve
from tests.databases import Databases

CARRIERS: dict[str, Callable[[], Carrier]] = {"poll": lambda: PollCarrier(0.02)}


@pytest.fixture(params=sorted(CARRIERS))
def carrier(request: pytest.FixtureRequest) -> Carrier:
    """Every carrier in turn."""
    return CARRIERS[request.param]()


@pytest.fixture
def url(database_kind: str, databases: Databases) -> Iterator[str]:
    """The address of an empty database with the tables of the toy too."""
    with databases.ready(database_kind, toy.toy) as made:
        yield made


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An empty store."""
    store = Store(url)
    yield store
    store.close()


@pytest.fixture
def worker(tmp_path: Path, url: str) -> Iterator[Callable[[float], BaseProcess]]:
    """Start worker processes with a given lease; what still runs at the end is killed.

    They are forked from a clean server process that has imported everything: a start takes milliseconds.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.contract.worker"])
    started: list[BaseProcess] = []

    def start(lease_s: float) -> BaseProcess:
        process = context.Process(target=serve, args=(url, tmp_path, lease_s), daemon=True)
        process.start()
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.join()
