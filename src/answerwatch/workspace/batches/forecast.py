"""What batches are expected to take and to cost, before a single call is paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from answerwatch.domain.batches import Slice, calls_by_platform, planned_duration_s, questions_in
from answerwatch.platforms.records import Surface
from answerwatch.workspace.batches.planning import Resolved, speed_of
from answerwatch.workspace.batches.views import BatchPlan, PlatformPlan, SplitPlan
from answerwatch.workspace.platforms import has_key

USUAL_PROMPT = 60
"""Tokens of a question, for estimates."""
USUAL_COMPLETION = 900
"""Tokens of an answer, for estimates."""


def plan_of(resolved: Resolved, environ: Mapping[str, str]) -> BatchPlan:
    """Return the dry run of a request."""
    from answerwatch.figures.precision import plan_precision  # noqa: PLC0415 - numpy is slow; lists do without it

    request = resolved.request
    precision = plan_precision(resolved.questions, request.rounds)
    calls = dict.fromkeys(resolved.platforms, resolved.calls_each * len(resolved.brands))
    splits = tuple(_split_plan(resolved, one, environ) for one in resolved.slices)
    return BatchPlan(
        brands=tuple(brand.standard_name for brand in resolved.brands),
        scenes=tuple(resolved.scenes),
        questions=resolved.questions,
        rounds=request.rounds,
        calls=resolved.calls,
        duration_s=resolved.duration_s,
        timeout_s=max(one.timeout_s for one in splits),
        platforms=tuple(platform_plans(calls, resolved.surfaces, environ)),
        half_width=precision.half_width,
        effective_n=precision.effective_n,
        thin=precision.thin,
        splits=splits,
    )


def _split_plan(resolved: Resolved, one: Slice, environ: Mapping[str, str]) -> SplitPlan:
    from answerwatch.figures.precision import plan_precision  # noqa: PLC0415 - numpy is slow; lists do without it

    part, names = resolved.parts[one.part], resolved.platforms
    questions = questions_in(one.first, one.calls, len(names), len(part.questions))
    platforms = platform_plans(calls_by_platform(one.first, one.calls, names), resolved.surfaces, environ)
    # A window holds whole rounds of its questions, or a piece of one: rounds that are not whole promise nothing.
    precision = plan_precision(questions, max(1, one.calls // (questions * len(names))))
    prices: dict[str, float] = {}
    for each in platforms:
        if each.price is not None:
            prices[each.currency or ""] = prices.get(each.currency or "", 0.0) + each.price
    return SplitPlan(
        brand=part.brand.standard_name,
        scenes=part.scenes,
        questions=questions,
        calls=one.calls,
        after_s=one.after_s,
        duration_s=resolved.slice_s(one),
        timeout_s=resolved.timeout_of(one),
        prices=tuple(sorted(prices.items())),
        unpriced=tuple(each.platform for each in platforms if each.price is None),
        half_width=precision.half_width,
        effective_n=precision.effective_n,
        thin=precision.thin,
        platforms=tuple(platforms),
    )


def platform_plans(
    calls: Mapping[str, int], surfaces: Sequence[Surface], environ: Mapping[str, str]
) -> list[PlatformPlan]:
    """Return what so many calls mean for each platform that gets some."""
    return [_platform_plan(one, calls[one.name], environ) for one in surfaces if calls.get(one.name)]


def _platform_plan(surface: Surface, calls: int, environ: Mapping[str, str]) -> PlatformPlan:
    price = surface.price
    return PlatformPlan(
        platform=surface.name,
        calls=calls,
        duration_s=planned_duration_s(calls, speed_of(surface)),
        rate=surface.rate,
        capacity=surface.capacity,
        in_flight=surface.in_flight,
        price=None if price is None else calls * price.of(USUAL_PROMPT, USUAL_COMPLETION),
        currency=None if price is None else price.currency,
        key_missing=None if has_key(surface, environ) else surface.key_env,
    )


def stored_plan(plans: Sequence[PlatformPlan]) -> list[dict[str, object]]:
    """Return a plan as it is kept with its batch."""
    return [
        {
            "platform": one.platform,
            "calls": one.calls,
            "duration_s": one.duration_s,
            "price": one.price,
            "currency": one.currency,
        }
        for one in plans
    ]
