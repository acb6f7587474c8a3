"""A workspace in a fresh folder, and simulated platforms for it."""

import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from answerwatch.simulator import SimulatorThread
from answerwatch.workspace import Workspace, open_workspace
from tests.databases import SQLITE, Databases

QUICK = {
    "collect_waits_s": (0.05,),
    "clean_waits_s": (0.0,),
    "similarity_waits_s": (0.05,),
    "poll_s": 0.05,
    "sweep_s": 0.2,
}
"""Settings that make failed work try again at once."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture(scope="session")
def fresh_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that was just made; copies of it save each test the migrations."""
    folder = tmp_path_factory.mktemp("fresh") / "workspace"
    with open_workspace(folder) as workspace:
        workspace.init()
    return folder


@pytest.fixture
def database_kind(request: pytest.FixtureRequest, needs_server: Callable[[str], None]) -> str:
    """SQLite, unless a module asks for every kind (`on_every_database`)."""
    kind = str(getattr(request, "param", SQLITE))
    needs_server(kind)
    return kind


@pytest.fixture
def made_home(home: Path, fresh_home: Path, database_kind: str, databases: Databases) -> Iterator[Path]:
    """A workspace in `home`; the file of its settings leads everybody who opens it to a database of this test's own."""
    shutil.copytree(fresh_home, home)
    if database_kind == SQLITE:
        yield home
        return
    (home / "answerwatch.db").unlink()
    with databases.ready(database_kind) as url:
        (home / "answerwatch.toml").write_text(f'database_url = "{url}"\n', encoding="utf-8")
        yield home


@pytest.fixture
def ws(made_home: Path) -> Iterator[Workspace]:
    with open_workspace(made_home, **QUICK) as workspace:
        yield workspace


@pytest.fixture
def sim() -> Iterator[SimulatorThread]:
    with SimulatorThread(seed=7) as simulator:
        yield simulator


@pytest.fixture
def add_platform(ws: Workspace) -> Callable[..., None]:
    """Add a simulated platform with limits that never hold a test up."""

    def add(name: str, simulator: SimulatorThread, **values: object) -> None:
        base = {"base_url": f"{simulator.base_url}/v1", "model": "m", "key_env": "", "rate": 500, "capacity": 500}
        ws.platforms.add(name, {**base, "in_flight": 32, "answer_s": 0.1, **values})

    return add


@pytest.fixture
def bank(ws: Workspace) -> Workspace:
    """The workspace with a brand and five questions."""
    ws.brands.add("华为", aliases=["HUAWEI"], exclude=["华为云"])
    for number in range(5):
        ws.questions.add(f"第{number}类手机哪个好", scene="RECOMMEND", question_id=f"Q{number}")
    return ws


@pytest.fixture
def free_port() -> int:
    """A port of this machine on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
