"""The seam between the client and the kinds of servers: what a kind has to say of a call."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol, TypeVar

from answerwatch.scorers.http.replies import Numbers

T_contra = TypeVar("T_contra", contravariant=True)
"""A text, or a pair of texts."""

Pair = tuple[str, str]


class Dialect(Protocol[T_contra]):
    """How texts or pairs are sent, and their numbers read. Pure: the same items make the same call."""

    @property
    def path(self) -> str:
        """Return the path below the base URL."""

    def together(self, item: T_contra) -> Hashable:
        """Return what items of one call have in common; None: any may go together."""

    def body(self, items: Sequence[T_contra]) -> Mapping[str, object]:
        """Return the JSON object that asks for them."""

    def read(self, document: object, items: Sequence[T_contra]) -> Numbers:
        """Return a row for each item, in their order; raises BadShape for what cannot be told apart."""
