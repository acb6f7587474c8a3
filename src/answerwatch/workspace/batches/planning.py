"""What a batch would ask: brands, platforms and questions are looked up, durations, prices and precision reckoned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from answerwatch.domain.batches import LaneSpeed, default_timeout_s, planned_duration_s
from answerwatch.domain.brands import Brand
from answerwatch.domain.questions import Question, check_scene
from answerwatch.errors import UsageError
from answerwatch.platforms.catalogue import is_collectable
from answerwatch.platforms.records import Surface
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.store import questions as bank
from answerwatch.store.database import Read
from answerwatch.workspace.batches.views import BatchPlan, BatchRequest, PlatformPlan
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.platforms import has_key, platform_id

USUAL_PROMPT = 60
"""Tokens of a question, for estimates."""
USUAL_COMPLETION = 900
"""Tokens of an answer, for estimates."""
MOST_ROUNDS = 1_000
LONGEST_TIMEOUT_S = 366 * 86_400.0
"""A year; whoever asks for more has mistaken the unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A request whose names were looked up."""

    request: BatchRequest
    brands: tuple[Brand, ...]
    surfaces: tuple[Surface, ...]
    scenes: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def calls_each(self) -> int:
        """Return the calls of one brand to one platform."""
        return len(self.questions) * self.request.rounds

    @property
    def calls(self) -> int:
        """Return all calls of all brands."""
        return self.calls_each * len(self.surfaces) * len(self.brands)

    @property
    def duration_s(self) -> float:
        """Return how long all brands take at least: one after another on every lane, lanes side by side."""
        return max(planned_duration_s(self.calls_each * len(self.brands), speed_of(one)) for one in self.surfaces)

    @property
    def timeout_s(self) -> float:
        """Return the time-out of each batch, by default for the whole group: its batches wait for each other."""
        return self.request.timeout_s or default_timeout_s(self.duration_s)


def resolve(read: Read, request: BatchRequest, platforms: Platforms) -> Resolved:
    """Look up what a request names; raises UsageError for what is unknown, cannot be asked, or would be nothing."""
    brands = _unique([pick_brand(read, name) for name in request.brands])
    surfaces = tuple({one.name: one for one in (_collectable(platforms, name) for name in request.platforms)}.values())
    if not brands or not surfaces:
        missing = "brand" if not brands else "platform"
        text = f"The batch would be empty: name at least one {missing}."
        raise UsageError("batch_nothing", text, missing=missing)
    if not 1 <= request.rounds <= MOST_ROUNDS:
        text = f"{request.rounds} rounds are not possible; choose 1 to {MOST_ROUNDS}."
        raise UsageError("batch_rounds", text, rounds=request.rounds, most=MOST_ROUNDS)
    if request.timeout_s is not None and not 0 < request.timeout_s <= LONGEST_TIMEOUT_S:
        text = f"A time-out of {request.timeout_s:g} s is not possible; choose more than 0 and at most a year."
        raise UsageError("batch_timeout_bad", text, timeout=f"{request.timeout_s:g}")
    scenes = tuple(dict.fromkeys(check_scene(scene) for scene in request.scenes))
    questions = _questions(read, scenes, request.question_ids)
    return Resolved(
        request=request,
        brands=brands,
        surfaces=surfaces,
        scenes=tuple(sorted({question.scene_type for question in questions})),
        questions=questions,
    )


def content_of(read: Read, request: BatchRequest, platforms: Platforms) -> dict[str, object]:
    """Return what a request asks for as JSON values; two that mean the same are equal, whatever the bank holds by then.

    Raises UsageError for a brand that is not tracked and a scene that cannot be one.
    """
    return {
        "brands": sorted({pick_brand(read, name).standard_name for name in request.brands}),
        "platforms": sorted({platform_id(platforms, name) for name in request.platforms}),
        "scenes": sorted({check_scene(scene) for scene in request.scenes}),
        "questions": sorted(set(request.question_ids)),
        "rounds": request.rounds,
        "priority": request.priority,
        "timeout_s": request.timeout_s,
    }


def _unique(brands: Sequence[Brand]) -> tuple[Brand, ...]:
    return tuple({brand.brand_id: brand for brand in brands}.values())


def _collectable(platforms: Platforms, name: str) -> Surface:
    surface = platforms.get(name)
    if not is_collectable(surface):
        text = f"Platform {surface.name} cannot be asked yet: its protocol {surface.family} is not spoken here."
        raise UsageError("platform_not_collectable", text, platform=surface.name, family=surface.family)
    return surface


def _questions(read: Read, scenes: Sequence[str], ids: Sequence[str]) -> tuple[Question, ...]:
    """Return the active questions of the scenes, only those with `ids` if any are given."""
    wanted = bank.Wanted(scenes=scenes or None, active=True, ids=ids or None)
    found = [one.question for one in bank.find(read, wanted)]
    known = {question.question_id for question in found}
    absent = [id_ for id_ in dict.fromkeys(ids) if id_ not in known]
    if absent:
        where = f" in {', '.join(scenes)}" if scenes else ""
        text = f"There is no active question {absent[0]}{where}; see `answerwatch questions list`."
        raise UsageError("batch_question_unknown", text, question=absent[0])
    if not found:
        raise _nothing(read, scenes)
    return tuple(found)


def _nothing(read: Read, scenes: Sequence[str]) -> UsageError:
    """Return the error of a batch without questions, saying why there are none."""
    have = ", ".join(f"{scene} ({count})" for scene, count in bank.scenes(read).items())
    if not have:
        text = "The batch would be empty: the bank has no active question; add some with `answerwatch questions add`."
        return UsageError("batch_no_questions", text)
    text = f"The batch would be empty: no active question has scene {', '.join(scenes)}; the bank has {have}."
    return UsageError("batch_no_scene", text, scenes=", ".join(scenes), have=have)


def speed_of(surface: Surface) -> LaneSpeed:
    """Return the limits of a platform for reckoning durations."""
    return LaneSpeed(
        rate=surface.rate, capacity=surface.capacity, answer_s=surface.answer_s, in_flight=surface.in_flight
    )


def plan_of(resolved: Resolved, environ: Mapping[str, str]) -> BatchPlan:
    """Return the dry run of a request."""
    from answerwatch.figures.precision import plan_precision  # noqa: PLC0415 - numpy is slow; lists do without it

    request = resolved.request
    precision = plan_precision(len(resolved.questions), request.rounds)
    return BatchPlan(
        brands=tuple(brand.standard_name for brand in resolved.brands),
        scenes=resolved.scenes,
        questions=len(resolved.questions),
        rounds=request.rounds,
        calls=resolved.calls,
        duration_s=resolved.duration_s,
        timeout_s=resolved.timeout_s,
        platforms=tuple(_platform_plan(one, resolved, environ) for one in resolved.surfaces),
        half_width=precision.half_width,
        effective_n=precision.effective_n,
        thin=precision.thin,
    )


def _platform_plan(surface: Surface, resolved: Resolved, environ: Mapping[str, str]) -> PlatformPlan:
    calls = resolved.calls_each * len(resolved.brands)
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


def refuse_short_timeout(resolved: Resolved) -> None:
    """Raise UsageError for an explicit time-out that the batch cannot keep, unless it is forced."""
    wanted = resolved.request.timeout_s
    if wanted is None or resolved.request.force:
        return
    if wanted < resolved.duration_s:
        needed = round(resolved.duration_s)
        text = (
            f"The batch needs {needed} s at least under the platforms' limits, more than its time-out of {wanted:g} s; "
            "give it more time, split it into several batches, or force it."
        )
        raise UsageError("batch_timeout_short", text, needed=needed, timeout=wanted)
