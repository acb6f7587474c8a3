"""Creating batches: all their rows or none, and once for one idempotency key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, islice

from answerwatch.clock import MICROSECONDS, to_micros
from answerwatch.domain.batches import Cell, Slice, calls_by_platform, cells, questions_in, sub_tasks
from answerwatch.domain.ids import batch_id, check_key, group_id
from answerwatch.domain.work import COLLECT, NewTask
from answerwatch.errors import UsageError
from answerwatch.platforms.keys import find_key
from answerwatch.platforms.records import Surface
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.stages.collect.ending import lane_of
from answerwatch.store.batch import batches as stored_batches
from answerwatch.store.batch import sub_tasks as stored_sub_tasks
from answerwatch.store.database import Store, Write
from answerwatch.store.work import lanes, ledger
from answerwatch.workspace.batches.forecast import platform_plans, stored_plan
from answerwatch.workspace.batches.planning import Resolved, content_of, refuse_short, resolve
from answerwatch.workspace.batches.views import BatchRequest


@dataclass(frozen=True, slots=True)
class Creation:
    """The batches of a request."""

    batches: tuple[stored_batches.Batch, ...]
    new: bool
    """False: the idempotency key was used before, and these are the batches that were made then."""


def create_batches(store: Store, request: BatchRequest, platforms: Platforms, environ: Mapping[str, str]) -> Creation:
    """Store all batches of a request in one transaction; raises UsageError or MissingKey before anything is stored."""
    key = request.idempotency_key
    if key is not None:
        check_key("idempotency_key", key)

    def work(tx: Write) -> Creation:
        content = {} if key is None else content_of(tx, request, platforms)
        if known := made_before(tx, key, content):
            return Creation(known, new=False)
        resolved = resolve(tx, request, platforms)
        refuse_short(resolved)
        for surface in resolved.surfaces:
            find_key(surface, environ)
        ensure_lanes(tx, resolved.surfaces, platforms)
        return Creation(tuple(_create(tx, resolved, platforms, store.clock.now(), content)), new=True)

    return store.create(work)


def made_before(tx: Write, key: str | None, content: Mapping[str, object]) -> tuple[stored_batches.Batch, ...]:
    """Return the batches that a key made, none where it is new or None.

    Raises UsageError when the key comes again with other content: whoever sent it would take the wrong answers.
    """
    known = [] if key is None else stored_batches.of_key(tx, key)
    if not known:
        return ()
    first = next(batch for batch in known if batch.idempotency_key is not None)
    then = first.request or {}
    other = ", ".join(name for name, value in content.items() if name not in then or then[name] != value)
    if other:
        text = (
            f"The key {key} made {first.batch_id} already, with other content ({other}); "
            "repeat that request, or use another key."
        )
        raise UsageError("batch_key_used", text, key=key, batch=first.batch_id, other=other)
    return tuple(known)


def with_key(batch: stored_batches.Batch, key: str | None, content: Mapping[str, object]) -> stored_batches.Batch:
    """Return the first batch of a request with its key, if it has one, and with what `made_before` will compare."""
    return batch if key is None else replace(batch, idempotency_key=key, request=dict(content))


def ensure_lanes(tx: Write, surfaces: Sequence[Surface], platforms: Platforms) -> None:
    """Give the lanes of platforms the limits that `platforms.toml` names now; what lanes have learnt stays."""
    for surface in sorted(surfaces, key=lambda one: one.name):
        lane = lane_of(platforms, surface.name)
        lanes.ensure(tx, lane, rate=surface.rate, capacity=surface.capacity, in_flight=surface.in_flight)


def _create(
    tx: Write, resolved: Resolved, platforms: Platforms, now: datetime, content: Mapping[str, object]
) -> list[stored_batches.Batch]:
    """Store the batches of a request and return them in the order in which they are served."""
    names, slices = BatchNames(tx, now), resolved.slices
    group = names.group(resolved.brands[0].standard_name) if len(slices) > 1 else None
    request = resolved.request
    made = []
    for place, one, wanted in _cells(resolved, slices):
        part = resolved.parts[one.part]
        id_ = names.batch(part.brand.standard_name)
        plans = platform_plans(calls_by_platform(one.first, one.calls, resolved.platforms), resolved.surfaces, {})
        batch = stored_batches.Batch(
            batch_id=id_,
            brand_name=part.brand.standard_name,
            scene_types=part.scenes,
            platforms=tuple(plan.platform for plan in plans),
            total_questions=questions_in(one.first, one.calls, len(resolved.surfaces), len(part.questions)),
            total_sub_tasks=one.calls,
            created_at=now + timedelta(microseconds=place),
            group_id=group or id_,
            priority=request.priority,
            rounds=request.rounds,
            timeout_s=resolved.timeout_of(one),
            starts_at=now + timedelta(seconds=one.after_s) if one.after_s else None,
            planned=stored_plan(plans),
        )
        if place == 0:
            batch = with_key(batch, request.idempotency_key, content)
        made.append(add_batch(tx, batch, wanted, platforms, after_s=one.after_s))
    return sorted(made, key=lambda batch: batch.created_at)


def _cells(resolved: Resolved, slices: Sequence[Slice]) -> Iterator[tuple[int, Slice, Iterator[Cell]]]:
    """Yield each batch's place and cells, part after part: each part is gone through once."""
    for number, part in enumerate(resolved.parts):
        stream = cells(part.questions, resolved.platforms, resolved.request.rounds)
        for place, one in enumerate(slices):
            if one.part == number:
                yield place, one, islice(stream, one.calls)


