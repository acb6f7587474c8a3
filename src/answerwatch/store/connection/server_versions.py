"""Which versions of database servers can be used."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Dialect

from answerwatch.errors import ServiceError

OLDEST: Mapping[str, tuple[int, ...]] = {"PostgreSQL": (14,), "MariaDB": (10, 6), "MySQL": (8, 0, 16)}
"""Versions from which on a server knows all that is used, such as SKIP LOCKED and checks."""


def refuse_old(dialect: Dialect) -> None:
    """Raise ServiceError for a server of a version that lacks what is used."""
    product, version = product_of(dialect), version_of(dialect)
    if version < OLDEST[product]:
        found, needed = dotted(version), dotted(OLDEST[product])
        text = f"The server is {product} {found}, but {needed} is needed; upgrade it or use another one."
        raise ServiceError("store_version", text, product=product, found=found, needed=needed)


def product_of(dialect: Dialect) -> str:
    """Return which server a connected dialect speaks to."""
    if dialect.name == "postgresql":
        return "PostgreSQL"
    return "MariaDB" if getattr(dialect, "is_mariadb", False) else "MySQL"


def version_of(dialect: Dialect) -> tuple[int, ...]:
    """Return the version of the server that a connected dialect speaks to."""
    parts = getattr(dialect, "server_version_info", None) or ()
    return tuple(part for part in parts if isinstance(part, int))


def dotted(version: tuple[int, ...]) -> str:
    """Return a version as people write it."""
    return ".".join(str(part) for part in version)
