"""The hot statements of the ledger, built once for each database.

Lists of ids differ: SQLite takes one JSON text, which costs less than binding 500 values; servers take the values.
Building a statement anew for every call would cost more than running it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import orjson
from sqlalchemy import ColumnElement, Executable, bindparam, delete, func, select, update

from answerwatch.store.schema.work import FREE, LEASED, READY, work_group, work_pile, work_task

PILES_OF_GROUPS = work_pile.join(
    work_group, (work_group.c.queue == work_pile.c.queue) & (work_group.c.group_id == work_pile.c.group_id)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HotStatements:
    """Statements with the names of what is bound to them."""

    ready: Executable
    """ids of queues, now: piles with their groups and the oldest work that nobody holds, in the order of service."""
    claimable: Executable
    """pile, now, most: due tasks of a pile, locked; those that somebody else has locked are left out."""
    claim: Executable
    """ids, new_token, worker, until."""
    claimed: Executable
    """ids, new_token."""
    tokens: Executable
    """ids: token of each task, and the clock of its group."""
    renew: Executable
    """ids, tokens, until."""
    fence: Executable
    """ids: tokens and steps, locked in id order."""
    finish: Executable
    """ids."""
    advance: Executable
    """ids."""
    hand_back: Executable
    """ids, more."""


def ids_for(dialect: str, ids: Sequence[str]) -> object:
    """Return ids as this database takes them."""
    return orjson.dumps(ids).decode() if dialect == "sqlite" else list(ids)


def _one_of(dialect: str, column: ColumnElement[str]) -> ColumnElement[bool]:
    if dialect == "sqlite":
        each = func.json_each(bindparam("ids")).table_valued("value")
        return column.in_(select(each.c.value))
    return column.in_(bindparam("ids", expanding=True))


@cache
def hot(dialect: str) -> HotStatements:
    """Return the statements for a database."""
    task, these = work_task.c, _one_of(dialect, work_task.c.task_id)
    clock = (work_group.c.held, work_group.c.deadline_us, work_group.c.idle_since_us)
    taken = {
        "state": LEASED, "token": bindparam("new_token"), "worker_id": bindparam("worker"),
        "lease_us": bindparam("until"),
    }  # fmt: skip
    return HotStatements(
        ready=_ready(_one_of(dialect, work_pile.c.queue)),
        claimable=_claimable(),
        claim=update(work_task).where(these, task.state == READY).values(**taken),
        claimed=select(task.task_id).where(these, task.token == bindparam("new_token")),
        tokens=select(task.task_id, task.token, *clock)
        .select_from(work_task.join(PILES_OF_GROUPS, work_pile.c.pile_id == task.pile_id))
        .where(these),
        renew=update(work_task)
        .where(these, task.token.in_(bindparam("tokens", expanding=True)))
        .values(lease_us=bindparam("until")),
        fence=select(task.task_id, task.token, task.step).where(these).order_by(task.task_id).with_for_update(),
        finish=delete(work_task).where(these),
        advance=update(work_task).where(these).values(step=task.step + 1, crashes=0),
        hand_back=update(work_task).where(these).values(**FREE, interruptions=task.interruptions + bindparam("more")),
    )


def _claimable() -> Executable:
    task = work_task.c
    return (
        select(task.task_id, task.step, task.failures, task.interruptions)
        .where(task.pile_id == bindparam("pile"), task.state == READY, task.due_us <= bindparam("now"))
        .order_by(task.due_us, task.seq)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    )


def _ready(of_queues: ColumnElement[bool]) -> Executable:
    task, group = work_task.c, work_group.c
    oldest = select(func.min(task.due_us)).where(task.pile_id == work_pile.c.pile_id, task.state == READY)
    return (
        select(work_pile, group.priority, group.ord, group.brand_name, oldest.scalar_subquery().label("oldest"))
        .select_from(PILES_OF_GROUPS)
        .where(
            of_queues,
            group.held == 0,
            # A group whose time is over gets no new claims while it waits for its end.
            group.deadline_us.is_(None) | (group.deadline_us > bindparam("now")) | group.idle_since_us.is_not(None),
        )
        .order_by(group.priority.desc(), group.ord, work_pile.c.pile_id)
    )
