"""The one MetaData, with names for every constraint so that migrations can speak of them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import CheckConstraint, Column, MetaData

from answerwatch.store.types import Flag

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

TABLE: dict[str, Any] = {
    "mysql_charset": "utf8mb4",
    "mysql_collate": "utf8mb4_bin",
    "mariadb_charset": "utf8mb4",
    "mariadb_collate": "utf8mb4_bin",
}
"""Options of every table: what a server's default character set is must not matter."""


def about(meaning: str, *, written_by: str) -> dict[str, Any]:
    """Return the options of a table, with what the data dictionary says of it.

    What columns mean stands in their `doc`; of one that may be NULL it says what NULL means.
    """
    return {**TABLE, "info": {"meaning": meaning, "written_by": written_by}}


def flag(name: str, *, nullable: bool = True, doc: str) -> tuple[Column[int], CheckConstraint]:
    """Return a column that holds 0, 1 or (when `nullable`) NULL, and its check."""
    return Column(name, Flag, nullable=nullable, doc=doc), CheckConstraint(f"{name} IN (0, 1)", name=name)
