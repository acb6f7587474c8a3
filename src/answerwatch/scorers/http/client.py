"""One server as its scorer knows it: which model it runs, how much it takes, what it was asked and did not finish."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import Generic, TypeVar

from answerwatch.domain.answers import Reply
from answerwatch.domain.failures import Failure, Severity
from answerwatch.errors import ConfigurationError
from answerwatch.platforms.classify import Trouble, failure_of
from answerwatch.platforms.keys import MissingKey, find_key
from answerwatch.platforms.records import HttpCall, Means, Surface
from answerwatch.platforms.sender import Sender
from answerwatch.scorers.http import canary
from answerwatch.scorers.http.calling import Calls, Errand, Found
from answerwatch.scorers.http.dialect import Dialect
from answerwatch.scorers.http.limits import Limits
from answerwatch.scorers.http.pace import Pace
from answerwatch.scorers.http.portal import Portal
from answerwatch.scorers.http.replies import bad_reply, document_of, revision_in
from answerwatch.scorers.http.settings import ServerSettings
from answerwatch.similarity.scorer import CHANGED, Floats, Notebook, ScorerTrouble

T = TypeVar("T")

LARGEST_REPLY = 64 * 1024 * 1024
"""Bytes of a reply: 2,048 vectors of 1,024 numbers as JSON are 25 million."""
SPARE = 2
SILENT_S = 10.0
"""A server that could not be asked what it runs is not asked again before: who wants to know would wait each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a server tells of itself before it is asked anything."""

    model: str | None = None
    revision: str | None = None
    texts: int | None = None
    """Texts in one call at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Which model it is."""

    model: str
    revision: str | None
    by_reply: bool = False
    """Every reply tells the revision."""
    rows: Sequence[Floats] = ()
    """Its answer to the canary; empty where the server told the revision before."""
    canary: str | None = None
    """Name of that answer; None where the revision is known."""

    def is_same(self, other: Known) -> bool:
        """Tell whether it is the same model still."""
        if (self.model, self.revision) != (other.model, other.revision):
            return False
        return self.revision is not None or canary.is_same(self.rows, other.rows)


def model_unknown(_: object) -> Told:
    """Return nothing."""
    return Told()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[T]):
    """What a kind of server adds to the client."""

    model: str
    """As it was asked for; a server may know better."""
    settings: str
    """What else changes the numbers, as a scorer's id has it."""
    size: Callable[[T], int]
    canary: Sequence[T]
    dialect: Dialect[T]
    """For the canary."""
    info_path: str | None = None
    """Where the server tells of itself."""
    read_info: Callable[[object], Told] = model_unknown


@dataclass(slots=True)
class _Work:
    """One piece of work: under which model it began, what was answered before, and whether the model stayed."""

    known: Known
    kept: Mapping[int, Floats]
    is_same: bool = True


