"""Dead letters: what was given up, replay and drop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from answerwatch.domain.plain import Plain, to_plain
from answerwatch.domain.queues import check_queues
from answerwatch.domain.said import Said
from answerwatch.domain.work import NewTask
from answerwatch.engine.stage import Stage
from answerwatch.errors import UsageError
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import audit, dead_letters
from answerwatch.store.ops.audit import AuditEntry
from answerwatch.store.ops.dead_letters import DeadLetter
from answerwatch.store.similarity import jobs
from answerwatch.store.upsert import chunks
from answerwatch.store.work import ledger
from answerwatch.workspace.filters import known_batches
from answerwatch.workspace.parts import Parts

REPLAY = "dead.replay"
DROP = "dead.drop"
"""What is done to a dead letter, as the audit calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of a replay."""

    replayed: tuple[int, ...]
    skipped: tuple[tuple[int, Said], ...]
    """Dead letters that could not be replayed, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadStory:
    """A dead letter with all that is known of its task's deaths."""

    letter: DeadLetter
    letters: tuple[DeadLetter, ...]
    """Other dead letters of the task: it died before, was replayed, and died again; the oldest first."""
    done: tuple[AuditEntry, ...]
    """Who replayed or dropped letters of the task, when and why, the oldest first."""

    def to_dict(self) -> dict[str, Plain]:
        """Return the letter's own fields first, as `list` gives them."""
        own = {one.name: to_plain(getattr(self.letter, one.name)) for one in fields(self.letter)}
        return {**own, "letters": to_plain(self.letters), "done": to_plain(self.done)}


