"""Fixtures and settings that every test folder shares."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import brokers as test_brokers
from tests import databases as test_databases
from tests.brokers import RABBITMQ, REDIS, Brokers
from tests.databases import MYSQL, POSTGRES, SQLITE, Databases

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"

CI = os.environ.get("CI") == "true"

# A busy machine must not fail a property: examples have no deadline, and a failure prints how to repeat it.
# Under CI the examples are the same every time, so that a red run can be repeated; elsewhere they are new every time.
settings.register_profile("house", deadline=None, print_blob=True, derandomize=CI)
settings.load_profile("house")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """What makes databases for the tests of this process."""
    made = Databases(tmp_path_factory.mktemp("databases"))
    yield made
    made.drop()


@pytest.fixture(scope="session")
def brokers() -> Iterator[Brokers]:
    """What lends places in brokers to the tests of this process."""
    made = Brokers()
    yield made
    made.drop()


@pytest.fixture
def heard_signals() -> Iterator[None]:
    """Let programs hear Ctrl-C and hangups where the tests were started deaf: by `nohup`, or in the background."""
    deaf = [one for one in (signal.SIGHUP, signal.SIGINT) if signal.getsignal(one) is signal.SIG_IGN]
    for one in deaf:
        signal.signal(one, signal.SIG_DFL)
    yield
    for one in deaf:
        signal.signal(one, signal.SIG_IGN)


@pytest.fixture(scope="session")
def needs_server() -> Callable[[str], None]:
    """Skip the test where a kind of server is missing; under CI, fail."""

    def need(kind: str) -> None:
        why = None
        if kind in (RABBITMQ, REDIS):
            why = test_brokers.why_unreachable(kind)
        elif kind != SQLITE:
            why = test_databases.why_unreachable(kind)
        if why is not None:
            (pytest.fail if CI else pytest.skip)(why)

    return need


@pytest.fixture(
    params=[SQLITE, pytest.param(POSTGRES, marks=pytest.mark.postgres), pytest.param(MYSQL, marks=pytest.mark.mysql)]
)
def database_kind(request: pytest.FixtureRequest, needs_server: Callable[[str], None]) -> str:
    """Every kind of database in turn; a server that is missing skips the test, and fails it under CI."""
    kind = str(request.param)
    needs_server(kind)
    return kind


@pytest.fixture
def database_url(database_kind: str, databases: Databases) -> Iterator[str]:
    """The address of a database with all tables, empty and this test's own."""
    with databases.ready(database_kind) as url:
        yield url


@pytest.fixture
def bare_database_url(database_kind: str, databases: Databases) -> str:
    """The address of a database without tables."""
    return databases.empty(database_kind)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of reference data that lies beside the checkout; required under CI, optional elsewhere."""
    if SHARED_DATA.is_dir():
        return SHARED_DATA
    if CI:
        pytest.fail("the reference data is missing: ../shared/data must lie beside the checkout under CI")
    pytest.skip("the reference data is not here: put it at ../shared/data beside the checkout")
