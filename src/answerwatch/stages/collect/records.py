"""What collection passes from loading to asking to storing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from answerwatch.domain.work import Claim
from answerwatch.platforms.records import Surface
from answerwatch.store.batch.sub_tasks import SubTaskRow
from answerwatch.store.sample.samples import NewSample

LONGEST_ANSWER = 5_000_000
"""Characters of an answer that are still stored."""


class FindsSurface(Protocol):
    """The platforms of a workspace."""

    def get(self, name: str) -> Surface:
        """Return the surface that a platform's name leads to; raises UsageError for an unknown one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOfLimits:
    """The limits of all platforms as a file has them."""

    changed_us: int
    """When the file was changed last, in ledger time; 0: there is none."""
    surfaces: Sequence[Surface]


class ReadsLimits(Protocol):
    """Where limits stand."""

    def limits(self) -> FileOfLimits:
        """Return the limits as they are now; while the file is in disorder, as they were before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToAsk:
    """A claimed sub-task, ready to be asked."""

    claim: Claim
    sub_task: SubTaskRow | None
    """None: its rows are damaged."""
    open_attempts: tuple[int, ...] = ()
    """Earlier attempts without a known outcome: their answers may have been kept."""
    ends_s: float | None = None
    """End of the batch in monotonic time, because this machine's clock may not agree with the ledger's; None: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is known of one request: the ground of its `call_attempt` row, and the sample when it was answered."""

    attempt: int
    started_at: datetime
    ended_at: datetime
    http_status: int | None = None
    cost: float | None = None
    adopted: bool = False
    """Read from the object store; no request was sent now."""
    sample: NewSample | None = None