class DeadLetters:
    """Verbs on dead letters of every queue."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def list(
        self,
        *,
        queue: str | None = None,
        batch: str | None = None,
        error_type: str | None = None,
        replayed: bool = False,
        limit: int = 200,
        after: int = 0,
    ) -> tuple[DeadLetter, ...]:
        """Return open dead letters by id, with `replayed` the replayed ones too.

        Raises UsageError for a queue that is none, or a batch that is neither a batch nor a similarity job.
        """
        with self._parts.store().reading() as read:
            wanted = replace(
                _wanted(read, queue=queue, batch=batch, error_type=error_type), replayed=None if replayed else False
            )
            return tuple(dead_letters.find(read, wanted, after=after, most=limit))

    def show(self, dead_id: int) -> DeadStory:
        """Return one dead letter with the history of its task; raises UsageError when it is unknown."""
        with self._parts.store().reading() as read:
            letter = _known(read, [dead_id])[0]
            same = dead_letters.find(
                read, dead_letters.Filter(queue=letter.queue, task_id=letter.task_id, replayed=None)
            )
            return DeadStory(
                letter=letter,
                letters=tuple(one for one in same if one.dead_id != dead_id),
                done=tuple(audit.of_subject(read, letter.task_id, (REPLAY, DROP))),
            )

    def replay(
        self,
        dead_ids: Sequence[int] = (),
        *,
        everything: bool = False,
        queue: str | None = None,
        batch: str | None = None,
        error_type: str | None = None,
        reason: str = "",
    ) -> Replay:
        """Put tasks back to work: the given ones, or all open ones (of a queue, batch, error type).

        Each leaves an audit entry with the reason. Workers take them up; `batch resume` and `clean run` work on them
        here. Raises UsageError for an unknown id, queue or batch.
        """
        stages = {stage.queue: stage for stage in self._parts.stages(self._parts.sender())}

        def work(tx: Write) -> Replay:
            wanted = _wanted(tx, queue=queue, batch=batch, error_type=error_type)
            ids = _open_ids(tx, wanted) if everything else [letter.dead_id for letter in _known(tx, dead_ids)]
            parts = [self._replay(tx, part, stages, reason) for part in chunks(ids)]
            return Replay(
                replayed=tuple(one for part in parts for one in part.replayed),
                skipped=tuple(one for part in parts for one in part.skipped),
            )

        return self._parts.store().transact(work)

    def _replay(self, tx: Write, ids: Sequence[int], stages: Mapping[str, Stage], reason: str) -> Replay:
        taken = dead_letters.take_for_replay(tx, ids, by=self._parts.settings.actor)
        alive = {task for name in sorted({one.queue for one in taken}) for task in _revive(tx, stages[name], taken)}
        _audit(tx, self._parts.settings.actor, REPLAY, taken, reason)
        return _outcome(ids, taken, alive)

    def drop(
        self,
        dead_ids: Sequence[int] = (),
        *,
        everything: bool = False,
        queue: str | None = None,
        batch: str | None = None,
        error_type: str | None = None,
        reason: str = "",
    ) -> int:
        """Forget dead letters for good and return how many; their tasks stay failed.

        Each leaves an audit entry with the reason and what the letter said. Raises UsageError as `replay` does.
        """

        def work(tx: Write) -> int:
            wanted = _wanted(tx, queue=queue, batch=batch, error_type=error_type)
            ids = _open_ids(tx, wanted) if everything else [letter.dead_id for letter in _known(tx, dead_ids)]
            dropped = 0
            for part in chunks(ids):
                letters = dead_letters.take_for_drop(tx, part)
                _audit(tx, self._parts.settings.actor, DROP, letters, reason)
                dropped += dead_letters.drop(tx, [letter.dead_id for letter in letters])
            return dropped

        return self._parts.store().transact(work)


def _wanted(read: Read, *, queue: str | None, batch: str | None, error_type: str | None) -> dead_letters.Filter:
    return dead_letters.Filter(
        queue=None if queue is None else check_queues([queue])[0],
        group_id=None if batch is None else _known_group(read, batch),
        error_type=error_type,
    )


def _known_group(read: Read, group: str) -> str:
    """Return the id of a similarity job or a batch; raises UsageError for an id that is neither."""
    return group if jobs.get(read, group) is not None else known_batches(read, [group])[0]


def _known(read: Read, dead_ids: Sequence[int]) -> Sequence[DeadLetter]:
    """Return dead letters by id; raises UsageError for the first unknown one, and when none is named."""
    if not dead_ids:
        raise UsageError("dead_none", "Name at least one dead letter, or say --all.")
    found = [
        letter
        for part in chunks(sorted(set(dead_ids)))
        for letter in dead_letters.find(read, dead_letters.Filter(dead_ids=part, replayed=None))
    ]
    missing = sorted(set(dead_ids) - {letter.dead_id for letter in found})
    if missing:
        text = f"There is no dead letter {missing[0]}; `answerwatch dead list` shows those that are open."
        raise UsageError("dead_unknown", text, dead=missing[0])
    return found


def _open_ids(read: Read, wanted: dead_letters.Filter) -> list[int]:
    ids: list[int] = []
    while part := dead_letters.find(read, wanted, after=ids[-1] if ids else 0):
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


def _audit(tx: Write, actor: str, action: str, letters: Sequence[DeadLetter], reason: str) -> None:
    """Note what was done to each letter; what it said is kept, for a dropped one is gone."""
    details = [
        (
            letter.task_id,
            {
                "dead_id": letter.dead_id, "queue": letter.queue, "batch": letter.group_id, "reason": reason,
                "error_type": letter.error_type, "error": letter.error, "attempts": letter.attempts,
                "failed_at": letter.failed_at.isoformat(),
            },
        )
        for letter in letters
    ]  # fmt: skip
    audit.note(tx, actor=actor, action=action, details=details)


def _outcome(ids: Sequence[int], taken: Sequence[DeadLetter], alive: set[str]) -> Replay:
    known = {letter.dead_id: letter for letter in taken}
    skipped: list[tuple[int, Said]] = []
    for dead_id in ids:
        if dead_id not in known:
            skipped.append((dead_id, Said("dead_replayed", "it was replayed before")))
        elif known[dead_id].task_id not in alive:
            text = "its task is not failed any more, its batch was cancelled, or another batch asks it again"
            why = Said("dead_over", text)
            skipped.append((dead_id, why))
    replayed = tuple(one.dead_id for one in taken if one.task_id in alive)
    return Replay(replayed=replayed, skipped=tuple(skipped))
