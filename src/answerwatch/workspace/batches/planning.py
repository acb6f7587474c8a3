"""What a batch would ask: brands, platforms and questions are looked up, splits and durations reckoned."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from answerwatch.domain.batches import (
    Asked,
    LaneSpeed,
    Slice,
    calls_by_platform,
    default_timeout_s,
    planned_duration_s,
    slices,
    window_for,
)
from answerwatch.domain.brands import Brand
from answerwatch.domain.questions import Question, check_scene
from answerwatch.errors import UsageError
from answerwatch.platforms.catalogue import is_collectable
from answerwatch.platforms.records import Surface
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.store.bank import brands as stored_brands
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read
from answerwatch.workspace.batches.views import BatchRequest
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.platforms import platform_id

MOST_ROUNDS = 1_000
MOST_SPLITS = 1_000
"""Batches of one request at most."""
LONGEST_TIMEOUT_S = 366 * 86_400.0
"""A year; whoever asks for more has mistaken the unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One brand with the questions of one split by scene, before it is cut into time windows."""

    brand: Brand
    scenes: tuple[str, ...]
    questions: Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A request whose names were looked up; questions are read while they are gone through."""

    request: BatchRequest
    brands: tuple[Brand, ...]
    surfaces: tuple[Surface, ...]
    scenes: Mapping[str, int]
    """How many questions of each scene are asked."""
    parts: tuple[Part, ...]

    @property
    def questions(self) -> int:
        """Return how many questions are asked for each brand."""
        return sum(self.scenes.values())

    @property
    def calls_each(self) -> int:
        """Return the calls of one brand to one platform."""
        return self.questions * self.request.rounds

    @property
    def calls(self) -> int:
        """Return all calls of all brands."""
        return self.calls_each * len(self.surfaces) * len(self.brands)

    @property
    def platforms(self) -> tuple[str, ...]:
        """Return the names of the platforms, in the order of asking."""
        return tuple(surface.name for surface in self.surfaces)

    @property
    def calls_s(self) -> float:
        """Return how long all calls take at least: one after another on every lane, lanes side by side."""
        return max(planned_duration_s(self.calls_each * len(self.brands), speed_of(one)) for one in self.surfaces)

    @property
    def duration_s(self) -> float:
        """Return how long it takes at least, with the waits between time windows."""
        if self.request.window is None:
            return self.calls_s
        return max(one.after_s + self.slice_s(one) for one in self.slices)

    @property
    def slices(self) -> list[Slice]:
        """Return the batches that the request makes."""
        each = self.request.rounds * len(self.surfaces)
        return slices([len(part.questions) * each for part in self.parts], self.request.window)

    def slice_s(self, one: Slice) -> float:
        """Return how long the calls of one batch take at least."""
        calls = calls_by_platform(one.first, one.calls, self.platforms)
        return max(planned_duration_s(calls.get(each.name, 0), speed_of(each)) for each in self.surfaces)

    def timeout_of(self, one: Slice) -> float:
        """Return the time-out of a batch: by default for all of a group that begins at once, they wait for each other.

        A time window waits for nobody.
        """
        planned = self.calls_s if self.request.window is None else self.slice_s(one)
        return self.request.timeout_s or default_timeout_s(planned)


def resolve(read: Read, request: BatchRequest, platforms: Platforms) -> Resolved:
    """Look up what a request names; raises UsageError for what is unknown, cannot be asked, or would be nothing."""
    brands = _brands(read, request)
    surfaces = tuple({one.name: one for one in (_collectable(platforms, name) for name in request.platforms)}.values())
    if not brands or not surfaces:
        missing = "brand" if not brands else "platform"
        text = f"The batch would be empty: name at least one {missing}."
        raise UsageError("batch_nothing", text, missing=missing)
    _refuse_impossible(request)
    scenes = tuple(dict.fromkeys(check_scene(scene) for scene in request.scenes))
    found = _questions(read, scenes, request.question_ids)
    resolved = Resolved(
        request=request,
        brands=brands,
        surfaces=surfaces,
        scenes={scene: len(asked) for scene, asked in found.items()},
        parts=tuple(_parts(read, request, brands, found)),
    )
    _refuse_too_many(resolved)
    return resolved


def _brands(read: Read, request: BatchRequest) -> tuple[Brand, ...]:
    if not request.all_brands:
        return _unique([pick_brand(read, name) for name in request.brands])
    if request.brands:
        raise UsageError("batch_brands_twice", "Name brands, or say --all-brands; not both.")
    return tuple(brand for brand in stored_brands.every(read) if brand.is_active)


def _refuse_impossible(request: BatchRequest) -> None:
    if not 1 <= request.rounds <= MOST_ROUNDS:
        text = f"{request.rounds} rounds are not possible; choose 1 to {MOST_ROUNDS}."
        raise UsageError("batch_rounds", text, rounds=request.rounds, most=MOST_ROUNDS)
    if request.timeout_s is not None and not 0 < request.timeout_s <= LONGEST_TIMEOUT_S:
        text = f"A time-out of {request.timeout_s:g} s is not possible; choose more than 0 and at most a year."
        raise UsageError("batch_timeout_bad", text, timeout=f"{request.timeout_s:g}")
    window = request.window
    if window is not None and (window.tasks < 1 or not 0 < window.every_s <= LONGEST_TIMEOUT_S):
        text = "A time window needs at least one call, and more than 0 and at most a year between two windows."
        raise UsageError("batch_window_bad", text)


