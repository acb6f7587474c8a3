"""Who may ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.keys import Scope
from tests.e2e.api.conftest import served
from tests.e2e.api.test_jobs import JOBS, LISTS


@pytest.fixture
def workspace(home: Path) -> Iterator[Workspace]:
    with open_workspace(home) as opened:
        yield opened


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_keys_decide_as_soon_as_there_is_one(home: Path, workspace: Workspace) -> None:
    with served(home, "--no-workers") as (client, _):
        assert client.get(JOBS).status_code == 200
        reads = workspace.keys.create("dashboard").key
        writes = workspace.keys.create("pipeline", scope=Scope.WRITE).key

        none = client.get(JOBS)
        wrong = client.get(JOBS, headers=bearer("aw_wrong"))
        read = client.get(JOBS, headers=bearer(reads))
        forbidden = client.post(JOBS, json=LISTS, headers={"X-API-Key": reads})
        written = client.post(JOBS, json=LISTS, headers={"X-API-Key": writes})
        workspace.keys.revoke("dashboard")
        revoked = client.get(JOBS, headers=bearer(reads))

        assert (none.status_code, none.headers["www-authenticate"]) == (401, "Bearer")
        assert wrong.headers["www-authenticate"] == 'Bearer error="invalid_token"'
        assert forbidden.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="write"'
        assert [wrong.status_code, read.status_code, forbidden.status_code] == [401, 200, 403]
        assert [written.status_code, revoked.status_code] == [202, 401]
        assert client.get("/healthz").status_code == 200
        assert [one.used_at is not None for one in workspace.keys.list()] == [True, True]
        kept = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
        assert reads.encode() not in kept


def test_taking_back_the_last_key_opens_nothing(home: Path, workspace: Workspace) -> None:
    key = workspace.keys.create("only").key
    with served(home, "--no-workers") as (client, _):
        workspace.keys.revoke("only")
        assert client.get(JOBS, headers=bearer(key)).status_code == 401
        assert client.get(JOBS).status_code == 401


def test_beyond_this_machine_it_wants_a_key_first(home: Path, workspace: Workspace) -> None:
    with served(home, "--host", "0.0.0.0") as (_, process):  # noqa: S104 - this is what is refused
        assert process.wait(30) == 3
    key = workspace.keys.create("far").key
    with served(home, "--host", "0.0.0.0", "--no-workers") as (client, _):  # noqa: S104 - with a key it is served
        assert client.get(JOBS).status_code == 401
        by_name = client.get(JOBS, headers={**bearer(key), "Host": "watch.example"})
        assert (by_name.status_code, client.get("/healthz").status_code) == (200, 200)


def test_a_body_without_a_key_is_never_looked_at(home: Path, workspace: Workspace) -> None:
    workspace.keys.create("only")
    with served(home, "--no-workers") as (client, _):
        pieces = (b"[" * 2**20 for _ in range(8))
        assert client.post(JOBS, content=pieces, headers={"Content-Type": "application/json"}).status_code == 401


@pytest.mark.parametrize("shown", ["Basic YTpi", "Bearer", "aw_x", "Bearer aw_\xff", "bearer aw_" + "x" * 5_000])
def test_what_is_no_key_is_refused(home: Path, workspace: Workspace, shown: str) -> None:
    workspace.keys.create("only")
    with served(home, "--no-workers") as (client, _):
        assert client.get(JOBS, headers={b"Authorization": shown.encode("latin-1")}).status_code == 401


def test_no_key_is_ever_written_down(home: Path, workspace: Workspace) -> None:
    key = workspace.keys.create("only").key
    with served(home, "--no-workers") as (client, process):
        assert client.get(f"{JOBS}?key={key}").status_code == 401
        client.get(f"{JOBS}/none", headers=bearer(key))
        client.get(JOBS, headers=bearer(key + "x"))
        process.terminate()
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert key not in process.stderr.read()
