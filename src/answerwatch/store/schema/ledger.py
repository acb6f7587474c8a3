"""The ledger: outstanding work only. A row goes in with the work and out with its outcome.

A *pile* is all work of one queue, group and lane. The scheduler reads piles, groups and lanes (small);
a claim is one index range of one pile, never a filter over rows. Ledger times are microseconds since 1970.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, SmallInteger, Table, UniqueConstraint

from answerwatch.store.schema.base import TABLE, flag, metadata
from answerwatch.store.types import Key, LongText, Micros, Serial, Word

work_group = Table(
    "work_group",
    metadata,
    Column("queue", Word, primary_key=True),
    Column("group_id", Key, primary_key=True),
    Column("brand_name", Key, nullable=False),  # batches of different brands take turns
    Column("priority", Integer, nullable=False),
    Column("ord", Micros, nullable=False),
    *flag("held", nullable=False),
    Column("budget_us", Micros),  # length of the batch timeout; NULL: none
    Column("started_us", Micros),  # first claim
    Column("deadline_us", Micros),  # started + budget + what is left out
    Column("idle_since_us", Micros),  # paused, or all its lanes parked, since then
    **TABLE,
)

work_lane = Table(
    "work_lane",
    metadata,
    Column("lane", Key, primary_key=True),
    Column("rate", Float),  # tokens a second; NULL: no bucket
    Column("capacity", Integer),
    Column("in_flight", Integer),  # leased rows at most; NULL: no cap
    Column("tat_us", Micros, nullable=False),  # GCRA: theoretical arrival time
    Column("factor", Float, nullable=False),  # adaptive: multiplies the rate
    Column("cut_us", Micros, nullable=False),  # last cut of the factor
    Column("blocked_us", Micros, nullable=False),  # nothing starts before (server hints, open breaker)
    Column("window_us", Micros, nullable=False),  # start of the growth window
    Column("window_calls", Integer, nullable=False),
    Column("faults", Integer, nullable=False),  # transport faults in a row
    Column("breaker", Word, nullable=False),  # closed | open | half_open | parked
    Column("breaker_reason", LongText),
    Column("breaker_us", Micros, nullable=False),  # when it came to this state
    Column("openings", Integer, nullable=False),  # openings in a row, for the growing wait
    Column("answer_us", Micros),  # moving mean of the answer time
    **TABLE,
)

work_pile = Table(
    "work_pile",
    metadata,
    Column("pile_id", Serial, primary_key=True),
    Column("queue", Word, nullable=False),
    Column("group_id", Key, nullable=False),
    Column("lane", Key, nullable=False),
    UniqueConstraint("queue", "group_id", "lane"),
    Index(None, "lane"),
    **TABLE,
)

READY = 0
LEASED = 1

FREE: dict[str, object] = {"state": READY, "token": None, "worker_id": None, "lease_us": None}
"""What a task that nobody holds looks like."""

work_task = Table(
    "work_task",
    metadata,
    Column("task_id", Key, primary_key=True),
    Column("pile_id", Serial, nullable=False),
    Column("state", SmallInteger, nullable=False),
    Column("due_us", Micros, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("step", SmallInteger, nullable=False),
    Column("token", Word),
    Column("worker_id", Key),
    Column("lease_us", Micros),
    Column("failures", Integer, nullable=False),
    Column("interruptions", Integer, nullable=False),
    Column("crashes", Integer, nullable=False),
    Index(None, "pile_id", "state", "due_us", "seq"),
    sqlite_with_rowid=False,
    **TABLE,
)

worker = Table(
    "worker",
    metadata,
    Column("worker_id", Key, primary_key=True),
    Column("host", Key, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("lock_path", LongText, nullable=False),
    Column("started_us", Micros, nullable=False),
    Column("seen_us", Micros, nullable=False),
    **TABLE,
)
