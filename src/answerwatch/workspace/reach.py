"""A look at whether platforms can be reached at all, before a batch is made that could only fail."""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from answerwatch.errors import ServiceError
from answerwatch.platforms.records import Surface

WITHIN_S = 5.0


def refuse_unreachable(surfaces: Sequence[Surface]) -> None:
    """Raise ServiceError when none of the platforms takes a connection.

    One that answers is enough: the others' calls are retried as any other, and told one by one.
    """
    with ThreadPoolExecutor(max_workers=min(8, len(surfaces))) as pool:
        faults = list(pool.map(fault_of, surfaces))
    if all(faults):
        first = surfaces[0]
        text = (
            f"No platform can be reached: {first.name} at {first.base_url} says {faults[0]}. "
            "Check the network and base_url in platforms.toml; nothing was stored."
        )
        raise ServiceError("platforms_unreachable", text, platform=first.name, url=first.base_url, why=faults[0])


def fault_of(surface: Surface) -> str | None:
    """Return why a platform takes no connection, None when it does or a proxy stands in between."""
    parts = urlsplit(surface.base_url)
    host = parts.hostname or ""
    if _has_proxy(parts.scheme, host):
        return None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((host, port), timeout=WITHIN_S).close()
    except OSError as error:
        return error.strerror or str(error) or type(error).__name__
    return None


def _has_proxy(scheme: str, host: str) -> bool:
    proxies = urllib.request.getproxies()
    return bool(proxies.get(scheme) or proxies.get("all")) and not urllib.request.proxy_bypass(host)