class Client(Generic[T]):
    """Asks one server; threads take turns."""

    def __init__(
        self, name: str, kind: Kind[T], settings: ServerSettings, environ: Mapping[str, str] | None = None
    ) -> None:
        """Ask nothing yet; raises ConfigurationError where the key is missing."""
        self._name = name
        self._kind = kind
        self._settings = settings
        self._environ = os.environ if environ is None else environ
        self._surface = _surface(name, settings)
        _check_key(name, self._surface, self._environ)
        self._limits = Limits(settings.texts, settings.chars)
        self._pace = Pace(settings.in_flight)
        self._portal = Portal(self._sender)
        self._lock = threading.RLock()
        self._known: Known | None = None
        self._silent: Failure | None = None
        self._silent_until = 0.0
        self._notebook: Notebook | None = None
        self._unfinished: dict[tuple[str, T], Floats] = {}

    def keep_notes(self, notebook: Notebook) -> None:
        """Take over what was learnt of this server before, and write down what is learnt from now on."""
        self._notebook = notebook
        noted = notebook.read().get("limits")
        if isinstance(noted, Mapping) and noted.get("of") == self._place:
            texts, chars = noted.get("texts"), noted.get("chars")
            self._limits.lower(
                texts=texts if isinstance(texts, int) else None, chars=chars if isinstance(chars, int) else None
            )

    def known(self) -> Known:
        """Return which model it is; asks the first time. Raises ScorerTrouble where it cannot be asked."""
        if (known := self._known) is not None:
            return known
        with self._lock:
            if self._silent is not None and time.monotonic() < self._silent_until:
                raise ScorerTrouble(self._silent)
            try:
                self._known = self._known or self._named(self._portal.run(self._who))
            except ScorerTrouble as error:
                self._silent, self._silent_until = error.failure, time.monotonic() + SILENT_S
                raise
            return self._known

    def look_again(self) -> None:
        """Ask anew which model it is, the next time that somebody wants to know."""
        with self._lock:
            self._known = self._silent = None
            self._unfinished.clear()

    def ask(self, items: Sequence[T], dialect: Dialect[T], role: str = "") -> Found:
        """Return numbers of all items but those that are refused.

        Raises ScorerTrouble when it failed: what was answered before is not asked for again the next time.
        """
        with self._lock:
            kept = {
                place: row
                for place, item in enumerate(items)
                if (row := self._unfinished.get((role, item))) is not None
            }
            work, before = _Work(self.known(), kept), (self._limits.texts, self._limits.chars)
            found = self._portal.run(partial(self._work, items, dialect, work))
            if (self._limits.texts, self._limits.chars) != before:
                self._note({"limits": {"of": self._place, "texts": self._limits.texts, "chars": self._limits.chars}})
            if not work.is_same:
                raise self.changed()
            self._unfinished = {}
            if found.failure is not None:
                self._unfinished = {(role, items[place]): row for place, row in found.rows.items()}
                raise ScorerTrouble(found.failure)
            return found

    def changed(self) -> ScorerTrouble:
        """Return the trouble of a server that runs another model than before, and forget which one it was."""
        self.look_again()
        text = f"The server of {self._name} runs another model than it did; scores of two models are never mixed."
        return ScorerTrouble(Failure(error_type=CHANGED, severity=Severity.PERMANENT, message=text))

    def close(self) -> None:
        """End what runs and let go of the connections."""
        self._portal.close()

    @property
    def about(self) -> str:
        """Return what its numbers depend on besides the model, as a scorer's id has it."""
        return self._kind.settings

    @property
    def _place(self) -> str:
        """Return a short name of the server and the model that is asked for."""
        return blake2b(f"{self._settings.root} {self._kind.model}".encode(), digest_size=8).hexdigest()

    def _sender(self) -> Sender:
        header = self._settings.revision_header
        return Sender(
            slots=self._settings.in_flight + SPARE,
            environ=self._environ,
            max_body=LARGEST_REPLY,
            also_kept=frozenset({header.lower()} if header else ()),
        )

    async def _send(self, sender: Sender, path: str, body: bytes | None = None) -> Reply:
        call = HttpCall(
            sub_task_id="",
            attempt=1,
            platform=self._name,
            url=self._settings.root + path,
            headers=(("content-type", "application/json"), ("accept", "application/json")),
            body=body or b"",
            method="GET" if body is None else "POST",
        )
        return await sender.send(call, self._surface)

    def _errand(self, sender: Sender, dialect: Dialect[T]) -> Errand[T]:
        settings = self._settings
        return Errand(
            dialect=dialect,
            size=self._kind.size,
            sample=self._kind.canary,
            send=partial(self._send, sender),
            revision=lambda reply, document: revision_in(
                reply, document, settings.revision_header, settings.revision_field
            ),
            patience_s=settings.patience_s,
        )

    async def _work(self, items: Sequence[T], dialect: Dialect[T], work: _Work, sender: Sender) -> Found:
        """Ask for items, and then whether it still is the model that it was."""
        places = [place for place in range(len(items)) if place not in work.kept]
        found = await Calls(self._errand(sender, dialect), items, self._limits, self._pace).run(places)
        if work.known.by_reply:
            work.is_same = found.revisions <= {work.known.revision}
        elif found.rows and found.failure is None:
            try:
                work.is_same = work.known.is_same(await self._who(sender))
            except ScorerTrouble as error:
                found.failure = error.failure
        found.rows.update(work.kept)
        return found

    async def _who(self, sender: Sender) -> Known:
        """Ask which model it is: what the server tells, else what it makes of the canary."""
        told = await self._told(sender)
        model = told.model or self._kind.model
        if told.revision is not None:
            return Known(model=model, revision=told.revision)
        size = len(self._kind.canary)
        limits, pace = Limits(min(size, self._limits.texts), self._limits.chars), Pace(1)
        found = await Calls(self._errand(sender, self._kind.dialect), self._kind.canary, limits, pace).run(range(size))
        if found.failure is not None:
            raise ScorerTrouble(found.failure)
        if found.refused or len(found.revisions) != 1:
            raise ScorerTrouble(bad_reply("it does not take harmless texts, or names several revisions."))
        (revision,) = found.revisions
        rows = [found.rows[place] for place in range(size)]
        return Known(model=model, revision=revision, by_reply=revision is not None, rows=rows)

    async def _told(self, sender: Sender) -> Told:
        if self._kind.info_path is None:
            return Told()
        reply = await self._send(sender, self._kind.info_path)
        document = document_of(reply)
        if isinstance(document, Trouble):
            if document.means is Means.NOT_FOUND:
                return Told()
            raise ScorerTrouble(failure_of(document, reply))
        told = self._kind.read_info(document)
        if told.texts is not None and told.texts < self._limits.texts:
            self._limits.lower(texts=told.texts)
        return told

    def _named(self, who: Known) -> Known:
        """Give the answer to the canary its name: that of the last one where it is the same."""
        if who.revision is not None:
            return who
        of = f"{self._place} {who.model} {self._kind.settings}"
        noted = canary.from_note(self._notes().get("canary"), of, who.rows[0].shape)
        if noted is not None and canary.is_same(noted[1], who.rows):
            return replace(who, canary=noted[0])
        name = canary.name_of(who.rows)
        self._note({"canary": canary.to_note(of, name, who.rows)})
        return replace(who, canary=name)

    def _notes(self) -> Mapping[str, object]:
        return {} if self._notebook is None else self._notebook.read()

    def _note(self, facts: Mapping[str, object]) -> None:
        if self._notebook is not None:
            self._notebook.write(facts)


def _surface(name: str, settings: ServerSettings) -> Surface:
    """Return how the sender reaches the server."""
    return Surface(
        name=name,
        product=name,
        base_url=settings.root,
        key_env=settings.key_env,
        connect_s=min(10.0, settings.timeout_s),
        write_s=settings.timeout_s,
        read_gap_s=settings.timeout_s,
        deadline_s=settings.timeout_s,
        allow_private=settings.allow_private,
    )


def _check_key(name: str, surface: Surface, environ: Mapping[str, str]) -> None:
    try:
        find_key(surface, environ)
    except MissingKey as error:
        variable = surface.key_env
        text = f"The key of scorer {name} is missing or no key; set the environment variable {variable}."
        raise ConfigurationError("scorer_key_missing", text, scorer=name, variable=variable) from error
