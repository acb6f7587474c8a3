"""An empty database with all tables."""

from collections.abc import Iterator

import pytest

from answerwatch.store.database import Store


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    made = Store(database_url)
    yield made
    made.close()
