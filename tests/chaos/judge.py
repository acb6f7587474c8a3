"""What must hold of a line after anything that happened to it; the simulator's log is the witness.

`faults_of` returns sentences, none where all is well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from answerwatch.domain.batches import OPEN, AttemptOutcome, UsageStatus
from answerwatch.domain.clean_states import CleanState
from answerwatch.store.batch import counters
from answerwatch.store.objects import key_of
from answerwatch.store.schema import (
    answer_sample,
    brand_result,
    call_attempt,
    clean_result,
    clean_state,
    dead_letter,
    entity_match_detail,
    late_sample,
    question_usage_log,
    task_batch,
)
from answerwatch.store.schema.work import work_task
from tests.integration.stages.line import Line

Call = Mapping[str, Any]

EXPECTED = frozenset({"bad_request", "batch_timeout"})
"""Failures that the simulator's scripts and the batches' times make; all others are ours."""

MOMENT_S = 1.0
"""Between a look for a kept answer and the arrival of the request that follows it, on a machine that is very busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fair:
    """What a fault may cost."""

    unfinished: int
    """Requests of which no row may tell, because their worker died."""
    frozen: Sequence[tuple[float, float]] = ()
    """Times in which processes stood still: one that stood between its look and its request asks all the same."""


def faults_of(line: Line, calls: Sequence[Call], fair: Fair) -> list[str]:
    """Return what is wrong."""
    return [
        *_lost(line),
        *_doubled(line),
        *_counted(line),
        *_unexpected(line),
        *_objects(line),
        *_calls(line, calls, fair),
        *_asked_again(line, calls, fair),
        *_different(line),
    ]


def _lost(line: Line) -> Iterator[str]:
    left = line.rows(work_task)
    if left:
        yield f"{len(left)} tasks are left on the ledger, such as {left[0]}"
    pending = [row["sub_task_id"] for row in line.rows(question_usage_log) if row["status"] == UsageStatus.PENDING]
    if pending:
        yield f"{len(pending)} sub-tasks have no outcome, such as {pending[0]}"
    states = [row for row in line.rows(clean_state) if row["current_state"] != CleanState.COMPLETED]
    if states:
        yield f"{len(states)} samples are not cleaned, such as {states[0]}"


def _doubled(line: Line) -> Iterator[str]:
    """Every sub-task has one outcome, every sample one result, and every step was made once."""
    samples = {row["sub_task_id"] for row in line.rows(answer_sample)}
    answered = {row["sub_task_id"] for row in line.rows(question_usage_log) if row["status"] == UsageStatus.SUCCESS}
    if samples != answered:
        yield f"samples and successes differ: {sorted(samples ^ answered)[:3]}"
    cleaned = Counter(row["source_task_id"] for row in line.rows(clean_result))
    if cleaned != Counter(samples):
        yield f"samples and results differ: {list((cleaned - Counter(samples)) or (Counter(samples) - cleaned))[:3]}"
    failed = {row["sub_task_id"]: row for row in line.rows(question_usage_log) if row["status"] == UsageStatus.FAILED}
    letters = Counter(row["task_id"] for row in line.rows(dead_letter))
    without = {id_ for id_, row in failed.items() if row["error_type"] != "batch_timeout"}
    if letters != Counter(without):
        yield f"dead letters and failures differ: {sorted(letters.keys() ^ without)[:3]}, {letters.most_common(1)}"
    for row in line.rows(clean_state):
        moves = [move["to"] for move in row["state_history"]]
        if len(moves) != len(set(moves)):
            yield f"{row['clean_task_id']} went {moves}"


def _counted(line: Line) -> Iterator[str]:
    for batch in line.rows(task_batch):
        with line.store.reading() as tx:
            recount = counters.recount(tx, batch["batch_id"])
        if recount is None or not recount.exact:
            yield f"counters are not those of a recount: {recount}"
        if batch["batch_status"] in OPEN:
            yield f"{batch['batch_id']} is {batch['batch_status']}"


