"""What is shown of batches: plans, statuses, progress. Records only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from answerwatch.domain.batches import DEFAULT_ROUNDS, BatchStatus, Window
from answerwatch.store.batch.sub_tasks import FailureCount


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """What a batch should ask."""

    brands: tuple[str, ...]
    """Focal brands by standard name; one batch for each, together in a group."""
    all_brands: bool = False
    """Every brand in use, instead of `brands`."""
    split_scenes: bool = False
    """A batch of its own for every scene."""
    window: Window | None = None
    """Split by time: batches of so many sub-tasks, one due every so many seconds."""
    platforms: tuple[str, ...]
    """Platform names or other names that lead to them."""
    scenes: tuple[str, ...] = ()
    """Intent classes; empty: all scenes that have active questions."""
    question_ids: tuple[str, ...] = ()
    """Only these of the scenes' active questions; empty: all of them."""
    rounds: int = DEFAULT_ROUNDS
    priority: int = 0
    """1: before all of 0."""
    timeout_s: float | None = None
    """From the first call on; None: 30 minutes or twice the planned duration."""
    force: bool = False
    """Accept a time-out that is shorter than the planned duration."""
    idempotency_key: str | None = None
    """The same key gives the same batches again; with another request it is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformPlan:
    """What a batch means for one platform."""

    platform: str
    calls: int
    duration_s: float
    """At least, under the platform's limits; lanes run side by side."""
    rate: float
    capacity: int
    in_flight: int | None
    price: float | None
    """Estimate by the catalogue's prices and usual lengths; None: not known, never free."""
    currency: str | None
    key_missing: str | None
    """Environment variable that should hold the key and is not set; None: all there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPlan:
    """What one batch of a request would be."""

    brand: str
    scenes: tuple[str, ...]
    questions: int
    calls: int
    after_s: float
    """Seconds after the creation before which nothing of it starts."""
    duration_s: float
    timeout_s: float
    prices: tuple[tuple[str, float], ...]
    """Estimates by currency."""
    unpriced: tuple[str, ...]
    """Platforms whose price is not known: never free."""
    half_width: float
    effective_n: float
    thin: bool
    platforms: tuple[PlatformPlan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPlan:
    """A dry run: what a request would do."""

    brands: tuple[str, ...]
    scenes: tuple[str, ...]
    questions: int
    """Active questions that would be asked."""
    rounds: int
    calls: int
    """All brands together."""
    duration_s: float
    timeout_s: float
    """Of each batch."""
    platforms: tuple[PlatformPlan, ...]
    half_width: float
    """Half of the 95 % interval of a mention rate on one platform, as a share, for the worst case of 50 %."""
    effective_n: float
    thin: bool
    """Fewer than ten questions: intervals are hints."""
    splits: tuple[SplitPlan, ...]
    """The batches it would make, in the order in which they are served."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """What asking again would do: exactly the failed sub-tasks that no other batch asks again."""

    parent_batch_id: str
    calls: int
    questions: int
    duration_s: float
    timeout_s: float
    platforms: tuple[PlatformPlan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """A batch with all that asks its failures again, every cell counted once."""

    batches: tuple[str, ...]
    total: int
    completed: int
    failed: int
    """Failed, and not asked again."""
    open: int
    """Have no outcome yet, or were cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchView:
    """One batch as it is listed."""

    batch_id: str
    brand_name: str
    """'' where the answers were imported without a focal brand."""
    scene_types: tuple[str, ...]
    platforms: tuple[str, ...]
    rounds: int
    total_questions: int
    total: int
    completed: int
    failed: int
    status: BatchStatus
    origin: str
    """`collected` or `imported`."""
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    paused_at: datetime | None
    group_id: str
    parent_batch_id: str | None
    """The batch whose failures it asks again."""
    priority: int
    starts_at: datetime | None
    """When its time window begins; None: at once."""
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ParkedLane:
    """A platform that waits for a person."""

    platform: str
    reason: str
    since: datetime
    waiting: int
    """Sub-tasks that lie on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformProgress:
    """How far one platform is."""

    platform: str
    total: int
    completed: int
    failed: int
    cancelled: int
    running: int
    pending: int
    """Not yet done and not in hand; those that wait for a retry are among them."""
    waiting: int
    """Wait for a retry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanProgress:
    """How far cleaning of the batch's samples is."""

    total: int
    completed: int
    failed: int
    outstanding: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchProgress:
    """Where a batch stands now: total = completed + failed + cancelled + running + pending."""

    batch_id: str
    brand_name: str
    status: BatchStatus
    paused: bool
    total: int
    completed: int
    failed: int
    cancelled: int
    running: int
    """In hand, by the ledger's leases."""
    pending: int
    """Not yet done and not in hand; those that wait for a retry are among them."""
    waiting: int
    percent: float
    """Sub-tasks with an outcome, of 100."""
    rate: float | None
    """Outcomes a second over the last minute; None where there is none yet."""
    eta_s: float | None
    """Seconds until the end as far as can be told; None at first, when paused, and when nothing moves."""
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    deadline: datetime | None
    """When the batch times out; moves while it is paused."""
    stood_s: float | None
    """Seconds since the first call that do not count: paused, all platforms parked, no worker; None: not started."""
    platforms: tuple[PlatformProgress, ...]
    parked: tuple[ParkedLane, ...]
    cleaning: CleanProgress

    @property
    def done(self) -> bool:
        """Tell whether nothing is left to collect."""
        return self.running + self.pending == 0


