"""Re-collection: a child batch of exactly the sub-tasks of a batch that failed, as they were asked then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from answerwatch.domain.batches import FINISHED, default_timeout_s
from answerwatch.domain.ids import check_key
from answerwatch.errors import UsageError
from answerwatch.platforms.keys import find_key
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.store import batches as shelf
from answerwatch.store import recollection
from answerwatch.store.database import Read, Store, Write
from answerwatch.workspace.batches.creation import BatchNames, add_batch, ensure_lanes, refuse_other_content
from answerwatch.workspace.batches.forecast import platform_plans, stored_plan
from answerwatch.workspace.batches.views import Recollection
from answerwatch.workspace.filters import unknown_batch

FIRST = 1
"""The priority of a child: few calls that complete a batch go before those of bulk."""


def plan_recollection(
    read: Read, parent_id: str, platforms: Platforms, environ: Mapping[str, str]
) -> tuple[shelf.Batch, Recollection]:
    """Return the parent and what would be asked again; raises UsageError when there is nothing to, or not yet."""
    parent = shelf.get(read, parent_id)
    if parent is None:
        raise unknown_batch(parent_id)
    if parent.batch_status not in FINISHED:
        text = (
            f"{parent_id} is {parent.batch_status} and may still get its answers; wait for its end, or cancel it, "
            "and ask again what failed then."
        )
        raise UsageError("recollect_open", text, batch=parent_id, status=str(parent.batch_status))
    found = recollection.failed(read, parent_id)
    if not found.count:
        raise _nothing(read, parent)
    surfaces = [platforms.get(name) for name in found.by_platform]
    plans = tuple(platform_plans(found.by_platform, surfaces, environ))
    planned = Recollection(
        parent_batch_id=parent_id,
        calls=found.count,
        questions=found.questions,
        duration_s=max(plan.duration_s for plan in plans),
        timeout_s=default_timeout_s(max(plan.duration_s for plan in plans)),
        platforms=plans,
    )
    return parent, planned


def _nothing(read: Read, parent: shelf.Batch) -> UsageError:
    again = recollection.children(read, [parent.batch_id])
    if parent.failed_sub_tasks and again:
        text = (
            f"What failed in {parent.batch_id} is asked again by {again[-1]} already; "
            f"if that fails too: answerwatch batch recollect {again[-1]}."
        )
        return UsageError("recollect_taken", text, batch=parent.batch_id, child=again[-1])
    return UsageError("recollect_nothing", f"Nothing failed in {parent.batch_id}.", batch=parent.batch_id)


def recollect(
    store: Store, parent_id: str, platforms: Platforms, environ: Mapping[str, str], *, key: str | None
) -> shelf.Batch:
    """Store the child batch in one transaction, or return the one that the key made before."""
    if key is not None:
        check_key("idempotency_key", key)
    content: dict[str, object] = {"recollect": parent_id}

    def work(tx: Write) -> shelf.Batch:
        if key is not None and (known := shelf.of_key(tx, key)):
            refuse_other_content(known[0], content)
            return known[0]
        recollection.lock(tx, parent_id)
        parent, planned = plan_recollection(tx, parent_id, platforms, environ)
        surfaces = [platforms.get(plan.platform) for plan in planned.platforms]
        for surface in surfaces:
            find_key(surface, environ)
        ensure_lanes(tx, surfaces, platforms)
        child = _child(tx, parent, planned, store.clock.now())
        if key is not None:
            child = replace(child, idempotency_key=key, request=content)
        return add_batch(tx, child, recollection.cells(tx, parent_id), platforms)

    return store.create(work)


def _child(tx: Write, parent: shelf.Batch, planned: Recollection, now: datetime) -> shelf.Batch:
    id_ = BatchNames(tx, now).batch(parent.brand_name)
    return shelf.Batch(
        batch_id=id_,
        brand_name=parent.brand_name,
        scene_types=(),
        platforms=tuple(plan.platform for plan in planned.platforms),
        total_questions=planned.questions,
        total_sub_tasks=planned.calls,
        created_at=now,
        group_id=id_,
        parent_batch_id=parent.batch_id,
        priority=max(FIRST, parent.priority),
        rounds=parent.rounds,
        timeout_s=planned.timeout_s,
        planned=stored_plan(planned.platforms),
    )
