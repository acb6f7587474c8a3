"""Answers that were kept and paid for, whose workers died before they could be stored, in batches that have ended.

While a sub-task is outstanding, its next attempt adopts such an answer. Afterwards nobody looks: so every batch is gone
through once, some time after its end, and what has no owner becomes a late sample: evidence, in no figure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

import structlog

from answerwatch.clock import Clock, from_micros, to_micros
from answerwatch.domain.batches import AttemptOutcome, UsageStatus
from answerwatch.domain.texts import storable
from answerwatch.errors import ServiceError, UsageError
from answerwatch.platforms.ask import adopt
from answerwatch.platforms.envelope import EvidenceDamaged
from answerwatch.stages.collect.records import FindsSurface
from answerwatch.store.batch import attempts, sub_tasks
from answerwatch.store.batch.attempts import AttemptRow
from answerwatch.store.batch.batches import ended_next
from answerwatch.store.batch.sub_tasks import SubTaskRow
from answerwatch.store.database import Store, Write
from answerwatch.store.objects import ObjectStore, raw_folder, raw_key
from answerwatch.store.ops import shared_numbers
from answerwatch.store.sample import samples
from answerwatch.store.sample.samples import LateAnswer

log = structlog.get_logger(__name__)

MARK = "orphans"
"""The mark that tells up to which end of a batch everything was gone through."""

GRACE_S = 900.0
"""Seconds after the end of a batch in which a worker may still bring an answer by itself: its call and its patience."""

EVERY_S = 60.0
"""Seconds between two looks of one worker when there was nothing to do."""

WHY = "its worker died before this answer was stored, and the batch ended without it"


@dataclass(slots=True)
class Orphans:
    """The periodic duty of one worker."""

    platforms: FindsSurface
    objects: ObjectStore
    clock: Clock
    next_s: float = field(default=0.0)
    """When to look again, in monotonic time."""

    def sweep(self, store: Store) -> None:
        """Go through the next batches that ended long enough ago; an object store that is away is tried again later."""
        if self.clock.monotonic() < self.next_s:
            return
        self.next_s = self.clock.monotonic() + EVERY_S
        with store.reading() as tx:
            last = from_micros(shared_numbers.get(tx, MARK) or 0)
            found = ended_next(tx, last, self.clock.now() - timedelta(seconds=GRACE_S))
        if found is None:
            return
        ended_at, batches = found
        try:
            for batch_id in batches:
                self.adopt(store, batch_id)
        except ServiceError as error:
            if not error.code.startswith("object"):
                raise
            log.warning("orphans_not_looked_for", batches=batches, error=error.text)
            return
        store.transact(partial(shared_numbers.advance, name=MARK, value_us=to_micros(ended_at)))
        self.next_s = 0.0

    def adopt(self, store: Store, batch_id: str) -> int:
        """Make late samples of the batch's answers without an owner and return how many there were."""
        self.objects.tidy(raw_folder(batch_id))
        kept = set(self.objects.below(raw_folder(batch_id)))
        if not kept:
            return 0
        with store.reading() as tx:
            kept -= {raw_key(batch_id, id_, attempt) for id_, attempt in samples.owned(tx, batch_id)}
            ids = sub_tasks.of_batch(tx, batch_id) if kept else []
            rows = sub_tasks.load(tx, [id_ for id_ in ids if _attempts(kept, batch_id, id_)])
        pairs = [(row, number) for row in rows.values() for number in _attempts(kept, batch_id, row.sub_task_id)]
        found = [self._read(row, number) for row, number in pairs if row.status is not UsageStatus.PENDING]
        if found:
            store.transact(partial(_keep, found=found))
            log.warning("orphans_kept", batch=batch_id, answers=len(found))
        return len(found)

    def _read(self, row: SubTaskRow, attempt: int) -> Orphan:
        """Return what is known of an answer; a payload that cannot be read (any more) is evidence all the same."""
        key = raw_key(row.batch_id, row.sub_task_id, attempt)
        late = LateAnswer(
            sub_task_id=row.sub_task_id, attempt=attempt, batch_id=row.batch_id, platform=row.platform,
            raw_response="", raw_data_url=self.objects.url(key), raw_sha256=None, http_status=None,
            received_at=self.clock.now(), why=WHY,
        )  # fmt: skip
        try:
            envelope, received = adopt(self.objects.get(key), self.platforms.get(row.platform))
        except (EvidenceDamaged, UsageError) as error:
            log.warning("orphan_unreadable", key=key, error=error.text)
            return Orphan(late)
        text = "" if received.answer is None else storable(received.answer.text).text
        reply = received.reply
        late = replace(late, raw_response=text, raw_sha256=envelope.raw_sha256, http_status=reply.status)
        made = AttemptRow(
            sub_task_id=row.sub_task_id, attempt=attempt, started_at=reply.started_at, ended_at=reply.ended_at,
            outcome=AttemptOutcome.LATE, http_status=reply.status,
        )  # fmt: skip
        return Orphan(late, made)


@dataclass(frozen=True, slots=True)
class Orphan:
    """An answer without an owner, and its attempt where it can be read."""

    late: LateAnswer
    made: AttemptRow | None = None


def _attempts(kept: Collection[str], batch_id: str, sub_task_id: str) -> list[int]:
    """Return the attempts of a sub-task that have an object among `kept`."""
    folder = raw_key(batch_id, sub_task_id, 0).removesuffix("0.gz")
    names = [key.removeprefix(folder).removesuffix(".gz") for key in kept if key.startswith(folder)]
    return sorted(int(name) for name in names if name.isdigit())


def _keep(tx: Write, *, found: Sequence[Orphan]) -> None:
    attempts.record_late(tx, [each.made for each in found if each.made is not None])
    samples.keep_late(tx, [each.late for each in found])
