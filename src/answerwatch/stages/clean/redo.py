"""Cleaning stored answers anew: which generation they go to, and putting them behind all fresh work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from answerwatch.domain.work import CLEAN, NewTask
from answerwatch.stages.handover import CLEAN_LANE, queue_samples
from answerwatch.store.bank import lexicons
from answerwatch.store.clean import cleaning_tasks, generations, redo, renewal
from answerwatch.store.clean.generations import Generation
from answerwatch.store.clean.renewal import Stale
from answerwatch.store.database import Read, Write
from answerwatch.store.work import ledger

PRIORITY = -1_000
"""Of groups that read answers anew: below every batch, whose priority is 0 or more."""

RENEWED_AT_ONCE = 1_000
"""Tasks that are made anew together: bounds the memory, not the transaction."""


def redo_group(generation: int) -> str:
    """Return the group of the ledger in which the answers of a redo wait; no batch has such an id."""
    return f"REDO_G{generation}"


def planned(read: Read, cleaner_version: str, *, force: bool) -> Generation:
    """Return the generation that a redo would make or fill now."""
    lexicon = lexicons.newest_number(read)
    found = None if force else generations.newest_of(read, lexicon, cleaner_version)
    if found is not None:
        return found
    number = generations.newest_number(read) + 1
    return Generation(generation=number, lexicon_version=lexicon, cleaner_version=cleaner_version)


def renew(tx: Write, cleaner_version: str, now: datetime) -> int:
    """Give pending tasks of older generations the newest lexicon, and return how many; each keeps its place in line."""
    generation = generations.current(tx, lexicons.newest_number(tx), cleaner_version, now)
    return _renew(tx, generation, now)


@dataclass(frozen=True, slots=True)
class Queued:
    """What was put to work."""

    generation: Generation
    answers: int
    """New tasks."""
    renewed: int
    """Tasks that waited with an older lexicon or reader, and have been given the newest."""


def queue_redo(
    tx: Write, batch_ids: Sequence[str] | None, *, cleaner_version: str, force: bool, note: str, now: datetime
) -> Queued:
    """Put the stored answers of some batches (None: all) to work in the newest generation, those that are not there.

    All or none, whoever else does the same: the locked group makes one wait for the other, and what the first has
    made the second finds. With `force` the generation is a new one, so that every answer is read.
    """
    lexicon = lexicons.newest_number(tx)
    generation = generations.above_all(tx, lexicon, cleaner_version, now, force=force, note=note)
    renewed = _renew(tx, generation, now)
    pile = ledger.pile_id(tx, CLEAN, _open(tx, generation), CLEAN_LANE)
    due = tx.now_us()
    answers = redo.add_tasks(tx, generation.generation, batch_ids, pile_id=pile, due_us=due, now=now)
    if answers:
        tx.due.add(CLEAN)
    return Queued(generation, answers, renewed)


def _open(tx: Write, generation: Generation) -> str:
    group = redo_group(generation.generation)
    ledger.open_group(tx, ledger.GroupSpec(queue=CLEAN, group_id=group, priority=PRIORITY, order=tx.now_us()))
    return group


def _renew(tx: Write, generation: Generation, now: datetime) -> int:
    renewed = 0
    while tasks := renewal.stale(tx, generation.generation, most=RENEWED_AT_ONCE):
        gone = set(ledger.remove(tx, [task.clean_task_id for task in tasks]))
        mine = [task for task in tasks if task.clean_task_id in gone]
        renewal.forget(tx, [task.clean_task_id for task in mine])
        _queue_again(tx, mine, generation, now)
        renewed += len(mine)
    return renewed


def _queue_again(tx: Write, tasks: Sequence[Stale], generation: Generation, now: datetime) -> None:
    """Make tasks anew: those of a batch in its group, those of an older redo in the newest one."""
    fresh: defaultdict[str, list[str]] = defaultdict(list)
    for task in tasks:
        if task.group_id == task.batch_id:
            fresh[task.batch_id].append(task.source_task_id)
    for batch_id in sorted(fresh):
        queue_samples(tx, batch_id, fresh[batch_id], generation, now=now)
    again = [(task.source_task_id, task.batch_id) for task in tasks if task.group_id != task.batch_id]
    if again:
        made = cleaning_tasks.create(tx, again, generation.generation, now)
        ledger.add(tx, CLEAN, _open(tx, generation), [NewTask(task_id=id_, lane=CLEAN_LANE) for id_ in made])
