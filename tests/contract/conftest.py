"""Carriers, stores and worker processes for the contract suite."""

import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.store.database import Store
from tests.brokers import RABBITMQ, REDIS, Brokers, Place
from tests.contract import toy
from tests.contract.worker import serve
from tests.databases import MYSQL, POSTGRES, SQLITE, Databases

POLL = "poll"


@dataclass(frozen=True, slots=True)
class Combination:
    """A carrier on a database."""

    carrier: str
    database: str


def _combination(carrier: str, database: str) -> object:
    marks = [getattr(pytest.mark, name) for name in (carrier, database) if name not in (POLL, SQLITE)]
    return pytest.param(Combination(carrier, database), marks=marks, id=f"{carrier}-{database}")


COMBINATIONS = [
    _combination(POLL, SQLITE), _combination(POLL, POSTGRES), _combination(POLL, MYSQL),
    _combination(RABBITMQ, POSTGRES), _combination(RABBITMQ, MYSQL), _combination(REDIS, POSTGRES),
]  # fmt: skip


@pytest.fixture(params=COMBINATIONS)
def combination(request: pytest.FixtureRequest) -> Combination:
    """Every combination that the suite promises, in turn."""
    made = request.param
    assert isinstance(made, Combination)
    return made


@pytest.fixture
def database_kind(combination: Combination, needs_server: Callable[[str], None]) -> str:
    """The database of the combination."""
    needs_server(combination.database)
    return combination.database


@pytest.fixture
def place(combination: Combination, needs_server: Callable[[str], None], brokers: Brokers) -> Iterator[Place | None]:
    """The broker of the combination, None for the one that polls."""
    if combination.carrier == POLL:
        yield None
        return
    needs_server(combination.carrier)
    with brokers.lent(combination.carrier) as lent:
        yield lent


@pytest.fixture
def carrier(place: Place | None, store: Store) -> Iterator[Carrier]:
    """The carrier of the combination; it hears what this process puts on the ledger."""
    made = toy.carrier_at(place, store)
    store.listeners.append(made.tell)
    yield made
    made.close(5.0)


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
def worker(tmp_path: Path, url: str, place: Place | None) -> Iterator[Callable[[float], BaseProcess]]:
    """Start worker processes with a given lease; what still runs at the end is killed.

    They are forked from a clean server process that has imported everything: a start takes milliseconds.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.contract.worker"])
    started: list[BaseProcess] = []

    def start(lease_s: float) -> BaseProcess:
        process = context.Process(target=serve, args=(url, tmp_path, lease_s, place), daemon=True)
        process.start()
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.join()
