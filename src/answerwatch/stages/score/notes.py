"""What was learnt of scorers, kept in the database: limits of a call, answers to the canary."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import structlog

from answerwatch.clock import Clock
from answerwatch.errors import ServiceError
from answerwatch.store.database import Store
from answerwatch.store.similarity import memory

log = structlog.get_logger(__name__)


class Notes:
    """The notebook of one scorer."""

    def __init__(self, store: Callable[[], Store], clock: Clock, scorer: str) -> None:
        """Reach for the store when something is read or written."""
        self._store = store
        self._clock = clock
        self._scorer = scorer

    def read(self) -> Mapping[str, object]:
        """Return what was written down so far."""
        with self._store().reading() as read:
            return memory.learnt(read, self._scorer)

    def write(self, facts: Mapping[str, object]) -> None:
        """Add to it; a database that is busy loses a note, and no work."""
        try:
            self._store().transact(lambda tx: memory.learn(tx, self._scorer, facts, self._clock.now()))
        except ServiceError as error:
            log.warning("scorer_notes_lost", scorer=self._scorer, error=error.text)
