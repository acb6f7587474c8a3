"""Creating batches: all their rows or none, and once for one idempotency key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count

from answerwatch.clock import MICROSECONDS, to_micros
from answerwatch.domain.batches import expand
from answerwatch.domain.ids import batch_id, check_key
from answerwatch.domain.work import COLLECT, NewTask
from answerwatch.errors import UsageError
from answerwatch.platforms.keys import find_key
from answerwatch.platforms.records import Surface
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.stages.collect.ending import lane_of
from answerwatch.store import batches as shelf
from answerwatch.store import lanes, ledger
from answerwatch.store.database import Store, Write
from answerwatch.workspace.batches.planning import Resolved, content_of, refuse_short_timeout, resolve
from answerwatch.workspace.batches.views import BatchRequest


@dataclass(frozen=True, slots=True)
class Creation:
    """The batches of a request."""

    batches: tuple[shelf.Batch, ...]
    new: bool
    """False: the idempotency key was used before, and these are the batches that were made then."""


def create_batches(store: Store, request: BatchRequest, platforms: Platforms, environ: Mapping[str, str]) -> Creation:
    """Store one batch for each brand in one transaction; raises UsageError or MissingKey before anything is stored."""
    if request.idempotency_key is not None:
        check_key("idempotency_key", request.idempotency_key)

    def work(tx: Write) -> Creation:
        if request.idempotency_key is not None and (known := shelf.of_key(tx, request.idempotency_key)):
            first = next(batch for batch in known if batch.idempotency_key is not None)
            _refuse_other_content(first, content_of(tx, request, platforms))
            return Creation(tuple(known), new=False)
        resolved = resolve(tx, request, platforms)
        refuse_short_timeout(resolved)
        for surface in resolved.surfaces:
            find_key(surface, environ)
        ensure_lanes(tx, resolved.surfaces, platforms)
        return Creation(tuple(_create(tx, resolved, platforms, store.clock.now())), new=True)

    return store.create(work)


def _refuse_other_content(first: shelf.Batch, wanted: Mapping[str, object]) -> None:
    """Raise UsageError when a key comes again with another request: whoever sent it would take the wrong answers."""
    then, key = first.request or {}, first.idempotency_key
    other = ", ".join(name for name, value in wanted.items() if name not in then or then[name] != value)
    if other:
        text = (
            f"The key {key} made {first.batch_id} already, with other content ({other}); "
            "repeat that request, or use another key."
        )
        raise UsageError("batch_key_used", text, key=key, batch=first.batch_id, other=other)


def ensure_lanes(tx: Write, surfaces: Sequence[Surface], platforms: Platforms) -> None:
    """Give the lanes of platforms the limits that `platforms.toml` names now; what lanes have learnt stays."""
    for surface in sorted(surfaces, key=lambda one: one.name):
        lane = lane_of(platforms, surface.name)
        lanes.ensure(tx, lane, rate=surface.rate, capacity=surface.capacity, in_flight=surface.in_flight)


def _create(tx: Write, resolved: Resolved, platforms: Platforms, now: datetime) -> Iterator[shelf.Batch]:
    group: str | None = None
    for number, brand in enumerate(resolved.brands):
        id_ = free_batch_id(tx, now, brand.standard_name)
        group = group or id_
        batch = _batch(resolved, brand.standard_name, id_, group=group, now=now)
        if batch.idempotency_key is not None:
            batch = replace(batch, request=content_of(tx, resolved.request, platforms))
        shelf.add(tx, batch)
        _add_tasks(tx, resolved, batch, platforms=platforms, order=to_micros(now) + number)
        yield batch


def _batch(resolved: Resolved, brand: str, id_: str, *, group: str, now: datetime) -> shelf.Batch:
    request = resolved.request
    return shelf.Batch(
        batch_id=id_,
        brand_name=brand,
        scene_types=resolved.scenes,
        platforms=tuple(surface.name for surface in resolved.surfaces),
        total_questions=len(resolved.questions),
        total_sub_tasks=resolved.calls_each * len(resolved.surfaces),
        created_at=now,
        group_id=group,
        priority=request.priority,
        rounds=request.rounds,
        timeout_s=resolved.timeout_s,
        idempotency_key=request.idempotency_key if id_ == group else None,
    )


def _add_tasks(tx: Write, resolved: Resolved, batch: shelf.Batch, *, platforms: Platforms, order: int) -> None:
    """Store the sub-tasks and put them on the ledger, a thousand at a time."""
    lane = {surface.name: lane_of(platforms, surface.name) for surface in resolved.surfaces}
    spec = ledger.GroupSpec(
        queue=COLLECT,
        group_id=batch.batch_id,
        brand_name=batch.brand_name,
        priority=batch.priority,
        order=order,
        budget_us=round(batch.timeout_s * MICROSECONDS),
    )
    ledger.open_group(tx, spec)
    sub_tasks = expand(batch.batch_id, resolved.questions, batch.platforms, batch.rounds)
    stored = shelf.add_sub_tasks(tx, batch.batch_id, sub_tasks, batch.created_at)
    tasks = (NewTask(task_id=one.sub_task_id, lane=lane[one.platform], seq=one.seq) for one in stored)
    ledger.add(tx, COLLECT, batch.batch_id, tasks)


def free_batch_id(tx: Write, now: datetime, brand: str) -> str:
    """Return a batch id that is not taken: with a suffix `-2`, `-3`, ... when others were made in the same second."""
    for number in count(1):
        id_ = batch_id(now, brand, "" if number == 1 else f"-{number}")
        if not shelf.taken(tx, [id_]):
            return id_
    raise AssertionError("count never ends")