def add_batch(
    tx: Write, batch: stored_batches.Batch, wanted: Iterable[Cell], platforms: Platforms, *, after_s: float = 0.0
) -> stored_batches.Batch:
    """Store a batch and its sub-tasks and put them on the ledger, a thousand at a time; return it with its scenes."""
    spec = ledger.GroupSpec(
        queue=COLLECT,
        group_id=batch.batch_id,
        brand_name=batch.brand_name,
        priority=batch.priority,
        order=to_micros(batch.created_at),
        budget_us=round(batch.timeout_s * MICROSECONDS),
    )
    ledger.open_group(tx, spec)
    lane = {name: lane_of(platforms, name) for name in batch.platforms}
    scenes = set[str]()

    def tasks() -> Iterator[NewTask]:
        made = sub_tasks(batch.batch_id, wanted)
        for one in stored_sub_tasks.add(tx, batch.batch_id, made, batch.created_at):
            scenes.add(one.scene_type)
            yield NewTask(task_id=one.sub_task_id, lane=lane[one.platform], seq=one.seq)

    ledger.add(tx, COLLECT, batch.batch_id, tasks(), due_us=tx.now_us() + round(after_s * MICROSECONDS))
    batch = replace(batch, scene_types=tuple(sorted(scenes)))
    stored_batches.add(tx, batch)
    return batch


class BatchNames:
    """Ids that are not taken: with a suffix `-2`, `-3`, ... when others were made in the same second."""

    def __init__(self, tx: Write, now: datetime) -> None:
        """Give ids of this second."""
        self._tx = tx
        self._now = now
        self._last: dict[str, int] = {}

    def batch(self, brand: str) -> str:
        """Return an id for a batch about a brand."""
        return self._free(batch_id, brand, stored_batches.taken)

    def group(self, brand: str) -> str:
        """Return an id for batches that are created together, named after the first one's brand."""
        return self._free(group_id, brand, stored_batches.taken_groups)

    def _free(
        self,
        name: Callable[[datetime, str, str], str],
        brand: str,
        taken: Callable[[Write, Sequence[str]], set[str]],
    ) -> str:
        stem = name(self._now, brand, "")
        for number in count(self._last.get(stem, 0) + 1):
            id_ = name(self._now, brand, "" if number == 1 else f"-{number}")
            if not taken(self._tx, [id_]):
                self._last[stem] = number
                return id_
        raise AssertionError("count never ends")
