"""What surrounds a workspace goes wrong: one clear error, and nothing half done."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from answerwatch.errors import ConfigurationError, ServiceError
from answerwatch.simulator import SimulatorThread
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.batches.views import BatchRequest
from answerwatch.workspace.health.doctor import Grade

NOBODY = 65534
TRY_INIT = """
import sys
from answerwatch.errors import AnswerwatchError
from answerwatch.workspace import open_workspace
try:
    open_workspace(sys.argv[1]).init()
except AnswerwatchError as error:
    print(type(error).__name__, error)
"""
TRY_AS_NOBODY = f"""
import os, sys
from answerwatch.errors import AnswerwatchError
# All that is used is loaded while the interpreter's own files can still be read.
from answerwatch.store import migrations
from answerwatch.workspace import setting_up
from answerwatch.workspace.questions import verbs
from answerwatch.workspace import open_workspace
ws = open_workspace(sys.argv[1], actor="nobody")
os.setgid({NOBODY})
os.setuid({NOBODY})
try:
    ws.init() if sys.argv[2] == "init" else ws.questions.add("x", scene="RISK")
except AnswerwatchError as error:
    print(type(error).__name__, error)
"""
TRY_ADDING = """
import sys
from answerwatch.errors import AnswerwatchError
from answerwatch.workspace import open_workspace
from answerwatch.workspace.questions.views import QuestionRow
ws = open_workspace(sys.argv[1])
texts = ["x" * 5000 + str(n) for n in range(2000)]
rows = [QuestionRow(line=n, question_id=f"Q{n}", scene_type="RISK", query_text=text) for n, text in enumerate(texts)]
try:
    ws.questions.import_rows(rows, apply=True)
except AnswerwatchError as error:
    print(type(error).__name__, error)
"""

as_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs the right to become another user")


def run(code: str, *arguments: str, before: Callable[[], None] | None = None) -> str:
    """Run code in a process of its own and return what it prints."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=before)
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that every user can look into; pytest's own are for one user."""
    with tempfile.TemporaryDirectory(prefix="answerwatch-test-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


def test_a_workspace_that_was_never_set_up_says_so(home: Path) -> None:
    with open_workspace(home) as ws, pytest.raises(ServiceError, match="answerwatch init"):
        ws.batches.list()
    assert not home.exists()
    home.mkdir()
    with open_workspace(home) as ws, pytest.raises(ServiceError, match="answerwatch init"):
        ws.batches.list()
    assert list(home.iterdir()) == []


def test_an_old_database_asks_for_an_upgrade(ws: Workspace, home: Path) -> None:
    with ws.store.writing() as tx:
        tx.run(text("UPDATE alembic_version SET version_num = '0000'"))

    with open_workspace(home) as again, pytest.raises(ServiceError, match="answerwatch db upgrade"):
        again.questions.list()


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 2000])
def test_a_damaged_database_is_told(home: Path, content: bytes) -> None:
    home.mkdir()
    (home / "answerwatch.db").write_bytes(content)

    with open_workspace(home) as ws, pytest.raises(ServiceError, match="damaged"):
        ws.init()


@pytest.mark.parametrize("content", ["[platforms", "[platforms.x]\nrat = 1", "[platforms.x]\nrate = 0", "other = 1"])
def test_a_damaged_platforms_file_is_told_with_its_name(ws: Workspace, home: Path, content: str) -> None:
    (home / "platforms.toml").write_text(content, encoding="utf-8")

    with pytest.raises(ConfigurationError, match=r"platforms\.toml"):
        ws.platforms.list()


@as_root
def test_a_folder_that_may_not_be_written_is_told(public_folder: Path) -> None:
    said = run(TRY_AS_NOBODY, str(public_folder / "workspace"), "init")

    assert said.startswith("ServiceError")
    assert "Check the folder's rights" in said
    assert list(public_folder.iterdir()) == []


@as_root
def test_a_database_that_may_not_be_written_is_told(public_folder: Path, fresh_home: Path) -> None:
    home = public_folder / "workspace"
    shutil.copytree(fresh_home, home)
    home.chmod(0o755)

    said = run(TRY_AS_NOBODY, str(home), "add")

    assert said.startswith("ServiceError")
    assert "Check its folder" in said


