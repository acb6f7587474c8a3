"""The server as a process and on the wire: connections, odd requests, addresses, signals."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from answerwatch.simulator import BindError, Simulator, SimulatorError, SimulatorThread

BODY = json.dumps({"model": "sim-answer", "messages": [{"role": "user", "content": "coffee"}]}).encode()
REQUEST = b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n%s" % (len(BODY), BODY)

SERVING = """
import sys
import time
from pathlib import Path
from answerwatch.simulator import Simulator, serve

serve(Simulator(seed=1, log_path=Path(sys.argv[1])), host="127.0.0.1", port=0, on_ready=lambda p: print(p, flush=True))
print("ended")
"""


def exchange(simulator: SimulatorThread, data: bytes) -> bytes:
    """Send bytes and return everything that comes back until the server closes."""
    address = urlsplit(simulator.base_url)
    received = bytearray()
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        connection.sendall(data)
        while piece := connection.recv(65536):
            received += piece
    return bytes(received)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: many\r\n\r\n", b"400"),
        (b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 999999999\r\n\r\n", b"413"),
        (b"POST /v1/chat/completions HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n", b"411"),
        (b"GET / HTTP/1.1\r\nlong: " + b"x" * 200_000 + b"\r\n\r\n", b"431"),
    ],
)
def test_what_cannot_be_read_is_answered_and_ends_the_connection(
    simulator: SimulatorThread, data: bytes, status: bytes
) -> None:
    assert exchange(simulator, data).startswith(b"HTTP/1.1 " + status)


def test_several_requests_over_one_connection(simulator: SimulatorThread) -> None:
    last = REQUEST.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1)
    assert exchange(simulator, REQUEST * 3 + last).count(b"HTTP/1.1 200 OK") == 4


def test_a_client_that_leaves_in_the_middle_of_a_request_is_no_call(simulator: SimulatorThread) -> None:
    address = urlsplit(simulator.base_url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(REQUEST[:-5])
    assert exchange(simulator, REQUEST.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1))
    assert len(simulator.calls()) == 1


def test_stopping_ends_open_calls_as_unanswered(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with SimulatorThread(log_path=path) as simulator:
        address = urlsplit(simulator.base_url)
        connection = socket.create_connection((address.hostname, address.port), timeout=20)
        # Ten letters like `sim-answer`, so that the length stays right.
        connection.sendall(REQUEST.replace(b"sim-answer", b"simul@hang"))
        deadline = time.monotonic() + 20
        while not simulator.calls() and time.monotonic() < deadline:
            pass
    connection.close()
    (line,) = path.read_text(encoding="utf-8").splitlines()
    record = json.loads(line)
    assert record["answered"] is False
    assert record["ended"] is not None


def test_other_machines_are_kept_out_unless_allowed() -> None:
    async def listen(host: str, *, allow_remote: bool) -> int:
        simulator = Simulator(allow_remote=allow_remote)
        port = await simulator.start(host)
        await simulator.stop()
        return port

    for host in ("0.0.0.0", "::", "some-name.example"):  # noqa: S104  refusing it is what is tested
        with pytest.raises(BindError):
            asyncio.run(listen(host, allow_remote=False))
    assert asyncio.run(listen("localhost", allow_remote=False)) > 0
    assert asyncio.run(listen("0.0.0.0", allow_remote=True)) > 0  # noqa: S104  allowing it is what is tested


def test_a_taken_port_is_an_error_and_leaves_no_thread() -> None:
    with SimulatorThread() as first:
        second = SimulatorThread(port=int(first.base_url.rpartition(":")[2]))
        with pytest.raises(OSError, match="in use"):
            second.__enter__()


def test_a_simulator_that_does_not_run_says_so() -> None:
    with pytest.raises(SimulatorError, match="with SimulatorThread"):
        SimulatorThread().calls()


def test_a_thousand_connections_at_once(simulator: SimulatorThread) -> None:
    address = urlsplit(simulator.base_url)

    async def one(everybody_is_there: asyncio.Barrier) -> bytes:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        await everybody_is_there.wait()
        writer.write(REQUEST)
        line = await reader.readline()
        writer.close()
        await writer.wait_closed()
        return line

    async def all_of_them() -> list[bytes]:
        barrier = asyncio.Barrier(1000)
        return await asyncio.gather(*(one(barrier) for _ in range(1000)))

    assert set(asyncio.run(all_of_them())) == {b"HTTP/1.1 200 OK\r\n"}
    assert len(simulator.calls()) == 1000


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serving_ends_cleanly_on_a_signal(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "calls.jsonl"
    with subprocess.Popen([sys.executable, "-c", SERVING, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(REQUEST)
            assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")
            process.send_signal(number)
            rest, _ = process.communicate(timeout=20)
    assert (process.returncode, rest) == (0, "ended\n")
    assert json.loads(path.read_text(encoding="utf-8"))["answered"] is True
