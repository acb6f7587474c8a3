"""Servers of the suite's own for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.chaos.servers import Server, Servers, why_missing
from tests.conftest import CI


class OwnServers(Servers):
    """Servers that are missing skip the test, and fail it under CI."""

    def get(self, kind: str) -> Server:
        """Return the server of a kind, running."""
        why = why_missing(kind)
        if why is not None:
            (pytest.fail if CI else pytest.skip)(why)
        return super().get(kind)


@pytest.fixture(scope="session")
def own_servers() -> Iterator[Servers]:
    """What starts servers that a test may break."""
    servers = OwnServers()
    yield servers
    servers.drop()
