"""A look at whether platforms can be reached and answers be kept, before a batch is made that could only fail."""

from __future__ import annotations

import socket
import urllib.request
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from answerwatch.engine.lock_folder import refuse_unlockable
from answerwatch.errors import ServiceError
from answerwatch.platforms.records import Surface
from answerwatch.store.objects import ObjectStore

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


def refuse_unwritable(objects: ObjectStore, lock_folder: Path) -> None:
    """Raise ServiceError when answers could not be kept or no worker could start: nothing is to be asked then."""
    keeps_bytes(objects)
    refuse_unlockable(lock_folder)


def keeps_bytes(objects: ObjectStore) -> bool:
    """Tell whether the object store gives back what is put there; raises ServiceError when it cannot be used."""
    key = f"probes/{uuid.uuid4().hex}"
    objects.put(key, b"answerwatch")
    try:
        return objects.get(key) == b"answerwatch"
    finally:
        objects.delete(key)


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
