"""A piece of work that is loaded and can run without the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from answerwatch.domain.failures import LONGEST_MESSAGE, Failure, Severity
from answerwatch.domain.work import Claim, Failed, HandedBack, Outcome, Why
from answerwatch.engine.stage import Item, Stage, Step
from answerwatch.errors import ServiceError
from answerwatch.store.database import Store
from answerwatch.store.upsert import chunks

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Items of one step that run together."""

    step: Step[Any, Any]
    items: Sequence[Item]

    @property
    def claims(self) -> list[Claim]:
        """Return the claims of the items."""
        return [item.claim for item in self.items]


@dataclass(slots=True)
class Loaded:
    """What became of claims when their rows were read."""

    works: list[Work]
    outcomes: list[Outcome[Any]]
    """Of claims that cannot run: damaged rows failed for good, and handed back where the database was gone."""


def load(store: Store, stage: Stage, claims: Sequence[Claim]) -> Loaded:
    """Read what the claims need, for all of a step at once, and cut it into runs of `stage.together` items."""
    loaded = Loaded([], [])
    steps = sorted({claim.step for claim in claims})
    for index in steps:
        of_step = claims if len(steps) == 1 else [claim for claim in claims if claim.step == index]
        step = stage.steps[index]
        items = _items(store, step, of_step, loaded.outcomes)
        loaded.works += [Work(step=step, items=part) for part in chunks(items, stage.together)]
    return loaded


def _items(store: Store, step: Step[Any, Any], claims: Sequence[Claim], out: list[Outcome[Any]]) -> list[Item]:
    """Return the items of the claims; what cannot be loaded is halved until it stands alone."""
    try:
        with store.reading() as tx:
            items = list(step.load(tx, claims))
        _check(step, items, claims)
        return items
    except ServiceError as error:
        log.warning("work_not_loaded", step=step.name, tasks=len(claims), error=error.text)
        out += [HandedBack(claim=claim, why=Why.UNUSED) for claim in claims]
        return []
    except Exception as error:  # noqa: BLE001 -- whatever one damaged row does to a stage must not stop the others
        if len(claims) == 1:
            out.append(Failed(claim=claims[0], failure=broken(error, "load_failed")))
            return []
        half = len(claims) // 2
        return [*_items(store, step, claims[:half], out), *_items(store, step, claims[half:], out)]


def _check(step: Step[Any, Any], items: Sequence[Item], claims: Sequence[Claim]) -> None:
    missing = {claim.task_id for claim in claims} - {item.claim.task_id for item in items}
    if missing or len(items) != len(claims):
        text = f"step {step.name!r} loaded {len(items)} of {len(claims)} tasks; missing: {sorted(missing)[:3]}"
        raise LookupError(text)


def broken(error: BaseException, error_type: str, severity: Severity = Severity.PERMANENT) -> Failure:
    """Return the failure that an unexpected error of a stage becomes; its text is made safe to store."""
    text = f"{type(error).__name__}: {error}"[:LONGEST_MESSAGE]
    safe = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
    return Failure(error_type=error_type, severity=severity, message=safe)


def next_step(claim: Claim) -> Claim:
    """Return the claim as it is after its step was stored."""
    return claim._replace(step=claim.step + 1)
