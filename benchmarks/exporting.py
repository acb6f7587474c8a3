"""Exporting a million results from SQLite: rows a second into CSV and JSONL, memory of the process that does it.

The results are of a thousand made ones, copied under other ids until there are enough; their order is not the one in
which they were stored, as with answers that come back in any order.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from sqlalchemy import insert, literal, select

from answerwatch.store.database import Write
from answerwatch.store.exports.row_sets import ROW_SETS
from answerwatch.store.schema import answer_sample, clean_result
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.exports.views import ExportRequest
from benchmarks.frame import Better, Options, Row

NAME = "exporting"
FIRST = 1_000
TARGETS = {"csv": 50_000.0, "jsonl": 50_000.0, "xlsx": None}
"""Rows a second."""
XLSX_SHARE = 50
"""Of every thousand rows those that go into the workbook: it takes so much longer that more would tell nothing new."""
BEGUN = datetime(2026, 6, 1, tzinfo=UTC)
ANSWER = "扫地机器人推荐：\n1. **石头 G20** 吸力大，避障好。\n2. **科沃斯 X2** 拖地干净。\n" * 4
IDS = ("sub_task_id", "source_task_id", "clean_task_id")
MEBIBYTE = 1 << 20


def run(options: Options) -> list[Row]:
    """Measure each format in a process of its own, so that the memory is that of the export alone."""
    doublings = options.size(10, 2)
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder:
        home = Path(folder) / "workspace"
        with open_workspace(home) as ws:
            ws.init()
            rows = _fill(ws, doublings)
        return [row for format_ in TARGETS for row in _rows(home, format_, rows, options)]


def _rows(home: Path, format_: str, rows: int, options: Options) -> list[Row]:
    command = [sys.executable, "-m", "benchmarks.exporting", str(home), format_]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    written, taken, worked, base, peak, size = (float(word) for word in printed.split())
    assert format_ == "xlsx" or written == rows
    return [
        Row(
            name=f"results into {format_.upper()}",
            measured=written / taken,
            unit="rows/s",
            target=None if options.quick else TARGETS[format_],
            note=f"{written:,.0f} rows of {len(ROW_SETS['results'].names)} columns, {size / MEBIBYTE:,.0f} MiB, SQLite",
        ),
        Row(name=f"CPU of a row, {format_.upper()}", measured=worked / written * 1e6, unit="us"),
        Row(
            name=f"memory of that process at its highest, {format_.upper()}",
            measured=peak / MEBIBYTE,
            unit="MiB",
            target=None if options.quick else 200.0,
            better=Better.LOWER,
            note=f"{base / MEBIBYTE:.0f} MiB before",
        ),
    ]


def measure(home: Path, format_: str) -> str:
    """Export once and return rows, seconds, those of CPU, memory before and at its highest, and bytes."""
    file = home.parent / f"rows.{format_}"
    until = BEGUN + timedelta(seconds=XLSX_SHARE) if format_ == "xlsx" else None
    request = ExportRequest(what="results", file=file, until=until)
    with open_workspace(home) as ws:
        assert ws.store.is_sqlite
        base = _peak()
        start, worked = time.perf_counter(), time.process_time()
        view = ws.exports.rows(request)
        taken, worked = time.perf_counter() - start, time.process_time() - worked
    return f"{view.rows} {taken} {worked} {base} {_peak()} {view.size}"


def _peak() -> int:
    """Return the bytes of memory at the highest; `getrusage` would count those of the process that started this one."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _fill(ws: Workspace, doublings: int) -> int:
    """Store answers with their results and return how many there are."""
    with ws.store.writing() as tx:
        tx.insert(answer_sample, [_sample(number) for number in range(FIRST)])
        tx.insert(clean_result, [_result(number) for number in range(FIRST)])
    for number in range(doublings):
        ws.store.transact(partial(_double, suffix=f"+{number}"))
    return FIRST << doublings


def _shared(number: int) -> dict[str, object]:
    return {
        "batch_id": "BATCH_20260601000000_SHIT",
        "brand_name": "石头",
        "platform": "deepseek",
        "scene_type": "RECOMMEND",
        "is_valid": 1,
        "invalid_reason": None,
        "truncated": 0,
        "raw_data_url": f"file:///var/lib/answerwatch/objects/{number:08}",
    }


def _sample(number: int) -> dict[str, object]:
    told = {column.name: None for column in answer_sample.columns}
    return {
        **told,
        **_shared(number),
        "sub_task_id": _id(number),
        "question_id": f"Q{number:04}",
        "question_version": 1,
        "round": 1,
        "query_text": "有哪些好用的扫地机器人？",
        "raw_response": ANSWER,
        "response_format": "markdown",
        "response_length": len(ANSWER),
        "altered_characters": 0,
        "collected_at": BEGUN + timedelta(seconds=number),
        "attempt": 1,
        "model_served": "deepseek-chat-1101",
        "provenance": {},
        "parameters": {"temperature": 1.0},
    }


def _result(number: int) -> dict[str, object]:
    return {
        **_shared(number),
        "clean_task_id": f"{_id(number)}_G1",
        "source_task_id": _id(number),
        "invalid_note": None,
        "is_mentioned": 1,
        "mention_count": 2,
        "is_recommended": 1,
        "polarity": "recommended",
        "recommendation_rank": 1,
        "rank_basis": "ordered_list",
        "is_top_pick": 1,
        "mention_order": 1,
        "has_citation": 1,
        "own_site_cited": 0,
        "clean_state": "completed",
        "generation": 1,
        "lexicon_version": 1,
        "cleaner_version": "r2",
        "cleaned_at": BEGUN + timedelta(seconds=number + 60),
    }


def _id(number: int) -> str:
    return f"BATCH_20260601000000_SHIT_QQ{number:04}_deepseek_R1"


def _double(tx: Write, suffix: str) -> None:
    """Copy every row under a new id; rows that belong together stay so."""
    for table in (answer_sample, clean_result):
        copied = [column + literal(suffix) if column.name in IDS else column for column in table.columns]
        tx.run(insert(table).from_select([column.name for column in table.columns], select(*copied)))


if __name__ == "__main__":
    print(measure(Path(sys.argv[1]), sys.argv[2]))
