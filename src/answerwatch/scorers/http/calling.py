"""Many calls for many texts: cut to size, several at once, put together again; what is refused is looked into."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import anyio
import orjson

from answerwatch.domain.answers import Reply
from answerwatch.domain.failures import Failure
from answerwatch.domain.said import Said
from answerwatch.platforms.classify import Trouble, failure_of
from answerwatch.platforms.records import Means
from answerwatch.scorers.http.dialect import Dialect
from answerwatch.scorers.http.limits import Limits, cut, speaks_of_length, told_limit
from answerwatch.scorers.http.pace import Pace
from answerwatch.scorers.http.replies import BadShape, bad_reply, document_of
from answerwatch.similarity.scorer import Floats, Refusal

T = TypeVar("T")

HASTY = frozenset({Means.RATE_LIMITED, Means.OVERLOADED})
"""The server asks us to wait."""
UNWILLING = frozenset({Means.BAD_REQUEST, Means.FILTERED, Means.TOO_LARGE})
"""Too many texts, too long ones, one that is never taken, or a longer reply than we read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand(Generic[T]):
    """What a server is asked for, and how it is reached."""

    dialect: Dialect[T]
    size: Callable[[T], int]
    """Characters of an item."""
    sample: Sequence[T]
    """Harmless items: a server that refuses these too refuses the call, not what stands in it."""
    send: Callable[[str, bytes], Awaitable[Reply]]
    revision: Callable[[Reply, object], str | None]
    patience_s: float


@dataclass(slots=True)
class _Halves:
    """A part that was refused and is tried in halves: where both are taken, there was too much in it."""

    about_length: bool
    left: int = 2
    texts: int = 0
    chars: int = 0
    refused: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """What goes into one call, as places in the list of items."""

    places: list[int]
    half_of: _Halves | None = None


@dataclass(slots=True, kw_only=True)
class Found:
    """What came of it."""

    rows: dict[int, Floats] = field(default_factory=dict)
    refused: dict[int, Refusal] = field(default_factory=dict)
    tokens: int | None = 0
    """None: some reply told none."""
    failure: Failure | None = None
    """Why some items are neither here nor there; None: none is."""
    revisions: set[str | None] = field(default_factory=set)
    """What replies said of the revision of the model."""