def test_a_full_disk_is_told_and_leaves_nothing_half_done(ws: Workspace, home: Path) -> None:
    ws.questions.add("手机哪个好", scene="RISK")
    ws.close()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))

    said = run(TRY_ADDING, str(home), before=limit)

    assert said.startswith("StoreFull")
    assert "free some space" in said
    with open_workspace(home) as again:
        assert len(again.questions.list()) == 1


@pytest.mark.parametrize("folder", ["objects", "workers"])
def test_a_folder_that_is_none_stops_a_run_before_anything_is_stored_or_asked(
    bank: Workspace, sim: SimulatorThread, add_platform: Callable[..., None], folder: str
) -> None:
    add_platform("sim", sim)
    shutil.rmtree(bank.settings.home / folder)
    (bank.settings.home / folder).write_bytes(b"")

    with pytest.raises(ServiceError, match=folder):
        bank.batches.run(BatchRequest(brands=("华为",), platforms=("sim",)))

    assert bank.batches.list() == ()
    assert sim.calls() == []


def test_a_database_that_is_removed_in_use_takes_no_more_writes(ws: Workspace, home: Path) -> None:
    ws.questions.add("手机哪个好", scene="RISK")
    for file in home.glob("answerwatch.db*"):
        file.unlink()

    with pytest.raises(ServiceError, match="removed or replaced"):
        ws.questions.add("平板哪个好", scene="RISK")


def test_a_database_that_is_replaced_in_use_takes_no_more_writes(ws: Workspace, home: Path) -> None:
    ws.questions.add("手机哪个好", scene="RISK")
    shutil.copyfile(home / "answerwatch.db", home / "copy.db")
    (home / "copy.db").rename(home / "answerwatch.db")

    with pytest.raises(ServiceError, match="removed or replaced"):
        ws.questions.add("平板哪个好", scene="RISK")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("sqlite://", "needs a file"),
        ("sqlite:///", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("postgresql+nope://127.0.0.1/x", r"postgresql\+nope"),
        ("nonsense", "cannot be understood"),
    ],
)
def test_a_database_address_that_leads_nowhere_is_told(ws: Workspace, home: Path, url: str, told: str) -> None:
    with open_workspace(home, database_url=url) as again, pytest.raises(ConfigurationError, match=told):
        again.status()


def test_two_inits_at_once_make_one_workspace(home: Path) -> None:
    started = [subprocess.Popen([sys.executable, "-c", TRY_INIT, str(home)], stdout=subprocess.PIPE) for _ in range(2)]

    assert [process.communicate()[0] for process in started] == [b"", b""]
    with open_workspace(home) as ws:
        assert ws.check_database() == ()


def test_doctor_names_every_problem_with_its_fix_and_never_raises(home: Path) -> None:
    with open_workspace(home, database_url="sqlite:////no/such/folder/x.db") as ws:
        checks = {check.name: check for check in ws.doctor()}

    assert checks["folder"].grade is Grade.FAIL
    assert checks["folder"].fix == "run `answerwatch init`"
    assert checks["database"].grade is Grade.FAIL
    assert all(check.fix for check in checks.values() if check.grade not in (Grade.OK, Grade.NOT_MADE))


def test_doctor_is_content_with_a_good_workspace(ws: Workspace, home: Path) -> None:
    home.chmod(0o700)
    ws.platforms.add("local", {"base_url": "http://127.0.0.1:9", "model": "m", "key_env": ""})

    assert {check.name: check.grade for check in ws.doctor() if check.grade is not Grade.OK} == {}


def test_status_counts_what_is_there(bank: Workspace) -> None:
    status = bank.status()

    assert (status.questions, status.brands, status.lexicon_version, status.samples) == (5, 1, 1, 0)
    assert [queue.queue for queue in status.queues] == ["collect", "clean", "similarity"]
    assert status.alerts == ()


def test_a_workspace_is_for_its_owner_alone(home: Path) -> None:
    with open_workspace(home) as ws:
        assert ws.init() is True
        assert ws.init() is False

    assert home.stat().st_mode & 0o077 == 0
    assert (home / "platforms.toml").read_text(encoding="utf-8").startswith("#")
