"""How far away a host is, as its name alone tells."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_private(host: str) -> bool:
    """Tell whether a host can be seen to be no public one, without looking it up."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan", ".home.arpa"))