class Calls(Generic[T]):
    """One errand with some items; a thread's loop runs it once."""

    def __init__(self, errand: Errand[T], items: Sequence[T], limits: Limits, pace: Pace) -> None:
        """Share limits and pace with other errands to the same server."""
        self._errand = errand
        self._items = items
        self._limits = limits
        self._pace = pace
        self._waiting: deque[_Part] = deque()
        self._busy = 0
        self._news = anyio.Event()
        self._found = Found()
        self._halves: list[_Halves] = []
        self._is_innocent = False

    async def run(self, places: Sequence[int]) -> Found:
        """Return numbers and refusals of the items at some places; where it failed, those it has so far."""
        self._pace.begin(anyio.current_time(), self._errand.patience_s)
        groups: dict[Hashable, list[int]] = {}
        for place in places:
            groups.setdefault(self._errand.dialect.together(self._items[place]), []).append(place)
        self._waiting.extend(_Part(part) for group in groups.values() for part in self._cut(group))
        async with anyio.create_task_group() as tasks:
            while (part := await self._next()) is not None:
                self._busy += 1
                tasks.start_soon(self._do, part)
        return self._found

    def _cut(self, places: Sequence[int]) -> list[list[int]]:
        return list(cut(places, lambda place: self._errand.size(self._items[place]), self._limits))

    async def _next(self) -> _Part | None:
        """Return what is sent next, as soon as it may be; None where nothing is left to do."""
        while self._found.failure is None and (self._waiting or self._busy):
            pause = self._pace.quiet_until - anyio.current_time()
            if self._waiting and self._busy < self._room() and pause <= 0:
                return self._first()
            self._news = anyio.Event()
            with anyio.move_on_after(pause if self._waiting and pause > 0 else None):
                await self._news.wait()
        return None

    def _room(self) -> int:
        """Return how many calls may be under way.

        One as long as nobody knows how much a call may hold: several of a size that is refused would all be refused.
        """
        is_open = not self._limits.proven or any(one.left and not one.refused for one in self._halves)
        return 1 if is_open else self._pace.width

    def _first(self) -> _Part:
        """Take the first part that waits, cut anew where limits were lowered since."""
        part = self._waiting.popleft()
        first, *rest = self._cut(part.places)
        if not rest:
            return part
        _mark_refused(part)
        self._waiting.extendleft(_Part(one) for one in reversed(rest))
        return _Part(first)

    async def _do(self, part: _Part) -> None:
        try:
            reply, document = await self._ask([self._items[place] for place in part.places])
            if isinstance(document, Trouble):
                await self._met(part, document, reply)
            else:
                self._take(part, reply, document)
        except BadShape as error:
            self._fail(bad_reply(str(error)))
        finally:
            self._busy -= 1
            self._news.set()

    async def _ask(self, items: Sequence[T]) -> tuple[Reply, object]:
        dialect = self._errand.dialect
        reply = await self._errand.send(dialect.path, orjson.dumps(dialect.body(items)))
        return reply, document_of(reply)

    def _take(self, part: _Part, reply: Reply, document: object) -> None:
        items = [self._items[place] for place in part.places]
        numbers = self._errand.dialect.read(document, items)
        self._found.rows.update(zip(part.places, numbers.rows, strict=True))
        has_tokens = self._found.tokens is not None and numbers.tokens is not None
        self._found.tokens = (self._found.tokens or 0) + (numbers.tokens or 0) if has_tokens else None
        self._found.revisions.add(self._errand.revision(reply, document))
        self._limits.proven = True
        self._pace.went_well()
        if part.half_of is not None:
            self._learn(part.half_of, len(items), sum(map(self._errand.size, items)))

    def _learn(self, halves: _Halves, texts: int, chars: int) -> None:
        """Lower a limit where both halves of what was refused were taken."""
        halves.left -= 1
        halves.texts, halves.chars = max(halves.texts, texts), max(halves.chars, chars)
        if halves.left or halves.refused:
            return
        if halves.about_length:
            self._limits.lower(chars=halves.chars)
        else:
            self._limits.lower(texts=halves.texts)

    async def _met(self, part: _Part, trouble: Trouble, reply: Reply) -> None:
        """Wait, try smaller parts, or give up, as the trouble demands."""
        is_filtered = trouble.means is Means.FILTERED
        failure = failure_of(replace(trouble, means=Means.BAD_REQUEST) if is_filtered else trouble, reply)
        if trouble.means in HASTY:
            now = anyio.current_time()
            self._pace.too_fast(now, failure.retry_after_s)
            if self._pace.wait_in_all() > self._errand.patience_s:
                self._fail(failure)
            self._waiting.appendleft(part)
        elif trouble.means in UNWILLING or reply.status == 413:
            # A 413 may be a page of the gateway before the server.
            await self._refused(part, trouble, failure)
        else:
            self._fail(failure)

    async def _refused(self, part: _Part, trouble: Trouble, failure: Failure) -> None:
        _mark_refused(part)
        count = len(part.places)
        limit = None if trouble.means is Means.TOO_LARGE else told_limit(trouble.message, count)
        if limit is not None:
            self._limits.lower(texts=limit)
            self._waiting.appendleft(_Part(part.places))
        elif count > 1:
            about_length = trouble.means is not Means.TOO_LARGE and speaks_of_length(trouble.message)
            halves, middle = _Halves(about_length), (count + 1) // 2
            self._halves.append(halves)
            self._waiting.extendleft((_Part(part.places[middle:], halves), _Part(part.places[:middle], halves)))
        elif trouble.means is Means.TOO_LARGE:
            self._fail(failure)
        elif (deeper := await self._deeper(failure)) is not None:
            self._fail(deeper)
        else:
            self._found.refused[part.places[0]] = refusal_of(trouble, failure)

    async def _deeper(self, failure: Failure) -> Failure | None:
        """Return None where only this item is refused; the failure where harmless ones are refused, too."""
        if not self._is_innocent:
            reply, document = await self._ask(self._errand.sample[:1])
            if isinstance(document, Trouble):
                return failure if document.means in UNWILLING else failure_of(document, reply)
            self._is_innocent = True
        return None

    def _fail(self, failure: Failure) -> None:
        self._found.failure = self._found.failure or failure


def _mark_refused(part: _Part) -> None:
    if part.half_of is not None:
        part.half_of.refused = True


def refusal_of(trouble: Trouble, failure: Failure) -> Refusal:
    """Return why a single text or pair is not taken."""
    is_long = failure.http_status == 413 or speaks_of_length(trouble.message)
    text = f"The server does not take it: {failure.message}"
    return Refusal(
        reason="too_long" if is_long else "refused", message=Said("scorer_refused", text, why=failure.message)
    )
