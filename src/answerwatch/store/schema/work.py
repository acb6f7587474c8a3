"""The ledger: outstanding work only. A row goes in with the work and out with its outcome.

A *pile* is all work of one queue, group and lane. The scheduler reads piles, groups and lanes (small);
a claim is one index range of one pile, never a filter over rows. Ledger times are microseconds since 1970.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, SmallInteger, Table, UniqueConstraint

from answerwatch.store.schema.base import about, flag, metadata
from answerwatch.store.types import Key, LongText, Micros, Serial, Word

work_group = Table(
    "work_group",
    metadata,
    Column("queue", Word, primary_key=True, doc="collect or clean."),
    Column(
        "group_id",
        Key,
        primary_key=True,
        doc="The batch; REDO_G{generation} for stored answers that are read anew.",
    ),
    Column(
        "brand_name",
        Key,
        nullable=False,
        doc="Batches of different brands take turns on a lane; '' where there is no brand.",
    ),
    Column("priority", Integer, nullable=False, doc="Higher goes first; below 0 what is read anew."),
    Column("ord", Micros, nullable=False, doc="Creation time; smaller goes first."),
    *flag("held", nullable=False, doc="1: paused, nothing of it starts."),
    Column("budget_us", Micros, doc="Length of the time-out in microseconds; NULL: none."),
    Column("started_us", Micros, doc="First claim; NULL: not yet."),
    Column("deadline_us", Micros, doc="First claim + budget + what is left out; NULL: not started, or no time-out."),
    Column("idle_since_us", Micros, doc="Its clock stands since then (paused, or all lanes parked); NULL: it runs."),
    **about("Groups of outstanding work: paused, ordered and timed as one.", written_by="engine, batches"),
)

work_lane = Table(
    "work_lane",
    metadata,
    Column("lane", Key, primary_key=True, doc="collect/{platform}."),
    Column("rate", Float, doc="Calls a second that the bucket refills; NULL: no bucket."),
    Column("capacity", Integer, doc="Calls that may start at once after a rest; NULL: no bucket."),
    Column("in_flight", Integer, doc="Calls under way at most; NULL: no cap."),
    Column("tat_us", Micros, nullable=False, doc="The bucket: theoretical arrival time (GCRA)."),
    Column("factor", Float, nullable=False, doc="Adaptive factor on rate and cap, 0.05 to 1."),
    Column("cut_us", Micros, nullable=False, doc="Last cut of the factor; 0: never."),
    Column("blocked_us", Micros, nullable=False, doc="Nothing starts before: what the platform asked for; 0: nothing."),
    Column("window_us", Micros, nullable=False, doc="Start of the window that decides on growth."),
    Column("window_calls", Integer, nullable=False, doc="Answers in that window."),
    Column("faults", Integer, nullable=False, doc="Faults of the connection in a row."),
    Column("breaker", Word, nullable=False, doc="closed, open, half_open, parked or probing (states.md)."),
    Column("breaker_reason", LongText, doc="Why it is not closed; NULL: closed."),
    Column("breaker_us", Micros, nullable=False, doc="When it came to this state; 0: never changed."),
    Column(
        "openings", Integer, nullable=False, doc="Openings in a row; the wait for the next probe doubles with each."
    ),
    Column("answer_us", Micros, doc="Moving mean of the answer time; NULL: no answer yet."),
    **about("Limits of each platform credential, and what they have learnt.", written_by="engine, batches, platforms"),
)

work_pile = Table(
    "work_pile",
    metadata,
    # A worker may know a pile that is gone: were its number given again, it would claim another queue's tasks.
    Column("pile_id", Serial, primary_key=True, doc="Counted up; a number is never used twice."),
    Column("queue", Word, nullable=False, doc="collect or clean."),
    Column("group_id", Key, nullable=False, doc="The group."),
    Column("lane", Key, nullable=False, doc="The lane; clean for cleaning."),
    UniqueConstraint("queue", "group_id", "lane"),
    Index(None, "lane"),
    sqlite_autoincrement=True,
    **about("Piles: all outstanding work of one queue, group and lane.", written_by="engine"),
)

READY = 0
LEASED = 1

FREE: dict[str, object] = {"state": READY, "token": None, "worker_id": None, "lease_us": None}
"""What a task that nobody holds looks like."""

work_task = Table(
    "work_task",
    metadata,
    Column("task_id", Key, primary_key=True, doc="Sub-task id or clean task id."),
    Column("pile_id", Serial, nullable=False, doc="The pile."),
    Column("state", SmallInteger, nullable=False, doc="0: ready, 1: leased."),
    Column("due_us", Micros, nullable=False, doc="Not before: later than now for a retry."),
    Column("seq", Integer, nullable=False, doc="Order within the pile."),
    Column("step", SmallInteger, nullable=False, doc="Next step of its stage, from 0."),
    Column("token", Word, doc="Fence of the present claim, new for each; NULL: ready."),
    Column("worker_id", Key, doc="Who has it; NULL: ready."),
    Column("lease_us", Micros, doc="Until when, unless renewed; NULL: ready."),
    Column("failures", Integer, nullable=False, doc="Classified failures: what the retry policy counts."),
    Column(
        "interruptions",
        Integer,
        nullable=False,
        doc="Stops after a call had gone out, lost leases and crashes: no retry is spent on them.",
    ),
    Column(
        "crashes",
        Integer,
        nullable=False,
        doc="Leases lost in a row without an outcome; at five the task is given up as worker_died.",
    ),
    Index(None, "pile_id", "state", "due_us", "seq"),
    sqlite_with_rowid=False,
    **about("The ledger: outstanding tasks only; a row goes with the outcome.", written_by="engine"),
)

worker = Table(
    "worker",
    metadata,
    Column("worker_id", Key, primary_key=True, doc="New at every start."),
    Column("host", Key, nullable=False, doc="Name of the machine."),
    Column("pid", Integer, nullable=False, doc="Process id, for people."),
    Column("lock_path", LongText, nullable=False, doc="File that the living process holds locked."),
    Column("started_us", Micros, nullable=False, doc="When it started."),
    Column("seen_us", Micros, nullable=False, doc="Its last sweep."),
    **about("Worker processes at work; an entry whose lock nobody holds is a dead one.", written_by="engine"),
)
