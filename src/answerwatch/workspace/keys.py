"""Keys to the HTTP interface: made once, shown once, kept as a hash."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from answerwatch.domain.ids import check_key
from answerwatch.domain.texts import in_short
from answerwatch.errors import StoreBusy, UsageError
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import api_keys, audit
from answerwatch.store.ops.api_keys import ApiKey
from answerwatch.workspace.parts import Parts

PREFIX = "aw_"
SHOWN = len(PREFIX) + 6
"""Characters by which people know a key again."""
CREATE, REVOKE = "keys.create", "keys.revoke"


class Scope(StrEnum):
    """What a key may do."""

    READ = "read"
    WRITE = "write"
    """Hand in and cancel work too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key that was just made: the only time that it is shown."""

    key: str
    view: ApiKey


class Keys:
    """Verbs on API keys."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def create(self, name: str, *, scope: Scope = Scope.READ) -> NewKey:
        """Make a key and return it; raises UsageError for a name that is taken or cannot be one."""
        key = PREFIX + secrets.token_urlsafe(32)
        now, actor = self._parts.clock.now(), self._parts.settings.actor
        view = ApiKey(
            key_id=0, name=check_key("name", name), starts_with=key[:SHOWN], scope=str(scope), created_at=now,
            created_by=actor, used_at=None, revoked_at=None,
        )  # fmt: skip

        def work(tx: Write) -> ApiKey:
            if api_keys.by_name(tx, name) is not None:
                text = f"There is or was a key named {in_short(name)!r} already; choose another name."
                raise UsageError("key_taken", text, name=in_short(name))
            api_keys.add(tx, view, _hash(key))
            audit.note(tx, actor=actor, action=CREATE, details=[(name, {"scope": str(scope)})])
            return api_keys.by_name(tx, name) or view

        return NewKey(key=key, view=self._parts.store().transact(work))

    def list(self) -> tuple[ApiKey, ...]:
        """Return all keys, those that were taken back too."""
        with self._parts.store().reading() as read:
            return tuple(api_keys.every(read))

    def revoke(self, name: str) -> None:
        """Take a key back at once; raises UsageError where none of that name holds."""
        now, actor = self._parts.clock.now(), self._parts.settings.actor

        def work(tx: Write) -> None:
            if not api_keys.revoke(tx, name, now):
                text = f"There is no key {in_short(name)!r} that holds; `answerwatch keys list` shows them."
                raise UsageError("key_unknown", text, name=in_short(name))
            audit.note(tx, actor=actor, action=REVOKE, details=[(name, {})])

        self._parts.store().transact(work)

    def are_wanted(self) -> bool:
        """Tell whether nobody is let in without a key: from the first one on, and still when all were taken back."""
        with self._parts.store().reading() as read:
            return api_keys.any_made(read)

    def any_holds(self) -> bool:
        """Tell whether there is a key that lets somebody in."""
        with self._parts.store().reading() as read:
            return api_keys.any_holds(read)

    def holder(self, key: str) -> ApiKey | None:
        """Return the key that somebody showed, None where it does not hold, and note that it was used."""
        with self._parts.store().reading() as read:
            found = self._found(read, key)
        if found is not None and (
            found.used_at is None or self._parts.clock.now() - found.used_at >= api_keys.SEEN_EVERY
        ):
            # A note for people: where the database is busy, the next request makes it.
            with suppress(StoreBusy), self._parts.store().writing() as tx:
                api_keys.seen(tx, found.key_id, self._parts.clock.now())
        return found

    def _found(self, read: Read, key: str) -> ApiKey | None:
        # 256 random bits: who knows part of a hash knows nothing of the key, so the look-up may take any time.
        return api_keys.by_hash(read, _hash(key)) if key.startswith(PREFIX) else None


def _hash(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
