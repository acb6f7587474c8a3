"""Column types that mean the same on SQLite, PostgreSQL and MariaDB/MySQL (docs/decisions/0002)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, Integer, LargeBinary, SmallInteger, String, Text
from sqlalchemy.dialects import mysql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

from answerwatch.domain.ids import KEY_LENGTH
from answerwatch.domain.texts import LONGEST_LINE

BINARY_COLLATION = "utf8mb4_bin"


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC with microseconds; refuses naive values, returns aware ones."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Keep the microseconds that MySQL drops and the zone that PostgreSQL can hold."""
        if dialect.name in ("mysql", "mariadb"):
            return dialect.type_descriptor(mysql.DATETIME(fsp=6))
        return dialect.type_descriptor(DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn an aware moment into UTC; a naive one is a mistake of the caller."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive moment {value!r} cannot be stored; give it a time zone")
        value = value.astimezone(UTC)
        return value if dialect.name == "postgresql" else value.replace(tzinfo=None)

    def process_result_value(
        self,
        value: datetime | None,
        dialect: Dialect,  # noqa: ARG002 - the base class passes it
    ) -> datetime | None:
        """Return the moment as aware UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _string(length: int) -> TypeEngine[str]:
    varchar = mysql.VARCHAR(length, charset="utf8mb4", collation=BINARY_COLLATION)
    by_code = String(length, collation="C")  # a locale's order changes with the system, and indexes break with it
    return String(length).with_variant(varchar, "mysql", "mariadb").with_variant(by_code, "postgresql")


Key = _string(KEY_LENGTH)
"""An identifier or name that is compared byte for byte."""

Word = _string(64)
"""A short word of a fixed set: states, kinds, reasons."""

Short = _string(LONGEST_LINE)
"""A line of text for people."""

LongText = Text().with_variant(mysql.LONGTEXT(charset="utf8mb4", collation=BINARY_COLLATION), "mysql", "mariadb")
"""Text of any length that product limits allow."""

Blob = LargeBinary().with_variant(mysql.LONGBLOB(), "mysql", "mariadb")
"""Bytes of any length that product limits allow."""

Micros = BigInteger().with_variant(sqlite.INTEGER(), "sqlite")
"""Microseconds since 1970 (UTC): the ledger's time."""

Flag = SmallInteger()
"""0, 1 or NULL on every database."""


def as_flag(value: bool | None) -> int | None:  # noqa: FBT001 - turns one value into another
    """Return 0, 1 or None as flags are stored."""
    return None if value is None else int(value)


def as_bool(flag: int | None) -> bool | None:
    """Return a stored flag as a truth value; unknown stays None."""
    return None if flag is None else bool(flag)


Serial = BigInteger().with_variant(Integer(), "sqlite")
"""A key that the database counts up."""
