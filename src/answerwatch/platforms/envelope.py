"""The evidence of one exchange as one object: who asked what, when, and the very bytes that came back.

Gzip (without a time, so that equal evidence is equal bytes) of one line of JSON, a line feed, and the body.
The format is read for as long as objects exist; a new one gets a new `format` number.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from dataclasses import dataclass
from datetime import datetime

import orjson

from answerwatch.domain.answers import Reply
from answerwatch.errors import WorkError
from answerwatch.platforms.records import HttpCall

FORMAT = 1


class EvidenceDamaged(WorkError):
    """A kept payload cannot be read, or its body is not the one that was kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A kept exchange."""

    sub_task_id: str
    attempt: int
    platform: str
    url: str
    request: bytes
    """The request's body as sent."""
    reply: Reply
    raw_sha256: str


def encode(call: HttpCall, reply: Reply) -> tuple[bytes, str]:
    """Return the payload to keep, and the SHA-256 of the body in it."""
    digest = hashlib.sha256(reply.body).hexdigest()
    meta = {
        "format": FORMAT,
        "sub_task_id": call.sub_task_id,
        "attempt": call.attempt,
        "platform": call.platform,
        "url": call.url,
        "request": call.body.decode("utf-8"),
        "started_at": reply.started_at.isoformat(timespec="microseconds"),
        "ended_at": reply.ended_at.isoformat(timespec="microseconds"),
        "status": reply.status,
        "headers": [list(header) for header in reply.headers],
        "error": reply.error,
        "error_text": reply.error_text,
        "redacted": reply.redacted,
        "raw_sha256": digest,
    }
    return gzip.compress(orjson.dumps(meta) + b"\n" + reply.body, compresslevel=6, mtime=0), digest


def decode(payload: bytes) -> Envelope:
    """Return the exchange of a kept payload; raises EvidenceDamaged when it is not what was kept."""
    try:
        line, _, body = gzip.decompress(payload).partition(b"\n")
        envelope = _from_meta(orjson.loads(line), body)
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as error:
        text = f"A kept payload of {len(payload)} bytes cannot be read ({error}); it is treated as absent."
        raise EvidenceDamaged("evidence_unreadable", text, length=len(payload), reason=str(error)) from error
    if hashlib.sha256(body).hexdigest() != envelope.raw_sha256:
        text = f"The kept payload of {envelope.sub_task_id} attempt {envelope.attempt} does not match its SHA-256."
        raise EvidenceDamaged("evidence_changed", text, sub_task=envelope.sub_task_id, attempt=envelope.attempt)
    return envelope


def _from_meta(meta: dict[str, object], body: bytes) -> Envelope:
    """Return the exchange; ValueError, KeyError or TypeError when the meta line is not ours."""
    if meta["format"] != FORMAT:
        raise ValueError(f"format {meta['format']} is not known")
    return Envelope(
        sub_task_id=str(meta["sub_task_id"]),
        attempt=_number(meta["attempt"]),
        platform=str(meta["platform"]),
        url=str(meta["url"]),
        request=str(meta["request"]).encode(),
        reply=_reply(meta, body),
        raw_sha256=str(meta["raw_sha256"]),
    )


def _reply(meta: dict[str, object], body: bytes) -> Reply:
    """Return the reply of a meta line and the body after it."""
    headers = meta["headers"]
    if not isinstance(headers, list):
        raise TypeError("headers are no list")
    return Reply(
        started_at=datetime.fromisoformat(str(meta["started_at"])),
        ended_at=datetime.fromisoformat(str(meta["ended_at"])),
        status=None if meta["status"] is None else _number(meta["status"]),
        headers=tuple((str(name), str(value)) for name, value in headers),
        body=body,
        error=None if meta["error"] is None else str(meta["error"]),
        error_text=str(meta["error_text"]),
        redacted=bool(meta["redacted"]),
    )


def _number(value: object) -> int:
    """Return a whole number; TypeError for anything else."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value