def _unexpected(line: Line) -> Iterator[str]:
    kinds = Counter(row["error_type"] for row in line.rows(question_usage_log) if row["status"] == UsageStatus.FAILED)
    for kind, count in kinds.items():
        if kind not in EXPECTED:
            yield f"{count} sub-tasks failed as {kind}"


def _owners(line: Line) -> dict[str, str]:
    """Return which table tells of each object."""
    base = line.objects.url("")
    rows = [("sample", row) for row in line.rows(answer_sample)] + [("late", row) for row in line.rows(late_sample)]
    return {key_of(row["raw_data_url"], base): name for name, row in rows if row["raw_data_url"]}


def _kept(line: Line) -> dict[str, Path]:
    folder = line.folder / "objects"
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.gz")}


def _objects(line: Line) -> Iterator[str]:
    owners, kept = _owners(line), _kept(line)
    if kept.keys() - owners.keys():
        yield f"{len(kept.keys() - owners.keys())} objects have no owner: {sorted(kept.keys() - owners.keys())[:3]}"
    if owners.keys() - kept.keys():
        yield f"objects are missing: {sorted(owners.keys() - kept.keys())[:3]}"


def _calls(line: Line, calls: Sequence[Call], fair: Fair) -> Iterator[str]:
    """The simulator's log equals the attempts but for calls in flight when a worker died."""
    seen = Counter(str(call["sim_key"]) for call in calls)
    rows = line.rows(call_attempt)
    recorded = Counter(row["sub_task_id"] for row in rows)
    # One that we stopped ourselves may have been stopped on its way.
    whole = Counter(row["sub_task_id"] for row in rows if row["outcome"] != AttemptOutcome.INTERRUPTED)
    if whole - seen:
        yield f"attempts that nobody saw: {list(whole - seen)[:3]}"
    if (seen - recorded).total() > fair.unfinished:
        yield f"{(seen - recorded).total()} calls without an attempt, {fair.unfinished} may be so"


def _asked_again(line: Line, calls: Sequence[Call], fair: Fair) -> Iterator[str]:
    """Nothing is asked when an answer of it lies there already."""
    first: dict[str, float] = {}
    for key, path in _kept(line).items():
        sub_task = key.split("/")[-2]
        first[sub_task] = min(first.get(sub_task, float("inf")), path.stat().st_mtime)
    for call in calls:
        arrived = datetime.fromisoformat(str(call["arrived_at"])).timestamp()
        kept = first.get(str(call["sim_key"]).replace("::", "%3A%3A"), first.get(str(call["sim_key"])))
        frozen = any(start <= arrived <= end for start, end in fair.frozen)
        if kept is not None and arrived > kept + MOMENT_S and not frozen:
            yield f"{call['sim_key']} was asked {arrived - kept:.2f} s after its answer was kept"


def _different(line: Line) -> Iterator[str]:
    """The same question has the same answer and the same reading, whatever happened on the way."""
    found: dict[str, set[str]] = defaultdict(set)
    question = {row["sub_task_id"]: row["question_id"] for row in line.rows(question_usage_log)}
    for row in line.rows(answer_sample):
        found[row["question_id"]].add(repr([row["raw_response"], row["is_valid"], row["invalid_reason"]]))
    readings: dict[str, list[str]] = defaultdict(list)
    for table in (brand_result, entity_match_detail):
        for row in line.rows(table):
            readings[row["clean_task_id"].rpartition("_G")[0]].append(_reading(row))
    for sub_task, rows in readings.items():
        found[f"reading of {question[sub_task]}"].add(repr(sorted(rows)))
    for name, kinds in found.items():
        if len(kinds) > 1:
            yield f"{name} differs: {[kind[:80] for kind in sorted(kinds)[:2]]}"


_APART = ("_id", "_at", "round", "created")


def _reading(row: Mapping[str, Any]) -> str:
    return repr([value for name, value in row.items() if not name.endswith(_APART)])
