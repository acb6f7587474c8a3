"""The platforms of a workspace: what can be asked, under which limits, and which ones wait for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from answerwatch.clock import from_micros
from answerwatch.domain.limits import MICROS, NEEDS_PERSON, Breaker, unpark
from answerwatch.domain.said import Said
from answerwatch.domain.work import COLLECT, collect_lane, name_of_lane
from answerwatch.errors import AnswerwatchError, UsageError
from answerwatch.platforms.catalogue import is_collectable
from answerwatch.platforms.keys import MissingKey, find_key
from answerwatch.platforms.names import canonical
from answerwatch.platforms.records import Price, Surface, SurfaceKind
from answerwatch.platforms.workspace_file import Platforms, add_platform
from answerwatch.store.database import Read, Write
from answerwatch.store.work import lanes, ledger
from answerwatch.workspace.parts import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneView:
    """Limits of one lane and what it has learnt."""

    lane: str
    rate: float | None
    capacity: int | None
    in_flight: int | None
    factor: float
    """Share of the rate in use: cut on throttling, grows back slowly."""
    breaker: Breaker
    reason: str | None
    since: datetime | None
    """When the breaker came to this state; None where it never moved."""
    blocked_until: datetime | None
    """Nothing starts before: the server asked for it."""
    answer_s: float | None
    """Mean seconds of an answer; None where none came yet."""
    leased: int
    """Calls in hand now."""

    @property
    def parked(self) -> bool:
        """Tell whether a person must act."""
        return self.breaker in NEEDS_PERSON

    @property
    def platform(self) -> str:
        """Return the platform whose limits these are."""
        return name_of_lane(self.lane)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformView:
    """One platform of the workspace or of the catalogue."""

    name: str
    product: str
    kind: SurfaceKind
    title_zh: str
    title_en: str
    aliases: tuple[str, ...]
    family: str
    collectable: bool
    """Its protocol is spoken here."""
    in_workspace: bool
    """In `platforms.toml`; others are the catalogue's and can be added."""
    base_url: str
    model: str
    key_env: str | None
    key_present: bool | None
    """None where no key is needed."""
    rate: float
    capacity: int
    in_flight: int
    deadline_s: float
    answer_s: float
    price: Price | None
    exposes_citations: bool
    search_asked: bool
    lane: LaneView | None
    """None before the first batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformCheck:
    """Whether a platform can be asked, as far as can be told without a call."""

    platform: str
    ok: bool
    problem: Said | None
    fix: Said | None


class PlatformDesk:
    """Verbs on platforms."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace; `platforms.toml` is read anew with every verb."""
        self._parts = parts

    def list(self, *, catalogue: bool = False) -> tuple[PlatformView, ...]:
        """Return the platforms of the workspace; with `catalogue` those that could be added too."""
        platforms = self._parts.platforms()
        own = platforms.all()
        more = [one for one in platforms.catalogue.surfaces.values() if one.name not in platforms.surfaces]
        known = self._lanes()
        environ = self._parts.environ()
        views = [_view(one, environ, known, in_workspace=True) for one in own]
        return tuple(views + [_view(one, environ, known, in_workspace=False) for one in more if catalogue])

    def show(self, name: str) -> PlatformView:
        """Return one platform by any of its names; raises UsageError listing the known ones."""
        surface = self._parts.platforms().get(name)
        return _view(surface, self._parts.environ(), self._lanes(), in_workspace=True)

    def add(self, name: str, values: Mapping[str, object] | None = None) -> PlatformView:
        """Append a platform to `platforms.toml`; `values` are keys of that file (base_url, model, rate, ...)."""
        surface = add_platform(self._parts.platforms_file, name, values or {}, self._parts.platforms().catalogue)
        return self.show(surface.name)

    def check(self, name: str | None = None) -> tuple[PlatformCheck, ...]:
        """Return for one platform or all whether it could be asked: protocol, key, parking. Makes no call."""
        views = self.list() if name is None else (self.show(name),)
        return tuple(_check(view) for view in views)

    def unpark(self, name: str) -> LaneView:
        """Let a parked platform be asked again at once; raises UsageError when it is not parked."""
        lane = collect_lane(self._parts.platforms().get(name).lane)

        def work(tx: Write) -> LaneView:
            state = lanes.lock(tx, lane)
            if state is None or state.breaker is Breaker.CLOSED:
                text = f"{name} is not parked; `answerwatch platforms list` shows the state of all."
                raise UsageError("platform_not_parked", text, platform=name)
            lanes.save(tx, unpark(state, tx.now_us()))
            tx.due.add(COLLECT)
            return lane_views(tx, lane)[0]

        return self._parts.store().transact(work)

    def _lanes(self) -> dict[str, LaneView]:
        """Return the lanes by name; none where the database cannot be used yet, so that listing works without it."""
        try:
            store = self._parts.store()
        except AnswerwatchError:
            return {}
        with store.reading() as read:
            return {view.lane: view for view in lane_views(read)}


