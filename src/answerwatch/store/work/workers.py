"""The registry of worker processes: who claims to be at work, and where its lock lies.

A worker is known by an id that is new at every start; host and process id are for people and are never a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select, update

from answerwatch.clock import MICROSECONDS
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.work import worker
from answerwatch.store.upsert import chunks

SWEEPS_UNSEEN = 3
"""A worker that was not seen for so many sweeps, and for the length of a lease, is not counted on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """One row of the registry; times are ledger times."""

    worker_id: str
    host: str
    pid: int
    lock_path: str
    """File that the living process holds locked."""
    started_us: int = 0
    seen_us: int = 0


def register(tx: Write, new: Worker) -> None:
    """Enter a worker that starts now."""
    now = tx.now_us()
    row = {"worker_id": new.worker_id, "host": new.host, "pid": new.pid, "lock_path": new.lock_path}
    tx.insert(worker, [{**row, "started_us": now, "seen_us": now}])


def see(tx: Write, worker_id: str) -> None:
    """Note that the worker is at work now."""
    tx.run(update(worker).where(worker.c.worker_id == worker_id).values(seen_us=tx.now_us()))


def everyone(read: Read) -> list[Worker]:
    """Return all registered workers, oldest first."""
    rows = read.all(select(worker).order_by(worker.c.started_us, worker.c.worker_id))
    return [Worker(**row._asdict()) for row in rows]


def count_living(read: Read, *, lease_s: float, sweep_s: float) -> int:
    """Return how many workers were seen at work lately; each of them is seen with every sweep."""
    since_us = read.now_us() - round(max(SWEEPS_UNSEEN * sweep_s, lease_s) * MICROSECONDS)
    return int(read.scalar(select(func.count()).select_from(worker).where(worker.c.seen_us >= since_us)))


def forget(tx: Write, worker_ids: Sequence[str]) -> None:
    """Take workers off the registry; what they hold on the ledger is judged by its leases alone."""
    for part in chunks(worker_ids):
        tx.run(delete(worker).where(worker.c.worker_id.in_(part)))


def forget_unseen(tx: Write, before_us: int) -> int:
    """Take workers off the registry that were not seen since `before_us` and return how many."""
    return tx.run(delete(worker).where(worker.c.seen_us < before_us))
