"""What went wrong with a database, told as our own errors: busy, full, out of reach, denied, or set up differently.

Servers tell by code (SQLSTATE, MySQL's numbers), SQLite by its words. What is a mistake in a statement or in a row is
none of these and passes unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from answerwatch.domain.addresses import without_password
from answerwatch.errors import ServiceError, StoreBusy, StoreFull

BUSY = "busy"
FULL = "full"
DENIED = "denied"
DAMAGED = "damaged"
GONE = "gone"
LOGIN = "login"
MISSING = "missing"
CROWDED = "crowded"

_POSTGRES: Mapping[str, str] = {
    "40P01": BUSY, "40001": BUSY, "55P03": BUSY,
    "53100": FULL,
    "42501": DENIED, "25006": DENIED,
    "28000": LOGIN, "28P01": LOGIN,
    "3D000": MISSING,
    "53300": CROWDED,
    "57P01": GONE, "57P02": GONE, "57P03": GONE,
    "XX001": DAMAGED, "XX002": DAMAGED,
}  # fmt: skip
"""Kinds by SQLSTATE (PostgreSQL manual, appendix A); class 08 is a lost connection too."""

_MYSQL: Mapping[int, str] = {
    1205: BUSY, 1213: BUSY, 3572: BUSY,
    1021: FULL, 1114: FULL, 3675: FULL,
    1142: DENIED, 1143: DENIED, 1227: DENIED, 1290: DENIED, 1370: DENIED, 1836: DENIED,
    1045: LOGIN, 1698: LOGIN,
    1044: MISSING, 1049: MISSING,
    1040: CROWDED, 1203: CROWDED,
    1053: GONE, 1927: GONE, 2002: GONE, 2003: GONE, 2006: GONE, 2013: GONE, 2014: GONE, 4031: GONE,
}  # fmt: skip
"""Kinds by error number (MariaDB Knowledge Base, "MariaDB error codes")."""

_WORDS: Mapping[str, str] = {
    "database is locked": BUSY, "deadlock": BUSY, "could not serialize": BUSY, "lock wait timeout": BUSY,
    "disk is full": FULL, "no space left": FULL, "disk i/o error": FULL,
    "readonly": DENIED, "unable to open database": DENIED, "permission": DENIED,
    "not a database": DAMAGED, "malformed": DAMAGED,
    "password authentication failed": LOGIN, "no password supplied": LOGIN, "pg_hba.conf": LOGIN,
    'role "': LOGIN,
    "does not exist": MISSING,
    "too many clients": CROWDED, "too many connections": CROWDED,
    "starting up": GONE, "shutting down": GONE, "connection refused": GONE, "failed to resolve": GONE,
    "connection failed": GONE, "connection is bad": GONE, "timeout expired": GONE,
}  # fmt: skip
"""Kinds by words where a driver gives no code: SQLite, and PostgreSQL while it connects. The first that fits holds."""


def _busy(_: str) -> ServiceError:
    return StoreBusy("store_busy", "The database is busy: another process holds it. Try again.")


def _full(_: str) -> ServiceError:
    return StoreFull("store_full", "The disk that holds the database is full; free some space and start again.")


def _denied(said: str) -> ServiceError:
    text = f"The database cannot be written ({said}). Check its folder, or what the user may do (docs/servers.md)."
    return ServiceError("store_denied", text, said=said)


def _damaged(said: str) -> ServiceError:
    return ServiceError("store_damaged", f"The database is damaged ({said}). Put a saved copy in its place.", said=said)


def _login(said: str) -> ServiceError:
    text = f"The database refuses the login ({said}). Check user and password in ANSWERWATCH_DATABASE_URL."
    return ServiceError("store_login", text, said=said)


def _missing(said: str) -> ServiceError:
    advice = "Create it, or let the user in (docs/servers.md), or mend ANSWERWATCH_DATABASE_URL."
    text = f"There is no such database, or not for this user ({said}). {advice}"
    return ServiceError("store_missing", text, said=said)


def _crowded(said: str) -> ServiceError:
    text = f"The database takes no more connections ({said}). Raise its limit or start fewer workers (docs/servers.md)."
    return ServiceError("store_crowded", text, said=said)


def _gone(said: str) -> ServiceError:
    text = f"The database cannot be reached ({said}). Start it, or mend ANSWERWATCH_DATABASE_URL, and try again."
    return ServiceError("store_gone", text, said=said)


_TOLD: Mapping[str, Callable[[str], ServiceError]] = {
    BUSY: _busy, FULL: _full, DENIED: _denied, DAMAGED: _damaged,
    LOGIN: _login, MISSING: _missing, CROWDED: _crowded, GONE: _gone,
}  # fmt: skip
"""Our errors by kind; each is given what the driver said."""


@contextmanager
def translated(url: str) -> Iterator[None]:
    """Turn the driver's errors into ours; anything that is a mistake in a statement passes unchanged."""
    try:
        yield
    except DBAPIError as error:
        kind = kind_of(error)
        if kind is None:
            raise
        said = without_password(" ".join(str(error.orig).split()), url)
        raise _TOLD[kind](said) from error


def kind_of(error: DBAPIError) -> str | None:
    """Return which of the kinds above a driver's error is, None when it is not about the service."""
    return _kind_told(error) or (GONE if error.connection_invalidated else None)


def _kind_told(error: DBAPIError) -> str | None:
    """Return the kind that the driver names: by code where it gives one, else by its words."""
    number = mysql_number(error)
    if number is not None:  # the driver gives an SQLSTATE too, which tells less: HY000 for most
        return _MYSQL.get(number)
    state = getattr(error.orig, "sqlstate", None)
    if isinstance(state, str):
        return GONE if state.startswith("08") else _POSTGRES.get(state)
    said = str(error.orig).lower()
    return next((kind for words, kind in _WORDS.items() if words in said), None)


def mysql_number(error: DBAPIError) -> int | None:
    """Return the number by which MySQL and MariaDB name an error, None for what another driver says."""
    first = error.orig.args[0] if error.orig is not None and error.orig.args else None
    return first if isinstance(first, int) else None
