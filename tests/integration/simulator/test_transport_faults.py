"""Faults of the connection, seen through a client and through a bare socket."""

import json
import socket
import time
from urllib.parse import urlsplit

import httpx2
import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from tests.integration.simulator.conftest import Ask

# Long enough for a busy machine to answer, short enough to wait for in a test of silence.
BRIEFLY = 0.5


def wait_for_end(simulator: SimulatorThread, number: int = 1) -> dict[str, object]:
    """Return the record of a call once it has ended."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        calls = simulator.calls()
        if len(calls) >= number and calls[number - 1]["ended"] is not None:
            return calls[number - 1]
    raise AssertionError(simulator.calls())


def raw_post(simulator: SimulatorThread, fault: str) -> socket.socket:
    """Send a request over a bare socket."""
    address = urlsplit(simulator.base_url)
    connection = socket.create_connection((address.hostname, address.port), timeout=20)
    body = json.dumps({"model": f"sim-answer@{fault}", "messages": [{"role": "user", "content": "coffee"}]}).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: sim\r\ncontent-length: {len(body)}\r\n\r\n".encode()
    connection.sendall(head + body)
    return connection


def read_all(connection: socket.socket, received: bytearray) -> None:
    """Read until the other side ends the connection."""
    while piece := connection.recv(65536):
        received += piece


def test_a_hang_sends_nothing_and_ends_when_the_client_leaves(ask: Ask, simulator: SimulatorThread) -> None:
    with pytest.raises(httpx2.ReadTimeout):
        ask(fault="hang", timeout=BRIEFLY)
    record = wait_for_end(simulator)
    assert (record["answered"], record["status"], record["bytes"]) == (False, None, 0)


def test_an_answer_for_a_client_that_left_is_not_answered(simulator: SimulatorThread) -> None:
    simulator.use(parse_script("latency: 30000"))
    with raw_post(simulator, "ok"):
        deadline = time.monotonic() + 20
        while not simulator.calls() and time.monotonic() < deadline:
            pass
    record = wait_for_end(simulator)
    assert (record["answered"], record["status"], record["bytes"]) == (False, None, 0)
    assert record["answer_sha"] is not None


def test_an_open_call_is_in_the_log_without_an_end(simulator: SimulatorThread) -> None:
    with raw_post(simulator, "hang"):
        deadline = time.monotonic() + 20
        while not simulator.calls() and time.monotonic() < deadline:
            pass
        (record,) = simulator.calls()
        assert (record["ended"], record["fault"]) == (None, "hang")
    assert wait_for_end(simulator)["answered"] is False


def test_headers_then_silence(simulator: SimulatorThread) -> None:
    with raw_post(simulator, "hang_after_headers") as connection:
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")
        connection.settimeout(BRIEFLY)
        with pytest.raises(TimeoutError):
            connection.recv(1)
    assert wait_for_end(simulator)["answered"] is False


def test_blank_lines_come_before_the_json(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(parse_script("blank_every_s: 0.01"))
    response = ask(fault="keepalive_blank:4")
    assert response.content.startswith(b"\n\n\n\n{")
    assert response.json()["choices"]


def test_blank_lines_without_end(simulator: SimulatorThread) -> None:
    simulator.use(parse_script("blank_every_s: 0.01"))
    with raw_post(simulator, "keepalive_forever") as connection, connection.makefile("rb") as lines:
        while lines.readline() != b"\r\n":
            pass
        assert [lines.readline() for _ in range(60)] == [b"1\r\n", b"\n", b"\r\n"] * 20
    assert wait_for_end(simulator)["answered"] is False


def test_a_cut_body_with_a_right_and_a_wrong_length(ask: Ask) -> None:
    honest = ask(fault="truncated_json_honest")
    with pytest.raises(json.JSONDecodeError):
        honest.json()
    with pytest.raises(httpx2.RemoteProtocolError):
        ask(fault="truncated_json_short")


@pytest.mark.parametrize(("fault", "status"), [("html_200", 200), ("html_504", 504)])
def test_gateway_pages_are_html(ask: Ask, fault: str, status: int) -> None:
    response = ask(fault=fault)
    assert response.status_code == status
    assert response.headers["content-type"].startswith("text/html")


def test_a_followed_redirect_shows_in_the_log(ask: Ask, client: httpx2.Client, simulator: SimulatorThread) -> None:
    response = ask(fault="login_redirect")
    assert response.status_code == 302
    assert urlsplit(response.headers["location"]).hostname != client.base_url.host
    client.get("/__sim/portal", headers={"authorization": "Bearer sk-test"})
    redirected, followed = simulator.calls()
    assert followed["fault"] == "portal"
    assert followed["key"] == redirected["key"]


@pytest.mark.parametrize("fault", ["reset_before", "reset_mid", "duplicate_delivery"])
def test_resets_are_real_ones(simulator: SimulatorThread, fault: str) -> None:
    received = bytearray()
    with raw_post(simulator, fault) as connection, pytest.raises(ConnectionResetError):
        read_all(connection, received)
    record = wait_for_end(simulator)
    assert record["answered"] is False
    assert bool(received) is (fault == "reset_mid")
    assert (record["answer_sha"] is None) is (fault == "reset_before")


def test_slow_and_hang_with_a_number_answer_after_it(ask: Ask, simulator: SimulatorThread) -> None:
    for fault in ("slow_first_byte:0.2", "hang:0.2"):
        assert ask(fault=fault).json()["choices"]
    for record in simulator.calls():
        arrived, ended = record["arrived"], record["ended"]
        assert isinstance(arrived, float)
        assert isinstance(ended, float)
        assert ended - arrived >= 0.2


def test_slow_without_a_number_is_slow(ask: Ask) -> None:
    with pytest.raises(httpx2.ReadTimeout):
        ask(fault="slow_first_byte", timeout=BRIEFLY)


def test_gzip_is_announced_and_broken(ask: Ask) -> None:
    with pytest.raises(httpx2.DecodingError):
        ask(fault="gzip_bad")
