"""Names of queues as people give them."""

from __future__ import annotations

from collections.abc import Sequence

from answerwatch.domain.work import QUEUES
from answerwatch.errors import UsageError


def check_queues(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of queues unchanged; raises UsageError when one is none, and when there is no name at all."""
    if not names or set(names) - set(QUEUES):
        given, known = ",".join(names), ", ".join(QUEUES)
        raise UsageError(
            "queue_unknown", f"There is no queue {given!r}; queues are {known}.", queues=given, known=known
        )
    return tuple(names)
