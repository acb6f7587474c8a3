"""How a database server is set up, as far as it decides whether a workspace can be kept there."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text

from answerwatch.errors import ServiceError
from answerwatch.store.connection.server_versions import dotted, product_of, version_of
from answerwatch.store.database import Read

_MYSQL = """
    SELECT @@character_set_database AS charset, @@collation_database AS collation,
           IF(@@max_user_connections = 0, @@max_connections, LEAST(@@max_user_connections, @@max_connections)) AS most
"""
_POSTGRES = """
    SELECT current_setting('server_encoding') AS charset, 'C' AS collation,
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A database server as it is set up for our database."""

    product: str
    """PostgreSQL, MariaDB or MySQL."""
    version: str
    charset: str
    """Character set of the database, in small letters."""
    collation: str
    """How the database compares texts unless a table says otherwise; ours do."""
    connections: int
    """How many we may have at once."""

    @property
    def holds_all_characters(self) -> bool:
        """Tell whether tables can hold every character; those on MariaDB and MySQL name a set of their own."""
        return self.product != "PostgreSQL" or self.charset == "utf8"

    @property
    def as_advised(self) -> bool:
        """Tell whether a table that somebody adds by hand would hold and compare texts as ours do."""
        return self.product == "PostgreSQL" or (self.charset == "utf8mb4" and self.collation.endswith("_bin"))


def look(read: Read) -> Server | None:
    """Return what the server is and allows; None for SQLite, which has none."""
    dialect = read.connection.dialect
    if dialect.name == "sqlite":
        return None
    row = read.all(text(_POSTGRES if dialect.name == "postgresql" else _MYSQL))[0]
    return Server(
        product=product_of(dialect),
        version=dotted(version_of(dialect)),
        charset=str(row.charset).lower(),
        collation=str(row.collation),
        connections=int(row.most),
    )


def refuse_unfit(read: Read) -> None:
    """Raise ServiceError for a database whose tables could not hold Chinese: it would fail at the first answer."""
    server = look(read)
    if server is not None and not server.holds_all_characters:
        told = f"The database is encoded in {server.charset}, which lacks characters; make one with ENCODING 'UTF8'."
        raise ServiceError("store_encoding", told, charset=server.charset)
