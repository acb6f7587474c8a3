"""Makes `docs/states.md`: every state with its meaning, and the moves between states as drawings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path

from answerwatch.domain.batches import FINISHED, BatchStatus, UsageStatus
from answerwatch.domain.clean_states import MOVES, STUCK_AFTER_S, WORKING, CleanState, InvalidReason
from answerwatch.domain.limits import Breaker
from scripts.attribute_docs import attribute_docs

PAGE = Path(__file__).resolve().parent.parent / "docs" / "states.md"

Edge = tuple[str, str, str]
"""From, to and why; `[*]` is the beginning or the end."""

BATCH_EDGES: tuple[Edge, ...] = (
    (BatchStatus.PENDING, BatchStatus.RUNNING, "first call"),
    (BatchStatus.RUNNING, BatchStatus.COMPLETED, "last outcome, none failed"),
    (BatchStatus.RUNNING, BatchStatus.PARTIAL, "last outcome, some failed"),
    (BatchStatus.PENDING, BatchStatus.CANCELLED, "cancelled"),
    (BatchStatus.RUNNING, BatchStatus.CANCELLED, "cancelled"),
    (BatchStatus.PARTIAL, BatchStatus.RUNNING, "dead letters replayed"),
)
"""Every move of a batch; `tests/integration/store/test_batch_moves.py` finds the same ones in the store."""

BREAKER_EDGES: tuple[Edge, ...] = (
    (Breaker.CLOSED, Breaker.OPEN, "faults in a row"),
    (Breaker.OPEN, Breaker.HALF_OPEN, "wait is over, one call tries"),
    (Breaker.HALF_OPEN, Breaker.CLOSED, "it was answered"),
    (Breaker.HALF_OPEN, Breaker.OPEN, "it failed, the wait doubles"),
    (Breaker.CLOSED, Breaker.PARKED, "key, account or our own set-up"),
    (Breaker.PARKED, Breaker.PROBING, "wait is over, one call tries"),
    (Breaker.PROBING, Breaker.CLOSED, "it was answered"),
    (Breaker.PROBING, Breaker.PARKED, "it failed"),
    (Breaker.PARKED, Breaker.CLOSED, "unparked by a person"),
)
"""The usual moves of a lane's breaker; `tests/unit/domain/test_breaker_moves.py` finds each of them."""

HEAD = """\
# States

Made by `make docs` from the tables in `src/answerwatch/domain/`; change the texts there.
"""


def render() -> str:
    """Return the page."""
    return "\n".join((HEAD, *_cleaning(), *_batches(), *_lanes()))


def _cleaning() -> Iterable[str]:
    yield "## Clean tasks\n"
    yield "`clean_state.current_state`. Nothing else is legal: another move is an error and changes nothing."
    yield "Every move is kept in `state_history` as `{from, to, at}`.\n"
    yield _drawing((start, to, "") for start in CleanState for to in CleanState if to in MOVES[start])
    yield _table(CleanState, dict.fromkeys(WORKING, "busy"))
    yield f"A task that is busy for more than {STUCK_AFTER_S // 60} minutes is *stuck*: listed by"
    yield "`answerwatch clean stuck`, with one alert. `failed -> pending` is the replay of a dead letter.\n"
    yield "### Why an answer is invalid\n"
    yield "`invalid_reason`; the first check of `reading/validity.py` that fits decides. Invalid is a result.\n"
    yield _table(InvalidReason, {})


def _batches() -> Iterable[str]:
    yield "## Batches\n"
    yield "`task_batch.batch_status`. An import is `completed` from the beginning.\n"
    yield _drawing(BATCH_EDGES)
    yield _table(BatchStatus, dict.fromkeys(FINISHED, "at its end"))
    yield "### Sub-tasks\n"
    yield "`question_usage_log.status`. Whether one is being asked right now is read from the ledger's lease.\n"
    yield _table(UsageStatus, {})


def _lanes() -> Iterable[str]:
    yield "## Breakers of lanes\n"
    yield "`work_lane.breaker`: whether calls of a platform credential may start at all.\n"
    yield _drawing(BREAKER_EDGES)
    yield _table(Breaker, {})


def _drawing(edges: Iterable[Edge]) -> str:
    lines = [f"    {start} --> {to}{f': {why}' if why else ''}" for start, to, why in edges]
    return "\n".join(("```mermaid", "stateDiagram-v2", *lines, "```", ""))


def _table(states: type[StrEnum], notes: Mapping[StrEnum, str]) -> str:
    """Return the states with their meanings; raises LookupError for one that has none."""
    meanings = attribute_docs(states)
    if missing := [state.name for state in states if state.name not in meanings]:
        raise LookupError(f"{states.__name__} does not say what {', '.join(missing)} means")
    rows = (f"| {s} | {meanings[s.name]}{f' ({notes[s]})' if s in notes else ''} |" for s in states)
    return "\n".join(("| state | meaning |", "|---|---|", *rows, ""))
