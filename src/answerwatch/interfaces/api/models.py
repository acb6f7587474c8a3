"""What requests hold, and the answers that are more than one view of the workspace."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from answerwatch.domain.similarity import Roles
from answerwatch.workspace.similarity.views import Hit, JobRequest, JobView, ListSource

MOST_IDS = 1_000
Text = Annotated[str, StringConstraints(max_length=100_000)]


class JobBody(BaseModel):
    """A similarity job: `left` with `right` (every pair), `left` alone (every unordered pair), or `pairs`."""

    model_config = ConfigDict(extra="forbid")

    left: list[Text] | None = None
    right: list[Text] | None = None
    pairs: list[tuple[Text, Text]] | None = None
    scorer: str | None = None
    """None: the default one of `answerwatch similarity scorers`."""
    finder: str | None = None
    every_pair: bool = False
    candidates: Annotated[int, Field(ge=1, le=1_000)] = 20
    roles: Roles = Roles.SAME
    too_long: str = "skip"
    priority: Annotated[int, Field(ge=0, le=1)] = 0
    note: Annotated[str, StringConstraints(max_length=200)] = ""

    def asked(self, idempotency_key: str | None) -> JobRequest:
        """Return the job that is asked for."""
        left, right = self.left or [], self.right
        if self.pairs is not None:
            left, right = [one for one, _ in self.pairs], [other for _, other in self.pairs]
        return JobRequest(
            left=ListSource(texts=tuple(left)),
            right=None if right is None else ListSource(texts=tuple(right)),
            is_pairs=self.pairs is not None,
            scorer=self.scorer,
            finder=self.finder,
            every_pair=self.every_pair,
            top_k=self.candidates,
            roles=self.roles,
            too_long=self.too_long,
            priority=self.priority,
            idempotency_key=idempotency_key,
            note=self.note,
        )


class JobIds(BaseModel):
    """Jobs to look at."""

    model_config = ConfigDict(extra="forbid")

    job_ids: Annotated[list[str], Field(max_length=MOST_IDS)]


class Jobs(BaseModel):
    """Jobs, the newest first or in the order that was asked for."""

    jobs: list[JobView]


class Hits(BaseModel):
    """Pairs in the results."""

    hits: list[Hit]
    next: str | None
    """Cursor of the next page; None: this was the last."""
