"""The two pages of `--health` over real sockets: what is asked rightly is answered, all else is refused and small."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from answerwatch.engine.sweeper import LAST_SWEEP
from answerwatch.errors import ServiceError, UsageError
from answerwatch.interfaces.cli.health.pages import SILENT_S, pages
from answerwatch.interfaces.cli.health.server import AT_A_TIME, LARGEST_REQUEST, Answer, address_of, served
from answerwatch.interfaces.cli.output import Terminal
from answerwatch.interfaces.cli.session import Session
from answerwatch.messages import Messages
from answerwatch.store.ops import shared_numbers
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.running.crew import Member
from tests.integration.interfaces.conftest import Cli

MEMBER = Member(number=1, pid=1, since=None, restarts=0, in_hand=2, silent_s=0.1)


@pytest.fixture
def port() -> Iterator[int]:
    made = {"/good": lambda: Answer(good=True, body={"n": 1}), "/bad": lambda: Answer(good=False, body={"n": 0})}
    with served(("127.0.0.1", 0), made) as url:
        yield int(url.rpartition(":")[2])


def exchange(port: int, request: bytes, *, end: bool = True) -> tuple[int, dict[str, str], Any]:
    """Status, headers and body of what a request is answered with."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(request)
        if end:
            connection.shutdown(socket.SHUT_WR)
        reply = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = reply.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in lines), json.loads(body)


def test_a_page_is_found_by_its_path(port: int) -> None:
    assert exchange(port, b"GET /good?x=1 HTTP/1.1\r\nHost: h\r\n\r\n", end=False)[::2] == (200, {"n": 1})
    assert exchange(port, b"GET /bad HTTP/1.0\r\n\r\n")[::2] == (503, {"n": 0})


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /else HTTP/1.1\r\n\r\n", 404),
        (b"GET /../good HTTP/1.1\r\n\r\n", 404),
        (b"POST /good HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", 405),
        (b"HEAD /good HTTP/1.1\r\n\r\n", 405),
        (b"\x16\x03\x01\xff\r\n\r\n", 400),
        (b"GET /good HTTP/1.1\r\n", 400),
        (b"", 400),
        (b"GET /good HTTP/1.1\r\nX: " + b"x" * LARGEST_REQUEST, 431),
    ],
    ids=lambda value: repr(value[:20]) if isinstance(value, bytes) else None,
)
def test_all_else_is_refused(port: int, request_: bytes, status: int) -> None:
    found, headers, _ = exchange(port, request_)

    assert (found, headers["Connection"], headers.get("Allow")) == (status, "close", "GET" if status == 405 else None)


def test_who_sends_nothing_holds_up_nobody_for_ever(port: int) -> None:
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(2 * AT_A_TIME)]
    ends = [connection.recv(4096)[:12] for connection in idle]  # refused at once, or answered when their time is over
    for connection in idle:
        connection.close()

    assert set(ends) <= {b"", b"HTTP/1.1 400"}
    assert exchange(port, b"GET /good HTTP/1.1\r\n\r\n")[0] == 200


def test_an_address_that_is_taken_or_none_is_refused(port: int) -> None:
    with pytest.raises(ServiceError, match="Choose another address"), served(("127.0.0.1", port), {}):
        pass
    for wrong in ("x", "h:", "h:70000", "::1:80", "h:-1"):
        with pytest.raises(UsageError):
            address_of(wrong)


@pytest.mark.parametrize(
    ("member", "state"),
    [
        (MEMBER, "alive"),
        (Member(number=1, pid=1, since=None, restarts=0, in_hand=2, silent_s=SILENT_S + 1), "silent"),
        (Member(number=1, pid=1, since=None, restarts=0, in_hand=None, silent_s=None), "starting"),
        (Member(number=1, pid=None, since=None, restarts=1, in_hand=None, silent_s=None), "died"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_one_loop_that_does_not_tick_is_enough_to_be_unhealthy(ready: Cli, member: Member, state: str) -> None:
    with open_workspace() as workspace:
        answer = pages(Session(Terminal(), Messages("en")), lambda: (MEMBER, member), workspace.readiness())[
            "/healthz"
        ]()

    assert answer.good == (state == "alive")
    assert answer.body["pid"] == os.getpid()
    processes: Any = answer.body["processes"]
    assert [process["state"] for process in processes] == ["alive", state]


def reasons(workspace: Workspace, language: str = "en") -> Any:  # noqa: ANN401 - a JSON value
    """What /readyz has to say against work."""
    page = pages(Session(Terminal(), Messages(language)), lambda: (MEMBER,), workspace.readiness())["/readyz"]
    answer = page()
    assert answer.good == (answer.body["reasons"] == [])
    return answer.body["reasons"]


class Swept:
    """A wish to stop as soon as somebody swept."""

    def __init__(self, workspace: Workspace) -> None:
        self._store = workspace.store

    def is_set(self) -> bool:
        with self._store.reading() as read:
            return shared_numbers.get(read, LAST_SWEEP) is not None

    def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002 - as the contract has it
        raise AssertionError("a worker only looks")


def test_readiness_says_in_words_what_is_wrong(ready: Cli) -> None:
    with open_workspace(sweep_s=60) as workspace:
        assert reasons(workspace) == ["database: no worker has swept yet"]
        workspace.work(stop=Swept(workspace))
        assert reasons(workspace) == []
        objects = workspace.settings.home / "objects"
        assert [files for _, _, files in os.walk(objects) if files] == [], "what was put there to try is left"
        objects.rename(objects.with_name("kept"))
        objects.touch()
        (why,) = reasons(workspace, "zh")
        assert why.startswith("原始回答: 无法在")
        workspace.store.file.unlink()  # type: ignore[union-attr]  # it is SQLite's
        assert any(reason.startswith("database: The database was never set up") for reason in reasons(workspace))


def test_a_database_that_hangs_is_told_within_a_moment(ready: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("ANSWERWATCH_DATABASE_URL", f"postgresql://aw:secret@127.0.0.1:{port}/aw")
        with open_workspace() as workspace:
            assert reasons(workspace) == ["database: does not answer within 1 s"]