def _parts(read: Read, request: BatchRequest, brands: Sequence[Brand], found: Mapping[str, Asked]) -> Iterator[Part]:
    for brand in brands:
        if request.split_scenes:
            yield from (Part(brand=brand, scenes=(scene,), questions=asked) for scene, asked in found.items())
        else:
            yield Part(brand=brand, scenes=tuple(found), questions=_together(read, found))


def _together(read: Read, found: Mapping[str, Asked]) -> Asked:
    """Return the questions of all scenes in id order, as a batch that is not split asks them."""
    if len(found) == 1:
        return next(iter(found.values()))
    if any(isinstance(asked, list) for asked in found.values()):
        return sorted((one for asked in found.values() for one in asked), key=lambda one: one.question_id)
    return bank.ActiveQuestions(read, tuple(found), sum(len(asked) for asked in found.values()))


def _refuse_too_many(resolved: Resolved) -> None:
    window = resolved.request.window
    batches = len(resolved.parts) if window is None else resolved.calls // window.tasks
    if batches > MOST_SPLITS:
        text = f"The request would make {batches} batches, more than {MOST_SPLITS}; take larger time windows."
        raise UsageError("batch_splits", text, batches=batches, most=MOST_SPLITS)


def content_of(read: Read, request: BatchRequest, platforms: Platforms) -> dict[str, object]:
    """Return what a request asks for as JSON values; two that mean the same are equal, whatever the bank holds by then.

    Raises UsageError for a brand that is not tracked and a scene that cannot be one.
    """
    return {
        "brands": sorted({pick_brand(read, name).standard_name for name in request.brands}),
        "all_brands": request.all_brands,
        "split_scenes": request.split_scenes,
        "window": None if request.window is None else list(request.window),
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


def _questions(read: Read, scenes: Sequence[str], ids: Sequence[str]) -> dict[str, Asked]:
    """Return the active questions by scene, only those with `ids` if any are given."""
    if not ids:
        counts = {scene: count for scene, count in bank.scenes(read).items() if not scenes or scene in scenes}
        if not counts:
            raise _nothing(read, scenes)
        return {scene: bank.ActiveQuestions(read, (scene,), count) for scene, count in counts.items()}
    wanted = bank.Wanted(scenes=scenes or None, active=True, ids=ids)
    found = [one.question for one in bank.find(read, wanted)]
    known = {question.question_id for question in found}
    absent = [id_ for id_ in dict.fromkeys(ids) if id_ not in known]
    if absent:
        where = f" in {', '.join(scenes)}" if scenes else ""
        text = f"There is no active question {absent[0]}{where}; see `answerwatch questions list`."
        raise UsageError("batch_question_unknown", text, question=absent[0])
    by_scene: dict[str, list[Question]] = {scene: [] for scene in sorted({one.scene_type for one in found})}
    for question in found:
        by_scene[question.scene_type].append(question)
    return dict(by_scene)


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


def refuse_short(resolved: Resolved) -> None:
    """Raise UsageError for a time-out or a window that the platforms' limits make too short, unless it is forced."""
    if resolved.request.force:
        return
    longest = max(resolved.slice_s(one) for one in resolved.slices)
    window, wanted = resolved.request.window, resolved.request.timeout_s
    if window is not None and longest > window.every_s:
        needed = math.ceil(longest)
        text = (
            f"A time window of {window.tasks} calls needs {needed} s at least under the platforms' limits, more than "
            f"the {window.every_s:g} s until the next one; take fewer calls or more time, or force it."
        )
        raise UsageError("batch_window_short", text, tasks=window.tasks, needed=needed, every=f"{window.every_s:g}")
    needed_s = longest if window is not None else resolved.calls_s
    if wanted is not None and wanted < needed_s:
        raise _too_short(resolved, wanted, needed_s)


def _too_short(resolved: Resolved, wanted: float, needed_s: float) -> UsageError:
    """Return the error of a time-out that cannot be kept, with the split into time windows that can."""
    needed, timeout = math.ceil(needed_s), f"{wanted:g}"
    text = f"The batch needs {needed} s at least under the platforms' limits, more than its time-out of {timeout} s"
    split = window_for(wanted, resolved.calls, [speed_of(one) for one in resolved.surfaces])
    if split is None:
        text += "; not even one call fits into that. Give it more time, or force it."
        return UsageError("batch_timeout_hopeless", text, needed=needed, timeout=timeout)
    (tasks, every_s), count = split
    text += (
        f"; give it more time, split it with --window {tasks}/{every_s / 60:g} ({count} batches of at most {tasks} "
        "calls), or force it."
    )
    option = f"{tasks}/{every_s / 60:g}"
    return UsageError(
        "batch_timeout_short", text, needed=needed, timeout=timeout, option=option, batches=count, tasks=tasks
    )
