"""Addresses of databases, brokers and object stores as people and logs may see them: without a password."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

HIDDEN = "***"

_LOGIN = re.compile(r"^(?P<scheme>[^:/?#]+://)(?:(?P<user>[^:/@]*:).*|[^:/@]+)@", re.DOTALL)
"""User and password of an address. A password that was not escaped may hold any character, so it ends at the last @."""

_PLACES = ("host", "hostaddr", "port", "unix_socket")
"""Names in the query of an address that tell where a server is; values of all others may be secret."""

_USUAL_PORTS = {
    "postgres": "5432", "postgresql": "5432", "mysql": "3306", "mariadb": "3306",
    "amqp": "5672", "amqps": "5671", "redis": "6379", "rediss": "6379",
}  # fmt: skip


def hide_password(url: str) -> str:
    """Return an address without its password; of its query it shows only values that tell where the server is.

    >>> hide_password("mysql+pymysql://aw:secret@db:3306/aw")
    'mysql+pymysql://aw:***@db:3306/aw'
    >>> hide_password("postgresql:///aw?host=/run/postgresql&password=secret")
    'postgresql:///aw?host=/run/postgresql&password=***'
    """
    scheme, separator, _ = url.partition("://")
    if not separator:
        return HIDDEN if "@" in url else url
    try:
        parts = urlsplit(_LOGIN.sub(rf"\g<scheme>\g<user>{HIDDEN}@", url))
        _ = parts.port  # where the host was forgotten, a password stands in its place
    except ValueError:
        return f"{scheme}://{HIDDEN}"
    query = "&".join(_shown(pair) for pair in parts.query.split("&") if pair)
    place = f"{without_password(parts.netloc, url)}{parts.path}"
    return f"{scheme}://{place}?{query}" if query else f"{scheme}://{place}"


def _shown(pair: str) -> str:
    name = pair.partition("=")[0]
    return pair if name in _PLACES else f"{name}={HIDDEN}"


def place_of(url: str) -> str:
    """Return an address without user, password and query.

    >>> place_of("amqp://me:secret@mq.example:5672/answerwatch?heartbeat=10")
    'amqp://mq.example:5672/answerwatch'
    """
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{without_password(rest.rpartition('@')[2].partition('?')[0], url)}"


def without_password(text: str, url: str) -> str:
    """Return what somebody says of an address without the password that may stand in the place of its port.

    >>> without_password("cannot connect to me:12345", "redis://me:12345")
    'cannot connect to me:***'
    """
    number = _doubtful_port(url)
    return text if number is None else re.sub(rf"(?<!\d){number}(?!\d)", HIDDEN, text)


def _doubtful_port(url: str) -> str | None:
    """Return the port of an address that may be a password, because its host was forgotten: `amqp://user:12345`.

    It is a port where a login stands before it, where its host cannot be a user, and where it is the usual one.
    """
    scheme, _, rest = url.partition("://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    host, _, port = authority.rpartition(":")
    sure = "@" in authority or _USUAL_PORTS.get(scheme.partition("+")[0]) == port or _is_no_user(host)
    return port if port.isascii() and port.isdigit() and not sure else None


def _is_no_user(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
