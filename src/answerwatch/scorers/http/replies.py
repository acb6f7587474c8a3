"""What a reply is: a document, or trouble; and how numbers are taken out of documents without trusting them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerwatch.domain.answers import Reply
from answerwatch.domain.failures import Failure, Severity
from answerwatch.domain.texts import in_short
from answerwatch.platforms.bodies import Body, at, load, parse
from answerwatch.platforms.classify import Trouble, find_trouble
from answerwatch.platforms.records import ErrorRule, Means
from answerwatch.similarity.scorer import Floats

RULES = (ErrorRule(means=Means.SERVER_ERROR, status=424),)
"""424 is how embedding servers say that the model failed at it: it may not the next time."""


class BadShape(Exception):
    """A reply of JSON that does not have the shape of its protocol; the text says where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What a reply holds: a vector, or a score, for each text or pair that was sent, in their order."""

    rows: Sequence[Floats]
    """Of one dimension (vectors) or none (scores); what was no number is NaN."""
    tokens: int | None = None
    """Tokens that were paid for; None: not told."""


def document_of(reply: Reply) -> object | Trouble:
    """Return the JSON value of a reply, or what is wrong with it; lists are replies too."""
    if reply.error is None and reply.status is not None and reply.status < 300:
        document = load(reply.body.strip())
        if isinstance(document, list):
            return document
        if isinstance(document, dict):
            return find_trouble(reply, Body(document=document, head=""), RULES) or document
    return find_trouble(reply, parse(reply.body), RULES) or {}


def bad_reply(why: str) -> Failure:
    """Return the failure of a reply whose numbers cannot be told apart; it may be better the next time."""
    text = f"The server's reply cannot be used: {why}"
    return Failure(error_type=Means.BAD_REPLY.value, severity=Severity.TEMPORARY, message=text)


def rows_at(document: object, path: tuple[str, ...]) -> Sequence[object]:
    """Return the list under nested keys; raises BadShape where there is none."""
    found = at(document, *path) if path else document
    if not isinstance(found, list):
        raise BadShape(f"there is no list {'.'.join(path) or 'of rows'} in it.")
    return found


def in_order(rows: Sequence[object], count: int, value: Callable[[Mapping[str, object]], object]) -> list[object]:
    """Return a value of every row, put into the order in which the texts were sent by the row's `index`.

    Raises BadShape where a text has no row or two.
    """
    found: dict[int, object] = {}
    for row in rows:
        place = row.get("index") if isinstance(row, dict) else None
        if not isinstance(row, dict) or isinstance(place, bool) or not isinstance(place, int):
            raise BadShape(f"a row has no index: {in_short(row)}.")
        if place in found or not 0 <= place < count:
            what = "stands twice" if place in found else f"is none of {count} that were sent"
            raise BadShape(f"index {place} {what}.")
        found[place] = value(row)
    if len(found) != count:
        missing = next(place for place in range(count) if place not in found)
        raise BadShape(f"{len(found)} rows for {count} that were sent; index {missing} is missing.")
    return [found[place] for place in range(count)]


def as_sent(rows: Sequence[object], count: int) -> Sequence[object]:
    """Return rows that have no index and stand in the order of what was sent; raises BadShape for another number."""
    if len(rows) != count:
        raise BadShape(f"{len(rows)} rows for {count} that were sent.")
    return rows


def vector(value: object) -> Floats:
    """Return a vector from a list of numbers, or base64 of little-endian float32; raises BadShape for others."""
    if isinstance(value, str):
        return _from_base64(value)
    try:
        found: Floats = np.array(value, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadShape(f"an embedding is no list of numbers: {in_short(value)}.") from error
    if found.ndim != 1:
        raise BadShape(f"an embedding has {found.ndim} dimensions instead of one list of numbers.")
    return found


def _from_base64(text: str) -> Floats:
    try:
        raw = base64.b64decode(text, validate=True)
        return np.frombuffer(raw, dtype="<f4").astype(np.float32)
    except (binascii.Error, ValueError) as error:
        raise BadShape(f"an embedding is no base64 of 4-byte numbers: {in_short(text)}.") from error


def score(value: object) -> Floats:
    """Return a score; null is NaN. Raises BadShape for what is no number."""
    if value is None:
        return np.array(np.nan, dtype=np.float32)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadShape(f"a score is no number: {in_short(value)}.")
    with np.errstate(over="ignore"):
        return np.array(float(value) if abs(value) < 1e300 else np.inf, dtype=np.float32)


def whole(value: object) -> int | None:
    """Return a count, None where a reply names none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def revision_in(reply: Reply, document: object, header: str | None, field: str | None) -> str | None:
    """Return the revision of the model that a reply names, None where it names none."""
    if header is not None:
        by_header = next((value for name, value in reply.headers if name == header.lower()), None)
        if by_header:
            return in_short(by_header, 100)
    named = at(document, *field.split(".")) if field else None
    return in_short(named, 100) if named and isinstance(named, str | int) and not isinstance(named, bool) else None
