"""Re-collection: child batches of exactly the sub-tasks that failed in a batch or group, as they were asked then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from answerwatch.domain.batches import FINISHED, default_timeout_s
from answerwatch.domain.ids import check_key
from answerwatch.errors import UsageError
from answerwatch.platforms.keys import find_key
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.store.batch import batches, recollection
from answerwatch.store.database import Read, Store, Write
from answerwatch.workspace.batches.creation import BatchNames, add_batch, ensure_lanes, made_before, with_key
from answerwatch.workspace.batches.forecast import platform_plans, stored_plan
from answerwatch.workspace.batches.groups import members
from answerwatch.workspace.batches.views import Recollection

FIRST = 1
"""The priority of a child: few calls that complete a batch go before those of bulk."""


def plan_recollections(
    read: Read, id_: str, platforms: Platforms, environ: Mapping[str, str]
) -> tuple[tuple[batches.Batch, Recollection], ...]:
    """Return what would be asked again of a batch, or of every batch of a group in which something failed.

    Raises UsageError when there is nothing to ask again, or one of the batches may still get its answers.
    """
    parents = members(read, id_)
    for parent in parents:
        if parent.batch_status not in FINISHED:
            raise _still_open(parent)
    found = [(parent, recollection.failed(read, parent.batch_id)) for parent in parents]
    planned = tuple((parent, _planned(parent, one, platforms, environ)) for parent, one in found if one.count)
    if not planned:
        raise _nothing(read, id_, parents)
    return planned


def _planned(
    parent: batches.Batch, found: recollection.Failed, platforms: Platforms, environ: Mapping[str, str]
) -> Recollection:
    surfaces = [platforms.get(name) for name in found.by_platform]
    plans = tuple(platform_plans(found.by_platform, surfaces, environ))
    return Recollection(
        parent_batch_id=parent.batch_id,
        calls=found.count,
        questions=found.questions,
        duration_s=max(plan.duration_s for plan in plans),
        timeout_s=default_timeout_s(max(plan.duration_s for plan in plans)),
        platforms=plans,
    )


def _still_open(parent: batches.Batch) -> UsageError:
    id_, status = parent.batch_id, str(parent.batch_status)
    text = (
        f"{id_} is {status} and may still get its answers; wait for its end, or cancel it, "
        "and ask again what failed then."
    )
    return UsageError("recollect_open", text, batch=id_, status=status)


def _nothing(read: Read, id_: str, parents: Sequence[batches.Batch]) -> UsageError:
    failed = [parent.batch_id for parent in parents if parent.failed_sub_tasks]
    again = recollection.children(read, failed)
    if again:
        text = (
            f"What failed in {id_} is asked again by {again[-1]} already; "
            f"if that fails too: answerwatch batch recollect {again[-1]}."
        )
        return UsageError("recollect_taken", text, batch=id_, child=again[-1])
    return UsageError("recollect_nothing", f"Nothing failed in {id_}.", batch=id_)


def recollect(
    store: Store, id_: str, platforms: Platforms, environ: Mapping[str, str], *, key: str | None
) -> tuple[batches.Batch, ...]:
    """Store the child batches in one transaction, or return those that the key made before."""
    if key is not None:
        check_key("idempotency_key", key)
    content: dict[str, object] = {"recollect": id_}

    def work(tx: Write) -> tuple[batches.Batch, ...]:
        if known := made_before(tx, key, content):
            return known
        for parent in sorted(members(tx, id_), key=lambda one: one.batch_id):
            recollection.lock(tx, parent.batch_id)
        planned = plan_recollections(tx, id_, platforms, environ)
        names = {plan.platform for _, one in planned for plan in one.platforms}
        surfaces = [platforms.get(name) for name in sorted(names)]
        for surface in surfaces:
            find_key(surface, environ)
        ensure_lanes(tx, surfaces, platforms)
        children = _children(tx, planned, store.clock.now())
        children[0] = with_key(children[0], key, content)
        return tuple(
            add_batch(tx, child, recollection.cells(tx, parent.batch_id), platforms)
            for child, (parent, _) in zip(children, planned, strict=True)
        )

    return store.create(work)


def _children(tx: Write, planned: Sequence[tuple[batches.Batch, Recollection]], now: datetime) -> list[batches.Batch]:
    """Return the batches to make in the order of their parents, several of them in a group of their own."""
    names = BatchNames(tx, now)
    group = names.group(planned[0][0].brand_name) if len(planned) > 1 else None
    made = []
    for place, (parent, one) in enumerate(planned):
        id_ = names.batch(parent.brand_name)
        child = batches.Batch(
            batch_id=id_,
            brand_name=parent.brand_name,
            scene_types=(),
            platforms=tuple(plan.platform for plan in one.platforms),
            total_questions=one.questions,
            total_sub_tasks=one.calls,
            created_at=now + timedelta(microseconds=place),
            group_id=group or id_,
            parent_batch_id=parent.batch_id,
            priority=max(FIRST, parent.priority),
            rounds=parent.rounds,
            # Batches of one group wait for each other: each has the time of all.
            timeout_s=default_timeout_s(sum(each.duration_s for _, each in planned)),
            planned=stored_plan(one.platforms),
        )
        made.append(child)
    return made
