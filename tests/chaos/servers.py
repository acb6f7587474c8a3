"""Servers of the suite's own, to be stopped, killed and emptied: none of them is a server of this machine.

Each lies in a folder of its own and listens at a free port of 127.0.0.1. `why_missing` tells where one cannot be.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DBAPIError

from answerwatch.store.connection.opening import address
from tests.brokers import RABBITMQ, REDIS, free_port
from tests.databases import MYSQL, POSTGRES

NEVER = threading.Event()
"""Is never set: waiting for it lets time pass."""

START_S = 60.0
"""Seconds that a server may take until it answers."""

DATABASE = "aw"

SESSIONS: Mapping[str, str] = {
    POSTGRES: "SELECT pid FROM pg_stat_activity WHERE datname = 'aw'",
    MYSQL: "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = 'aw'",
}

PROGRAMS: Mapping[str, Sequence[str]] = {
    POSTGRES: ("initdb", "postgres"),
    MYSQL: ("mariadb-install-db", "mariadbd"),
    REDIS: ("redis-server",),
    RABBITMQ: ("rabbitmq-server", "rabbitmqctl"),
}


@cache
def python_environ() -> dict[str, str]:
    """Return an environment in which the many workers that are started need not compile everything, each for itself."""
    folder = tempfile.mkdtemp(prefix="aw-compiled-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}


def program(name: str) -> str | None:
    """Return where a program of a server lies; packages put some of them beside the search path."""
    postgres = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    folders = ["/usr/lib/rabbitmq/bin", *map(str, postgres), os.environ.get("PATH", ""), "/usr/sbin"]
    return shutil.which(name, path=os.pathsep.join(folders))


def why_missing(kind: str) -> str | None:
    """Return why a server of a kind cannot be started here, None when it can."""
    missing = [name for name in PROGRAMS.get(kind, ()) if program(name) is None]
    return f"no {', '.join(missing)} to start a {kind} server with" if missing else None


@dataclass
class Server:
    """One server process."""

    kind: str
    port: int = field(default_factory=free_port)
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="aw-chaos-")))
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, and return when it answers."""
        words, user = self.command()
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                words, stdout=log, stderr=log, env=self.environ(), user=user, start_new_session=True
            )
        until(self.answers, START_S, f"{self.kind} at {self.port}")

    def stop(self) -> None:
        """End the server without giving it time for anything, as a crash does."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, self.crash_signal())
            self.process.wait(START_S)
            self.process = None
            until(lambda: not self.listens(), START_S, f"{self.kind} at {self.port} is gone")

    def drop(self) -> None:
        """End the server and remove what it left."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def crash_signal(self) -> signal.Signals:
        """Return the signal that ends the server at once."""
        return signal.SIGKILL

    def environ(self) -> dict[str, str]:
        """Return its environment."""
        return dict(os.environ)

    def command(self) -> tuple[list[str], str | None]:
        """Return the words that start it, and the user to run it as."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Tell whether it serves."""
        return self.listens()

    def listens(self) -> bool:
        """Tell whether somebody listens at its port."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def made_for(self, user: str) -> str | None:
        """Give the folder to a user, where we may; servers of databases refuse to run as root."""
        if os.getuid() != 0:
            return None
        shutil.chown(self.folder, user)
        return user


def until(holds: Callable[[], bool], within_s: float, what: str) -> None:
    """Wait until something holds."""
    for _ in range(round(within_s / 0.05)):
        if holds():
            return
        NEVER.wait(0.05)
    raise AssertionError(f"not so after {within_s} s: {what}")


class DatabaseServer(Server):
    """A server with the database `aw` on it."""

    def url(self, port: int | None = None) -> str:
        """Return the address of the database, over another port when it is given."""
        user, scheme = ("postgres", "postgresql") if self.kind == POSTGRES else ("root", "mysql")
        return f"{scheme}://{user}@127.0.0.1:{port or self.port}/{DATABASE}"

    def create(self, name: str) -> str:
        """Make an empty database anew and return its address."""
        tail = "" if self.kind == POSTGRES else " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
        with self.administering() as run:
            run(f"DROP DATABASE IF EXISTS {name}")
            run(f"CREATE DATABASE {name}{tail}")
        return self.url().removesuffix(DATABASE) + name

    @contextlib.contextmanager
    def administering(self) -> Iterator[Callable[[str], list[int]]]:
        """Give a function that runs one statement and returns the first column of what it gives."""
        own = "postgres" if self.kind == POSTGRES else "mysql"
        engine = create_engine(address(self.url()).set(database=own), isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                yield lambda sql: _column(connection, sql)
        finally:
            engine.dispose()

    def answers(self) -> bool:
        """Tell whether it takes connections."""
        try:
            with self.administering() as run:
                run("SELECT 1")
        except DBAPIError:
            return False
        return True

    def sessions(self) -> list[int]:
        """Return the ids of the sessions of others."""
        with self.administering() as run:
            return run(SESSIONS[self.kind])

    def kill(self, session: int) -> None:
        """End one session, whatever it is doing."""
        end = f"SELECT pg_terminate_backend({session})" if self.kind == POSTGRES else f"KILL {session}"
        with self.administering() as run, contextlib.suppress(DBAPIError):
            run(end)


def _column(connection: Connection, sql: str) -> list[int]:
    result = connection.execute(text(sql))
    return [row[0] for row in result] if result.returns_rows else []


class Postgres(DatabaseServer):
    """PostgreSQL."""

    def command(self) -> tuple[list[str], str | None]:
        """Make its files the first time."""
        user = self.made_for("postgres")
        data = self.folder / "data"
        if not data.exists():
            made = [str(program("initdb")), "-D", str(data), "-A", "trust", "-U", "postgres", "-E", "UTF8", "-N"]
            subprocess.run(made, check=True, capture_output=True, user=user, cwd=self.folder)
        (data / "postmaster.pid").unlink(missing_ok=True)
        options = ["-k", str(self.folder), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
        return [str(program("postgres")), "-D", str(data), "-p", str(self.port), *options], user

    def crash_signal(self) -> signal.Signals:
        """Stop in immediate mode: killed with SIGKILL it would leave its children and its memory behind."""
        return signal.SIGQUIT


class Maria(DatabaseServer):
    """MariaDB."""

    def command(self) -> tuple[list[str], str | None]:
        """Make its files the first time."""
        user = self.made_for("mysql")
        data = self.folder / "data"
        run_as = [f"--user={user}"] if user else []
        if not data.exists():
            made = [str(program("mariadb-install-db")), "--no-defaults", f"--datadir={data}", *run_as]
            made += ["--auth-root-authentication-method=normal", "--skip-test-db"]
            subprocess.run(made, check=True, capture_output=True)
        where = [f"--datadir={data}", f"--port={self.port}", f"--socket={self.folder / 'sock'}"]
        options = ["--bind-address=127.0.0.1", "--innodb-flush-log-at-trx-commit=2", *run_as]
        return [str(program("mariadbd")), "--no-defaults", *where, *options], None


class Redis(Server):
    """Redis; it keeps nothing on disk, so a restart empties it."""

    def command(self) -> tuple[list[str], str | None]:
        """Keep nothing."""
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        return [str(program("redis-server")), *words], None

    def url(self) -> str:
        """Return its address."""
        return f"redis://127.0.0.1:{self.port}/0"


class Rabbit(Server):
    """RabbitMQ."""

    def command(self) -> tuple[list[str], str | None]:
        """Listen at the port alone."""
        (self.folder / "rabbitmq.conf").write_text(f"listeners.tcp.1 = 127.0.0.1:{self.port}\n")
        (self.folder / "plugins").write_text("[].\n")
        return [str(program("rabbitmq-server"))], None

    def environ(self) -> dict[str, str]:
        """Keep apart from the node of this machine."""
        names = {
            "NODENAME": f"aw{self.port}@localhost", "CONFIG_FILE": self.folder / "rabbitmq",
            "PID_FILE": self.folder / "pid", "CONF_ENV_FILE": self.folder / "none",
            "ENABLED_PLUGINS_FILE": self.folder / "plugins",
            "MNESIA_BASE": self.folder / "mnesia", "LOG_BASE": self.folder / "log", "DIST_PORT": self.port + 1,
        }  # fmt: skip
        own = {f"RABBITMQ_{name}": str(value) for name, value in names.items()}
        return {**os.environ, "HOME": str(self.folder), **own}

    def url(self) -> str:
        """Return its address."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}/%2F"

    def control(self, *words: str) -> None:
        """Run its command."""
        ctl = [str(program("rabbitmqctl")), "-q", "-n", f"aw{self.port}@localhost", *words]
        subprocess.run(ctl, env=self.environ(), check=True, capture_output=True, timeout=60)

    def forget(self) -> None:
        """Stop it, delete its data and start it again."""
        self.stop()
        shutil.rmtree(self.folder / "mnesia", ignore_errors=True)
        self.start()


_KINDS: Mapping[str, type[Server]] = {POSTGRES: Postgres, MYSQL: Maria, REDIS: Redis, RABBITMQ: Rabbit}


@dataclass
class Servers:
    """The servers of one test process, each started when it is first asked for."""

    running: dict[str, Server] = field(default_factory=dict)

    def get(self, kind: str) -> Server:
        """Return the server of a kind, running."""
        if kind not in self.running:
            self.running[kind] = _KINDS[kind](kind)
            self.running[kind].start()
        return self.running[kind]

    def drop(self) -> None:
        """End all of them."""
        for server in self.running.values():
            server.drop()
