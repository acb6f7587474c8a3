"""Addresses of sources: the one form under which two spellings are the same source, and the domain they count for."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

_TRACKING = re.compile(r"utm_\w+|gclid|fbclid|msclkid|dclid|yclid|spm|mc_[ce]id|igshid", re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443}


def canonical_url(url: str) -> tuple[str, str] | None:
    """Return the canonical address and its domain, or None when it is no web address.

    Lower-case scheme and host, without user, default port, fragment and tracking parameters; the domain is the host
    without a leading `www.`. Nothing is looked up or resolved.

    >>> canonical_url("HTTPS://WWW.Example.com:443/a?utm_source=openai&b=1#x")
    ('https://www.example.com/a?b=1', 'example.com')
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host or not host.isprintable():
        return None
    shown = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        shown += f":{port}"
    return urlunsplit((scheme, shown, parts.path or "/", _kept(parts.query), "")), host.removeprefix("www.")


def _kept(query: str) -> str:
    """Return the query without tracking parameters, order kept."""
    return "&".join(pair for pair in query.split("&") if pair and not _TRACKING.fullmatch(pair.split("=", 1)[0]))
