"""The platforms of a workspace: what can be asked, under which limits, and which ones wait for a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from answerwatch.domain.limits import Breaker
from answerwatch.platforms.records import Price, SurfaceKind
from answerwatch.store.database import Store


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
        return self.breaker in (Breaker.PARKED, Breaker.PROBING)


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
    problem: str | None
    fix: str | None


class PlatformDesk:
    """Verbs on platforms."""

    def __init__(self, store: Callable[[], Store], file: Path, environ: Mapping[str, str]) -> None:
        """Read `file` (`platforms.toml`) anew with every verb; `store` is opened only where lanes are asked for."""
        self._open_store = store
        self._file = file
        self._environ = environ

    def list(self, *, catalogue: bool = False) -> tuple[PlatformView, ...]:
        """Return the platforms of the workspace; with `catalogue` those that could be added too."""
        raise NotImplementedError

    def show(self, name: str) -> PlatformView:
        """Return one platform by any of its names; raises UsageError listing the known ones."""
        raise NotImplementedError

    def add(self, name: str, values: Mapping[str, object] | None = None) -> PlatformView:
        """Append a platform to `platforms.toml`; `values` are keys of that file (base_url, model, rate, ...)."""
        raise NotImplementedError

    def check(self, name: str | None = None) -> tuple[PlatformCheck, ...]:
        """Return for one platform or all whether it could be asked: protocol, key, parking. Makes no call."""
        raise NotImplementedError

    def unpark(self, name: str) -> LaneView:
        """Let a parked platform be asked again at once; raises UsageError when it is not parked."""
        raise NotImplementedError