def lane_views(read: Read, only: str | None = None) -> tuple[LaneView, ...]:
    """Return all lanes, or only one, as they are shown."""
    now = read.now_us()
    return tuple(
        LaneView(
            lane=state.lane,
            rate=state.rate,
            capacity=state.capacity,
            in_flight=state.in_flight,
            factor=state.factor,
            breaker=state.breaker,
            reason=state.breaker_reason,
            since=from_micros(state.breaker_us) if state.breaker_us else None,
            blocked_until=from_micros(state.blocked_us) if state.blocked_us > now else None,
            answer_s=None if state.answer_us is None else state.answer_us / MICROS,
            leased=ledger.leased(read, state.lane),
        )
        for state in lanes.every(read)
        if only in (None, state.lane)
    )


def _view(
    surface: Surface, environ: Mapping[str, str], known: Mapping[str, LaneView], *, in_workspace: bool
) -> PlatformView:
    return PlatformView(
        name=surface.name,
        product=surface.product,
        kind=surface.kind,
        title_zh=surface.title_zh,
        title_en=surface.title_en,
        aliases=surface.aliases,
        family=surface.family,
        collectable=is_collectable(surface),
        in_workspace=in_workspace,
        base_url=surface.base_url,
        model=surface.model,
        key_env=surface.key_env,
        key_present=None if surface.key_env is None else has_key(surface, environ),
        rate=surface.rate,
        capacity=surface.capacity,
        in_flight=surface.in_flight,
        deadline_s=surface.deadline_s,
        answer_s=surface.answer_s,
        price=surface.price,
        exposes_citations=surface.exposes_citations,
        search_asked=surface.search_asked,
        lane=known.get(collect_lane(surface.lane)),
    )


def platform_id(known: Platforms, name: str) -> str:
    """Return the platform id that a name means, also of platforms that are gone and of imported answers."""
    return name if name in known.surfaces else canonical(name, known.aliases)


def has_key(surface: Surface, environ: Mapping[str, str]) -> bool:
    """Tell whether a usable key is there, or none is needed."""
    try:
        find_key(surface, environ)
    except MissingKey:
        return False
    return True


def _check(view: PlatformView) -> PlatformCheck:
    problem: Said | None = None
    fix: Said | None = None
    name, family, key = view.name, view.family, view.key_env
    if not view.collectable:
        problem = Said("platform_foreign", f"its protocol {family} is not spoken here yet", family=family)
        fix = Said("fix_foreign", "import its answers with `answerwatch samples import`")
    elif view.key_present is False:
        problem = Said("platform_keyless", f"its key is missing: {key} is not set", variable=key)
        fix = Said("fix_key", f"set the environment variable {key}, or write it into secrets.env", variable=key)
    elif view.lane is not None and view.lane.parked:
        problem = Said("platform_parked", f"it is parked: {view.lane.reason}", reason=view.lane.reason)
        text = f"put that in order, then run `answerwatch platforms unpark {name}`"
        fix = Said("fix_parked", text, platform=name)
    return PlatformCheck(platform=view.name, ok=problem is None, problem=problem, fix=fix)
