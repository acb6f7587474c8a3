"""What requests hold, and the answers that are more than one view of the workspace."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from answerwatch.domain.similarity import Roles
from answerwatch.workspace.batches.views import BatchView
from answerwatch.workspace.similarity.views import Hit, JobRequest, JobView, LineProblem, ListSource

MOST_IDS = 1_000
LONGEST_ID = 191
_WITHOUT_NUL = r"^[^\x00]*$"

Text = Annotated[str, StringConstraints(max_length=100_000)]
# One text that cannot be is told: a list of a million of them is no list of a million errors.
Texts = Annotated[list[Text], Field(fail_fast=True)]
Name = Annotated[str, StringConstraints(max_length=LONGEST_ID, pattern=_WITHOUT_NUL)]
IdInPath = Annotated[str, Path(max_length=LONGEST_ID, pattern=_WITHOUT_NUL)]
IdInQuery = Annotated[
    str | None, Query(max_length=LONGEST_ID, pattern=_WITHOUT_NUL, description="The `next` of the page before.")
]


class _Told(BaseModel):
    """A model whose fields are described by what stands below them."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class JobBody(_Told):
    """A similarity job: `left` with `right` (every pair), `left` alone (every unordered pair), or `pairs`."""

    model_config = ConfigDict(extra="forbid")

    left: Texts | None = None
    right: Texts | None = None
    pairs: Annotated[list[tuple[Text, Text]], Field(fail_fast=True)] | None = None
    scorer: Name | None = None
    """None: the default one of `answerwatch similarity scorers`."""
    finder: Name | None = None
    every_pair: bool = False
    candidates: Annotated[int, Field(ge=1, le=1_000)] = 20
    roles: Roles = Roles.SAME
    too_long: Name = "skip"
    priority: Annotated[int, Field(ge=0, le=1)] = 0
    note: Annotated[str, StringConstraints(max_length=200, pattern=_WITHOUT_NUL)] = ""

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


class JobIds(_Told):
    """Jobs to look at."""

    model_config = ConfigDict(extra="forbid")

    job_ids: Annotated[list[Name], Field(max_length=MOST_IDS, fail_fast=True)]


class Jobs(_Told):
    """Jobs in the order that was asked for."""

    jobs: list[JobView]


class JobsPage(_Told):
    """Jobs, the newest first."""

    jobs: list[JobView]
    next: str | None
    """Cursor of the next page; None: this was the last."""


class Batches(_Told):
    """Batches, the newest first."""

    batches: list[BatchView]
    next: str | None
    """Cursor of the next page; None: this was the last."""


class LineProblems(_Told):
    """Lines without a score, or cut, and why."""

    problems: list[LineProblem]


class Hits(_Told):
    """Pairs in the results."""

    hits: list[Hit]
    next: str | None
    """Cursor of the next page; None: this was the last."""


class ValueProblem(_Told):
    """One value of a request that cannot be used."""

    at: list[str]
    """Where it stands: `body`, `query` or `path`, then names and numbers."""
    message: str


class ProblemDocument(_Told):
    """What went wrong (RFC 9457)."""

    type: str
    """A URN that holds the code."""
    title: str
    """What sort of problem it is, in the language of the client."""
    status: int
    detail: str
    """What is wrong and what to do, in the language of the client."""
    code: str
    """The same in every language and version: what programs decide by."""
    params: dict[str, str | int | float | None]
    """The facts of `detail`."""
    errors: list[ValueProblem] = Field(default=[])
    """Values that cannot be used; the first of them where there are many."""
