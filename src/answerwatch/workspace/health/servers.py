"""What `doctor` looks at on a database server; SQLite has none of this."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.settings import Settings
from answerwatch.store.connection.opening import MAX_OVERFLOW, POOL_SIZE
from answerwatch.store.connection.revision import current, head
from answerwatch.store.connection.servers import Server, look
from answerwatch.store.database import Read
from answerwatch.store.work.workers import count_living
from answerwatch.workspace.parts import Parts

FOR_COMMANDS = 5
"""Connections that commands, copies and people need beside the workers."""

Finding = tuple[Said, Said | None]
"""What was found and what to do; nothing to do where all is well."""


def find(parts: Parts) -> Iterator[Finding]:
    """Return what the server is, and what about it somebody should look at."""
    with parts.unchecked_store.reading() as read:
        server = look(read)
        processes = _processes(read, parts.settings)
    if server is None:
        return
    name = f"{server.product} {server.version}"
    yield Said("server_is", f"{name}, {server.connections} connections", name=name, count=server.connections), None
    if not (server.holds_all_characters and server.as_advised):
        yield _made_otherwise(server)
    needed = processes * (POOL_SIZE + MAX_OVERFLOW) + FOR_COMMANDS
    if server.connections < needed:
        yield _few_connections(server, processes, needed)


def _processes(read: Read, settings: Settings) -> int:
    """Return how many worker processes are at work, one where nobody knows or none is."""
    if current(read) != head():
        return 1
    return max(1, count_living(read, lease_s=settings.lease_s, sweep_s=settings.sweep_s))


def _made_otherwise(server: Server) -> Finding:
    how = f"{server.charset}, {server.collation}"
    text = f"the database was made with {how}; our tables name their own, others would fold or lose characters"
    advice = "ALTER DATABASE ... CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
    if server.product == "PostgreSQL":
        text = f"the database was made with {how}, which cannot hold every character"
        advice = "make one with ENCODING 'UTF8' (docs/servers.md)"
        return Said("server_encoding", text, how=how), Said("fix_encoding", advice)
    return Said("server_collation", text, how=how), Said("fix_collation", advice)


def _few_connections(server: Server, processes: int, needed: int) -> Finding:
    most = server.connections
    text = f"the server takes {most} connections; {processes} worker processes may want {needed}"
    found = Said("server_crowded", text, most=most, processes=processes, needed=needed)
    advice = f"raise max_connections to {needed} or more, or start fewer worker processes"
    return found, Said("fix_connections", advice, needed=needed)
