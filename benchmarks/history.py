"""What a task costs when the tables hold a thousand rows and when they hold a million: collected, cleaned, stored.

Two workspaces, one of each size, collect the same batch in turn; CPU time is counted, that of the server too.
"""

from __future__ import annotations

import os
import resource
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import func, insert, literal, select, text

from answerwatch.store.database import Write
from answerwatch.store.schema import (
    answer_sample,
    brand_result,
    call_attempt,
    clean_attempt,
    clean_result,
    clean_state,
    entity_match_detail,
    question_usage_log,
)
from answerwatch.workspace import BatchRequest, Workspace, open_workspace
from benchmarks.collection import add_questions, simulator_process
from benchmarks.frame import Better, LeftOut, Options, Row
from benchmarks.servers import POSTGRES, SQLITE, database

NAME = "history"
TARGET = 1.5
FIRST = 1_000
"""Rows that are made by collecting; the longer history is made by copying them under other ids."""
QUESTIONS = 100
GROWING = (
    question_usage_log, answer_sample, call_attempt, clean_state, clean_attempt, clean_result, brand_result,
    entity_match_detail,
)  # fmt: skip
"""Tables that grow with every answer."""
IDS = ("sub_task_id", "source_task_id", "clean_task_id")


def run(options: Options) -> list[Row]:
    """Compare the two sizes on SQLite and PostgreSQL."""
    doublings, rounds = options.size(10, 2), options.size(7, 1)
    rows: list[Row] = []
    for kind in (SQLITE, POSTGRES):
        try:
            rows += _rows(kind, doublings, rounds)
        except LeftOut as missing:
            print(f"{kind} is left out: {missing}")
    return rows


def _rows(kind: str, doublings: int, rounds: int) -> list[Row]:
    with (
        tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder,
        simulator_process(Path(folder), "latency: 0\n") as (address, _),
        _workspace(kind, address) as short,
        _workspace(kind, address) as long,
    ):
        for number in range(doublings):
            long.store.transact(partial(_double, suffix=f"+{number}"))
        _settle(long)
        held = [_count(ws) for ws in (short, long)]
        pairs = [(_cost(short), _cost(long)) for _ in range(rounds)]
    ratio = statistics.median(many / few for few, many in pairs)
    cost = statistics.median(many for _, many in pairs) / QUESTIONS
    note = f"{held[0]:,} and {held[1]:,} samples, median of {rounds} pairs of {QUESTIONS} answers"
    return [
        Row(name=f"CPU of an answer with a long history, {kind}", measured=cost * 1000, unit="ms", note=note),
        Row(
            name=f"CPU with a long history, {kind}", measured=ratio, unit="x short", target=TARGET,
            better=Better.LOWER, note=note,
        ),
    ]  # fmt: skip


@contextmanager
def _workspace(kind: str, address: str) -> Iterator[Workspace]:
    """Give a workspace with a thousand answers."""
    with ExitStack() as ending:
        folder = ending.enter_context(tempfile.TemporaryDirectory(prefix="answerwatch-bench-"))
        ws = ending.enter_context(open_workspace(Path(folder), database_url=ending.enter_context(database(kind))))
        ws.init()
        ws.brands.add("Acme")
        add_questions(ws, QUESTIONS)
        limits = {"rate": 10_000, "capacity": 10_000, "in_flight": 40}
        ws.platforms.add("sim", {"base_url": f"{address}/sim/v1", "model": "sim-answer", "key_env": "", **limits})
        for _ in range(FIRST // QUESTIONS):
            _collect(ws)
        yield ws


def _collect(ws: Workspace) -> None:
    outcome = ws.batches.run(BatchRequest(brands=("Acme",), platforms=("sim",), rounds=1))
    assert outcome.succeeded


def _count(ws: Workspace) -> int:
    with ws.store.reading() as read:
        return int(read.scalar(select(func.count()).select_from(answer_sample)))


def _double(tx: Write, suffix: str) -> None:
    """Copy every row of the growing tables under a new id; rows that belong together stay so."""
    for table in GROWING:
        columns = [column for column in table.columns if column.name != "match_id"]
        copied = [column + literal(suffix) if column.name in IDS else column for column in columns]
        tx.run(insert(table).from_select([column.name for column in columns], select(*copied)))


def _settle(ws: Workspace) -> None:
    """Put in order what copying half a million rows at a time leaves behind, as a database that grew slowly has it."""
    statement = "PRAGMA wal_checkpoint(TRUNCATE)" if ws.store.is_sqlite else "ANALYZE"
    with ws.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(statement)


def _cost(ws: Workspace) -> float:
    """Return the CPU seconds of one more batch."""
    before = _cpu(ws)
    _collect(ws)
    return _cpu(ws) - before


def _cpu(ws: Workspace) -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime + sum(map(_cpu_of, _backends(ws)))


def _backends(ws: Workspace) -> list[int]:
    if ws.store.is_sqlite:
        return []
    with ws.store.reading() as read:
        query = text("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        return [int(row[0]) for row in read.all(query)]


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
