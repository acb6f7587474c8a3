"""Dead letters: what was given up, replay and drop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from answerwatch.domain.queues import check_queues
from answerwatch.domain.said import Said
from answerwatch.domain.work import NewTask
from answerwatch.engine.stage import Stage
from answerwatch.errors import UsageError
from answerwatch.store import audit, ledger
from answerwatch.store import dead_letters as shelf
from answerwatch.store.database import Read, Write
from answerwatch.store.dead_letters import DeadLetter
from answerwatch.store.upsert import chunks
from answerwatch.workspace.parts import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of a replay."""

    replayed: tuple[int, ...]
    skipped: tuple[tuple[int, Said], ...]
    """Dead letters that could not be replayed, and why."""


class DeadLetters:
    """Verbs on dead letters of every queue."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def list(
        self, *, queue: str | None = None, replayed: bool = False, limit: int = 200, after: int = 0
    ) -> tuple[DeadLetter, ...]:
        """Return open dead letters by id, with `replayed` the replayed ones too; raises UsageError for no queue."""
        wanted = shelf.Filter(queue=_queue(queue), replayed=None if replayed else False)
        with self._parts.store().reading() as read:
            return tuple(shelf.find(read, wanted, after=after, most=limit))

    def show(self, dead_id: int) -> DeadLetter:
        """Return one dead letter; raises UsageError when it is unknown."""
        with self._parts.store().reading() as read:
            return _known(read, [dead_id])[0]

    def replay(self, dead_ids: Sequence[int] = (), *, everything: bool = False, queue: str | None = None) -> Replay:
        """Put tasks back to work: the given ones, or all open ones (of a queue). Leaves an audit entry.

        Workers take them up; `batch resume` and `clean run` work on them here. Raises UsageError for an unknown id or
        queue.
        """
        only = _queue(queue)
        stages = {stage.queue: stage for stage in self._parts.stages(self._parts.sender())}

        def work(tx: Write) -> Replay:
            ids = _open_ids(tx, only) if everything else [letter.dead_id for letter in _known(tx, dead_ids)]
            taken = shelf.take_for_replay(tx, ids, by=self._parts.settings.actor)
            alive = {task for name in sorted({one.queue for one in taken}) for task in _revive(tx, stages[name], taken)}
            _audit(tx, self._parts.settings.actor, "dead.replay", taken)
            return _outcome(ids, taken, alive)

        return self._parts.store().transact(work)

    def drop(self, dead_ids: Sequence[int]) -> int:
        """Forget dead letters for good and return how many; their tasks stay failed. Leaves an audit entry."""

        def work(tx: Write) -> int:
            letters = _known(tx, dead_ids)
            _audit(tx, self._parts.settings.actor, "dead.drop", letters)
            return shelf.drop(tx, [letter.dead_id for letter in letters])

        return self._parts.store().transact(work)


def _known(read: Read, dead_ids: Sequence[int]) -> Sequence[DeadLetter]:
    """Return dead letters by id; raises UsageError for the first unknown one, and when none is named."""
    if not dead_ids:
        raise UsageError("dead_none", "Name at least one dead letter, or say --all.")
    found = [
        letter
        for part in chunks(sorted(set(dead_ids)))
        for letter in shelf.find(read, shelf.Filter(dead_ids=part, replayed=None))
    ]
    missing = sorted(set(dead_ids) - {letter.dead_id for letter in found})
    if missing:
        text = f"There is no dead letter {missing[0]}; `answerwatch dead list` shows those that are open."
        raise UsageError("dead_unknown", text, dead=missing[0])
    return found


def _queue(name: str | None) -> str | None:
    return None if name is None else check_queues([name])[0]


def _open_ids(read: Read, queue: str | None) -> list[int]:
    ids: list[int] = []
    while part := shelf.find(read, shelf.Filter(queue=queue), after=ids[-1] if ids else 0):
        ids += [letter.dead_id for letter in part]
    return ids


def _revive(tx: Write, stage: Stage, taken: Sequence[DeadLetter]) -> list[str]:
    """Put the tasks of one queue back on the ledger and return those that could be."""
    wanted = sorted({letter.task_id for letter in taken if letter.queue == stage.queue})
    tasks: defaultdict[ledger.GroupSpec, list[NewTask]] = defaultdict(list)
    for group, task in stage.revive(tx, wanted):
        tasks[group].append(task)
    for group, new in tasks.items():
        ledger.open_group(tx, group)
        ledger.add(tx, stage.queue, group.group_id, new)
    return [task.task_id for new in tasks.values() for task in new]


def _audit(tx: Write, actor: str, action: str, letters: Sequence[DeadLetter]) -> None:
    if letters:
        tasks = [letter.task_id for letter in letters]
        audit.note(tx, actor=actor, action=action, subject=f"{len(letters)} dead letters", detail={"tasks": tasks})


def _outcome(ids: Sequence[int], taken: Sequence[DeadLetter], alive: set[str]) -> Replay:
    known = {letter.dead_id: letter for letter in taken}
    skipped: list[tuple[int, Said]] = []
    for dead_id in ids:
        if dead_id not in known:
            skipped.append((dead_id, Said("dead_replayed", "it was replayed before")))
        elif known[dead_id].task_id not in alive:
            why = Said("dead_over", "its task is not failed any more, or its batch was cancelled")
            skipped.append((dead_id, why))
    replayed = tuple(one.dead_id for one in taken if one.task_id in alive)
    return Replay(replayed=replayed, skipped=tuple(skipped))
