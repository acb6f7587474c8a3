"""Brokers for tests: every test gets a namespace of its own, on RabbitMQ a virtual host, and leaves nothing behind.

Where the servers are is told by ANSWERWATCH_TEST_RABBITMQ and ANSWERWATCH_TEST_REDIS; the defaults are the standard
ports of this machine. Virtual hosts are made by `rabbitmqctl`; who may not call it shares the one of the address.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Self
from urllib.parse import quote, urlsplit

import pika  # type: ignore[import-untyped]  # pika has no types
import redis

from answerwatch.engine.carriers.brokers import explained, kind_of
from answerwatch.errors import AnswerwatchError

RABBITMQ = "rabbitmq"
REDIS = "redis"

SERVERS = {
    RABBITMQ: os.environ.get("ANSWERWATCH_TEST_RABBITMQ", "amqp://guest:guest@127.0.0.1:5672/%2F"),
    REDIS: os.environ.get("ANSWERWATCH_TEST_REDIS", "redis://127.0.0.1:6379/0"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a test's messages go."""

    kind: str
    url: str
    namespace: str


def rabbitmqctl(*words: str) -> str:
    """Run the command of RabbitMQ and return what it says."""
    path = shutil.which("rabbitmqctl") or "/usr/sbin/rabbitmqctl"
    done = subprocess.run([path, *words], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


@cache
def why_unreachable(kind: str) -> str | None:
    """Return why a broker cannot be used for tests, None when it can."""
    place = kind_of(SERVERS[kind], "aw_test")
    try:
        with explained(place):
            place.check()
    except AnswerwatchError as error:
        return f"no {kind} for tests: {error.text}"
    return None


@cache
def commands_rabbitmq() -> bool:
    """Tell whether this user may call `rabbitmqctl`."""
    try:
        rabbitmqctl("list_vhosts")
    except (OSError, subprocess.SubprocessError):
        return False
    return True


@dataclass(slots=True)
class Brokers:
    """The virtual hosts of one test process; they are lent, because making one takes a second."""

    free: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    @contextmanager
    def lent(self, kind: str) -> Iterator[Place]:
        """Lend a place that is empty, and empty it again."""
        namespace = f"aw_{uuid.uuid4().hex[:12]}"
        if kind == REDIS:
            yield Place(kind, SERVERS[REDIS], namespace)
            wipe_redis(SERVERS[REDIS], namespace)
            return
        host = self._vhost()
        yield Place(kind, at_vhost(host), namespace)
        wipe_rabbitmq(at_vhost(host), namespace)
        self.free.append(host)

    def _vhost(self) -> str:
        if not commands_rabbitmq():
            return "/"
        if self.free:
            return self.free.pop()
        name = f"aw_test_{uuid.uuid4().hex[:12]}"
        rabbitmqctl("add_vhost", name)
        self.made.append(name)
        rabbitmqctl("set_permissions", "-p", name, urlsplit(SERVERS[RABBITMQ]).username or "guest", ".*", ".*", ".*")
        return name

    def drop(self) -> None:
        """Remove the virtual hosts."""
        for name in self.made:
            rabbitmqctl("delete_vhost", name)


def at_vhost(name: str) -> str:
    """Return the address of a virtual host of the test server."""
    return urlsplit(SERVERS[RABBITMQ])._replace(path="/" + quote(name, safe="")).geturl()


def wipe_rabbitmq(url: str, namespace: str) -> None:
    """Remove all queues of a namespace."""
    connection = pika.BlockingConnection(pika.URLParameters(url))
    channel = connection.channel()
    for queue in ("toy", "collect", "clean", "similarity"):
        for tail in ("", ".DQ", ".XQ"):
            channel.queue_delete(f"{namespace}.{queue}{tail}")
    connection.close()


def wipe_redis(url: str, namespace: str) -> None:
    """Remove all keys of a namespace."""
    client = redis.Redis.from_url(url)
    keys = list(client.scan_iter(match=f"{namespace}:*", count=1000))
    if keys:
        client.delete(*keys)
    client.close()


@contextmanager
def redis_server(port: int, *options: str) -> Iterator[str]:
    """Run a Redis server of the test's own and give its address."""
    words = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", *options]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _until_it_listens(port)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()


def _until_it_listens(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens at {port}")


class Forwarder:
    """A port of this machine that leads to a server while it is open: the broker comes and goes as a test likes."""

    def __init__(self, port: int, url: str) -> None:
        """Lead nowhere yet."""
        parts = urlsplit(url)
        self.url = parts._replace(netloc=f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{port}").geturl()
        self._port = port
        self._target = (parts.hostname or "127.0.0.1", parts.port or 5672)
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        """Listen and pass on."""
        listener = socket.create_server(("127.0.0.1", self._port))
        self._open.append(listener)
        self._start(self._accept, listener)
        return self

    def __exit__(self, *_: object) -> None:
        """Close all connections and the port."""
        for each in list(self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join()
        for each in self._open:
            each.close()
        self._open.clear()
        self._threads.clear()

    def _start(self, work: Callable[..., None], *sockets: socket.socket) -> None:
        thread = threading.Thread(target=work, args=sockets, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._target)
                self._open += [near, far]
                self._start(self._pass_on, near, far)
                self._start(self._pass_on, far, near)

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


def free_port() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def waiting(place: Place) -> int:
    """Return how many messages of the toy's queue no worker has fetched."""
    kind = kind_of(place.url, place.namespace)
    broker = kind.open()
    count = kind.waiting(broker, f"{place.namespace}.toy")
    broker.close()
    return count


def unacknowledged(place: Place) -> int:
    """Return how many messages were delivered and not acknowledged."""
    if place.kind == REDIS:
        client = redis.Redis.from_url(place.url)
        keys = list(client.scan_iter(match=f"{place.namespace}:__acks__.*", count=1000))
        held = sum(client.scard(key) for key in keys)
        client.close()
        return int(held)
    host = urlsplit(place.url).path.removeprefix("/").replace("%2F", "/")
    said = rabbitmqctl("-q", "--formatter", "json", "-p", host, "list_queues", "name", "messages_unacknowledged")
    rows = json.loads(said)
    return sum(int(row["messages_unacknowledged"]) for row in rows if row["name"].startswith(place.namespace))