class Difference(StrEnum):
    """Why reality differs from the plan, as far as rows tell."""

    OPEN = "open"
    """The batch has not ended."""
    NOT_ASKED = "not_asked"
    """Some calls were never made: cancelled, timed out, or answered without one."""
    RETRIES = "retries"
    """Calls failed and were made again."""
    THROTTLED = "throttled"
    """The platform said that calls came too fast."""
    SHARED = "shared"
    """Other batches asked the platform meanwhile."""
    STOOD = "stood"
    """The batch stood for a while: paused, all its platforms parked, or no worker there."""
    UNPRICED = "unpriced"
    """Of some calls the price is not known: the sum is of the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Plan and reality of one platform of a batch."""

    platform: str
    planned_calls: int | None
    """None: planned before plans were kept."""
    calls: int
    """Every request that was sent, failed ones too."""
    planned_s: float | None
    duration_s: float | None
    """From the first call to the end of the last one, pauses included."""
    planned_price: float | None
    price: float | None
    """Sum of the estimates by tokens; None: of no call known."""
    currency: str | None
    retries: int
    throttled: int
    throttled_s: float
    """Waits after throttled calls, summed over all sub-tasks."""
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupProgress:
    """Where batches stand that were created together."""

    group_id: str
    status: BatchStatus
    """Pending or running until all have ended; then as the worst of them."""
    total: int
    completed: int
    failed: int
    cancelled: int
    running: int
    pending: int
    percent: float
    batches: tuple[BatchProgress, ...]
    """In the order in which they are served."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchDetail:
    """One batch with everything that people ask about it."""

    batch: BatchView
    progress: BatchProgress
    failures: tuple[FailureCount, ...]
    invalid: tuple[tuple[str, int], ...] = field(default=())
    """Reasons of invalid samples with their counts."""
    retries: tuple[FailureCount, ...] = ()
    """Calls that failed and were tried again."""
    together: Together | None = None
    """With its re-collections; None: it has none."""
    comparison: tuple[Comparison, ...] = ()
    """Plan and reality by platform; empty for an import."""


class RunEnd(StrEnum):
    """How a run came to its end."""

    COMPLETED = "completed"
    """Every sub-task has its sample."""
    PARTIAL = "partial"
    """Every sub-task has an outcome and some failed."""
    CANCELLED = "cancelled"
    """Cancelled by somebody in the meantime."""
    PAUSED = "paused"
    """Stopped or paused; `batch resume` goes on."""
    PARKED = "parked"
    """What is left lies on platforms that wait for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRun:
    """What came of a run."""

    end: RunEnd
    batches: tuple[BatchProgress, ...]
    parked: tuple[ParkedLane, ...]

    @property
    def succeeded(self) -> bool:
        """Tell whether everything that was asked has an answer."""
        return self.end is RunEnd.COMPLETED


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What a progress display is given, about twice a second."""

    batches: tuple[BatchProgress, ...]
    """Those of the run; empty for `clean run`."""
    total: int
    done: int
    """With an outcome: collected or failed, or cleaned for `clean run`."""
    failed: int
    running: int
    rate: float | None
    eta_s: float | None
    parked: tuple[ParkedLane, ...]
    clean_outstanding: int
    """Clean tasks that are not done yet."""


ShowProgress = Callable[[Snapshot], None]
"""Called from the thread that waits for the run."""
