"""How batches are shown to people: plans, lists, progress, failures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.listing import Listing, show_facts
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN, counted, duration, one_line, percent

if TYPE_CHECKING:
    from answerwatch.workspace.batches.views import (
        BatchDetail,
        BatchPlan,
        BatchProgress,
        BatchView,
        Comparison,
        GroupProgress,
        PlatformPlan,
        PlatformProgress,
        Recollection,
        SplitPlan,
    )
    from answerwatch.workspace.shown_records import FailureCount

LONGEST_ERROR = 120

UNFINISHED = ("pending", "running")


def _status(session: Session, status: str, *, paused: bool) -> str:
    return session.word("status", "paused" if paused and status in UNFINISHED else status)


def _batch_row(session: Session, batch: BatchView) -> tuple[object, ...]:
    return (
        batch.batch_id,
        batch.brand_name or NOT_KNOWN,
        _status(session, batch.status, paused=batch.paused_at is not None),
        batch.total,
        batch.completed,
        batch.failed,
        batch.platforms,
    )


BATCHES: Listing[BatchView] = Listing(
    columns=("batch", "brand", "status", "total", "completed", "failed", "platforms"), row=_batch_row, whole=(0,)
)


def _run_row(session: Session, batch: BatchProgress) -> tuple[object, ...]:
    return (
        batch.batch_id,
        batch.brand_name or NOT_KNOWN,
        _status(session, batch.status, paused=batch.paused),
        batch.total,
        batch.completed,
        batch.failed,
        batch.cleaning.completed,
        batch.cleaning.failed,
    )


RUN: Listing[BatchProgress] = Listing(
    columns=("batch", "brand", "status", "total", "completed", "failed", "cleaned", "clean_failed"),
    row=_run_row,
    whole=(0,),
)


def _plan_row(session: Session, plan: PlatformPlan) -> tuple[object, ...]:
    price = NOT_KNOWN if plan.price is None else f"{plan.price:.2f} {plan.currency or ''}".strip()
    return (
        plan.platform,
        plan.calls,
        f"{plan.rate:g}/s, {plan.capacity}",
        duration(plan.duration_s, session.say),
        price,
        plan.key_missing,
    )


_PLANS: Listing[PlatformPlan] = Listing(
    columns=("platform", "calls", "limit", "duration", "price", "key_missing"), row=_plan_row
)


def _split_row(session: Session, plan: SplitPlan) -> tuple[object, ...]:
    prices = [f"{price:.2f} {currency}".strip() for currency, price in plan.prices]
    return (
        plan.brand,
        plan.scenes,
        plan.calls,
        duration(plan.after_s, session.say),
        duration(plan.duration_s, session.say),
        prices if prices and not plan.unpriced else [*prices, NOT_KNOWN],
        f"±{percent(plan.half_width)}",
    )


_SPLITS: Listing[SplitPlan] = Listing(
    columns=("brand", "scenes", "calls", "begins_after", "duration", "price", "precision"), row=_split_row
)


def _platform_row(_session: Session, part: PlatformProgress) -> tuple[object, ...]:
    return part.platform, part.total, part.completed, part.failed, part.running, part.pending, part.waiting


_PLATFORMS: Listing[PlatformProgress] = Listing(
    columns=("platform", "total", "completed", "failed", "running", "pending", "waiting"), row=_platform_row
)


def _failure_row(session: Session, failure: FailureCount) -> tuple[object, ...]:
    example = one_line(session.say.stored(failure.example), LONGEST_ERROR)
    return failure.platform, session.word("error_type", failure.error_type), failure.count, example


_FAILURES: Listing[FailureCount] = Listing(columns=("platform", "reason", "count", "example"), row=_failure_row)


def show_plan(session: Session, plan: BatchPlan) -> None:
    """Print what a batch would do."""
    show_facts(
        session,
        {
            "brands": plan.brands,
            "scenes": plan.scenes,
            "questions": plan.questions,
            "rounds": plan.rounds,
            "calls": plan.calls,
            "duration": duration(plan.duration_s, session.say),
            "timeout": duration(plan.timeout_s, session.say),
            "precision": session.say("batch.precision", half_width=percent(plan.half_width)),
        },
    )
    _PLANS.show(session, plan.platforms, as_json=False)
    if len(plan.splits) > 1:
        _SPLITS.show(session, plan.splits, as_json=False)
    if plan.thin:
        session.tell("batch.thin")


def show_recollections(session: Session, planned: Sequence[Recollection], *, as_json: bool) -> None:
    """Print what would be asked again, batch by batch."""
    if as_json:
        session.terminal.json(planned)
        return
    for one in planned:
        show_facts(
            session,
            {
                "batch": one.parent_batch_id,
                "questions": one.questions,
                "calls": one.calls,
                "duration": duration(one.duration_s, session.say),
                "timeout": duration(one.timeout_s, session.say),
            },
        )
        _PLANS.show(session, one.platforms, as_json=False)


def show_progress(session: Session, progress: BatchProgress) -> None:
    """Print how far a batch is."""
    show_facts(
        session,
        {
            "batch": progress.batch_id,
            "brand": progress.brand_name,
            "status": _status(session, progress.status, paused=progress.paused),
            "done": f"{progress.percent:.0f}%",
            "remaining": None if progress.done else duration(progress.eta_s, session.say),
            "cleaned": f"{progress.cleaning.completed}/{progress.cleaning.total}",
            "created": progress.created_at,
            "completed_at": progress.completed_at,
            "deadline": None if progress.done else progress.deadline,
            "stood": duration(progress.stood_s, session.say) if round(progress.stood_s or 0) else None,
        },
    )
    _PLATFORMS.show(session, progress.platforms, as_json=False)
    for lane in progress.parked:
        reason = session.say.stored(lane.reason)
        session.tell("batch.parked", platform=lane.platform, waiting=lane.waiting, reason=reason)


def _comparison_row(session: Session, one: Comparison) -> tuple[object, ...]:
    def pair(planned: object, real: object) -> str:
        return f"{NOT_KNOWN if planned is None else planned} / {NOT_KNOWN if real is None else real}"

    def money(price: float | None) -> str | None:
        return None if price is None else f"{price:.2f}"

    return (
        one.platform,
        pair(one.planned_calls, one.calls),
        pair(duration(one.planned_s, session.say), duration(one.duration_s, session.say)),
        f"{pair(money(one.planned_price), money(one.price))} {one.currency or ''}".strip(),
        one.retries,
        one.throttled,
        duration(one.throttled_s, session.say),
        [session.word("difference", each) for each in one.differences],
    )


_COMPARISONS: Listing[Comparison] = Listing(
    columns=("platform", "plan_calls", "plan_duration", "plan_price", "retries", "throttled", "throttled_s", "why"),
    row=_comparison_row,
)


def show_group(session: Session, group: GroupProgress, *, as_json: bool) -> None:
    """Print where batches stand that were created together."""
    if as_json:
        session.terminal.json(group)
        return
    status = _status(session, group.status, paused=any(one.paused for one in group.batches))
    facts = {"group": group.group_id, "status": status, "total": group.total, "done": f"{group.percent:.0f}%"}
    show_facts(session, facts)
    RUN.show(session, group.batches, as_json=False)


def show_detail(session: Session, detail: BatchDetail) -> None:
    """Print a batch with what failed and which answers are not valid."""
    show_progress(session, detail.progress)
    if detail.comparison:
        _COMPARISONS.show(session, detail.comparison, as_json=False)
    if detail.failures:
        _FAILURES.show(session, detail.failures, as_json=False)
    if detail.invalid:
        reasons = [(session.word("invalid", reason), count) for reason, count in detail.invalid]
        session.tell("batch.invalid", reasons=counted(reasons))
    if detail.batch.parent_batch_id is not None:
        session.tell("batch.parent", parent=detail.batch.parent_batch_id)
    whole = detail.together
    if whole is not None:
        counts = {"total": whole.total, "completed": whole.completed, "failed": whole.failed, "open": whole.open}
        session.tell("batch.together", batches=", ".join(whole.batches[1:]), **counts)
