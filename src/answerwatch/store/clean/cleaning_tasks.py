"""Clean tasks: their states, the one way to change a state, and the attempts at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, select, update

from answerwatch.domain.clean_states import STUCK_AFTER_S, WORKING, CleanState, Transition, check_path
from answerwatch.domain.ids import clean_task_id
from answerwatch.errors import WorkError
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import clean_attempt, clean_generation, clean_state
from answerwatch.store.schema.work import work_task
from answerwatch.store.upsert import insert_new


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanTask:
    """A clean task and what it works with."""

    clean_task_id: str
    source_task_id: str
    batch_id: str
    generation: int
    lexicon_version: int
    state: CleanState
    reads_all: bool
    """Its generation was made by force: the answer is read also where nothing has changed."""


def create(tx: Write, samples: Iterable[tuple[str, str]], generation: int, now: datetime) -> list[str]:
    """Make the clean tasks of samples, given as (sub-task id, batch id), and return their ids.

    A sample that has one in this generation keeps it: the id decides.
    """
    rows: list[dict[str, object]] = [
        {
            "clean_task_id": clean_task_id(sub_task, generation),
            "source_task_id": sub_task,
            "batch_id": batch_id,
            "generation": generation,
            "current_state": CleanState.PENDING,
            "state_history": [],
            "retry_count": 0,
            "last_error": None,
            "created_at": now,
            "updated_at": now,
        }
        for sub_task, batch_id in samples
    ]
    insert_new(tx, clean_state, rows)
    return [str(row["clean_task_id"]) for row in rows]


_THESE = clean_state.c.clean_task_id.in_(bindparam("ids", expanding=True))

_LOAD = (
    select(
        clean_state.c.clean_task_id,
        clean_state.c.source_task_id,
        clean_state.c.batch_id,
        clean_state.c.generation,
        clean_state.c.current_state,
        clean_generation.c.lexicon_version,
        clean_generation.c.reads_all,
    )
    .join(clean_generation, clean_generation.c.generation == clean_state.c.generation)
    .where(_THESE)
)


def load(read: Read, ids: Sequence[str]) -> dict[str, CleanTask]:
    """Return clean tasks by id; unknown ones are left out."""
    return {
        row.clean_task_id: CleanTask(
            clean_task_id=row.clean_task_id,
            source_task_id=row.source_task_id,
            batch_id=row.batch_id,
            generation=row.generation,
            lexicon_version=row.lexicon_version,
            state=CleanState(row.current_state),
            reads_all=bool(row.reads_all),
        )
        for row in read.all(_LOAD, {"ids": ids})
    }


_STATES = select(clean_state.c.clean_task_id, clean_state.c.current_state, clean_state.c.state_history).where(_THESE)

_MOVE = (
    update(clean_state)
    .where(clean_state.c.clean_task_id == bindparam("id_"))
    .values(current_state=bindparam("state_"), state_history=bindparam("history_"), updated_at=bindparam("now_"))
)


def move(tx: Write, paths: Mapping[str, tuple[CleanState, ...]], now: datetime) -> None:
    """Take tasks along their paths; the only way to change a state.

    Raises UsageError for an illegal step and WorkError for an unknown task; nothing is changed then.
    """
    if not paths:
        return
    found = {row.clean_task_id: row for row in tx.all(_STATES, {"ids": list(paths)})}
    for id_ in paths:
        if id_ not in found:
            raise WorkError("clean_task_unknown", f"There is no clean task {id_}; clean its batch again.", task=id_)
    _apply(tx, found, paths, now)


def _apply(tx: Write, found: Mapping[str, Any], paths: Mapping[str, tuple[CleanState, ...]], now: datetime) -> None:
    rows: list[dict[str, object]] = []
    for id_, path in paths.items():
        here = CleanState(found[id_].current_state)
        history = [*found[id_].state_history, *_steps(here, path, now)]
        rows.append({"id_": id_, "state_": check_path(here, path), "history_": history, "now_": now})
    if rows:
        tx.run_for_all(_MOVE, rows)


def _steps(here: CleanState, path: Sequence[CleanState], now: datetime) -> list[dict[str, str]]:
    at = now.isoformat(timespec="microseconds")
    return [{"from": start, "to": end, "at": at} for start, end in zip((here, *path), path, strict=False)]


def transitions(history: Iterable[Mapping[str, str]]) -> tuple[Transition, ...]:
    """Return a stored history as records, the first step first."""
    return tuple(
        Transition(
            from_state=CleanState(step["from"]),
            to_state=CleanState(step["to"]),
            at=datetime.fromisoformat(step["at"]),
        )
        for step in history
    )


_TAKEN = (
    update(clean_state).where(clean_state.c.clean_task_id == bindparam("id_")).values(taken_from=bindparam("from_"))
)


def note_taken(tx: Write, taken: Mapping[str, str]) -> None:
    """Note from which tasks others took their results over, by the task that took."""
    if taken:
        tx.run_for_all(_TAKEN, [{"id_": id_, "from_": taken[id_]} for id_ in sorted(taken)])


def start_validating(tx: Write, ids: Sequence[str], now: datetime) -> None:
    """Move those that are pending to validating; a task that is taken up again stays where it was left."""
    found = {row.clean_task_id: row for row in tx.all(_STATES, {"ids": ids})}
    waiting = [id_ for id_, row in found.items() if row.current_state == CleanState.PENDING]
    _apply(tx, found, dict.fromkeys(waiting, (CleanState.VALIDATING,)), now)


def note_error(tx: Write, errors: Sequence[tuple[str, int, str]]) -> None:
    """Store (task id, retries used, error text) of failed attempts; the state stays."""
    statement = (
        update(clean_state)
        .where(clean_state.c.clean_task_id == bindparam("id_"))
        .values(retry_count=bindparam("count_"), last_error=bindparam("error_"))
    )
    if errors:
        rows = [{"id_": id_, "count_": count, "error_": error} for id_, count, error in errors]
        tx.connection.execute(statement, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckTask:
    """A clean task that has been in one working state for more than five minutes."""

    clean_task_id: str
    state: CleanState
    since: datetime
    history: tuple[Transition, ...]
    last_error: str | None


def stuck(read: Read, now: datetime, *, most: int = 100) -> list[StuckTask]:
    """Return the tasks that are stuck, the oldest first."""
    query = select(clean_state).where(_is_stuck(now)).order_by(clean_state.c.updated_at).limit(most)
    return [
        StuckTask(
            clean_task_id=row.clean_task_id,
            state=CleanState(row.current_state),
            since=row.updated_at,
            history=transitions(row.state_history),
            last_error=row.last_error,
        )
        for row in read.all(query)
    ]


def count_stuck(read: Read, now: datetime) -> int:
    """Return how many tasks are stuck."""
    return int(read.scalar(select(func.count()).select_from(clean_state).where(_is_stuck(now))))


def _is_stuck(now: datetime) -> ColumnElement[bool]:
    before = now - timedelta(seconds=STUCK_AFTER_S)
    return clean_state.c.current_state.in_(sorted(WORKING)) & (clean_state.c.updated_at < before)


def by_state(read: Read) -> dict[CleanState, int]:
    """Return how many tasks stand in which state."""
    query = select(clean_state.c.current_state, func.count().label("rows")).group_by(clean_state.c.current_state)
    return {CleanState(row.current_state): int(row.rows) for row in read.all(query)}


_WORKERS = select(work_task.c.task_id, work_task.c.worker_id).where(
    work_task.c.task_id.in_(bindparam("ids", expanding=True))
)


def begin_attempts(tx: Write, attempts: Mapping[str, int], now: datetime) -> None:
    """Note that these attempts at tasks have begun, and by which worker; in the transaction that claims them."""
    rows = [
        {
            "clean_task_id": row.task_id,
            "attempt": attempts[row.task_id],
            "worker": row.worker_id or "",
            "started_at": now,
            "ended_at": None,
            "error": None,
        }
        for row in tx.all(_WORKERS, {"ids": list(attempts)})
    ]
    insert_new(tx, clean_attempt, rows)


_END = (
    update(clean_attempt)
    .where(clean_attempt.c.clean_task_id == bindparam("id_"), clean_attempt.c.attempt == bindparam("number_"))
    .values(ended_at=bindparam("now_"), error=bindparam("error_"))
)


def end_attempts(tx: Write, attempts: Sequence[tuple[str, int, str | None]], now: datetime) -> None:
    """Note the end of (task id, attempt, error text or None); one that never ended has a NULL there."""
    if attempts:
        rows = [{"id_": id_, "number_": number, "error_": error, "now_": now} for id_, number, error in attempts]
        tx.run_for_all(_END, rows)


def highest_attempts(read: Read, ids: Sequence[str]) -> dict[str, int]:
    """Return the highest attempt number that each task has used, 0 for none."""
    query = (
        select(clean_attempt.c.clean_task_id, func.max(clean_attempt.c.attempt).label("last"))
        .where(clean_attempt.c.clean_task_id.in_(ids))
        .group_by(clean_attempt.c.clean_task_id)
    )
    return dict.fromkeys(ids, 0) | {row.clean_task_id: int(row.last) for row in read.all(query)}
