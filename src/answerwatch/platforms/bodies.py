"""From the bytes of a reply to text and JSON, whatever their condition."""

from __future__ import annotations

import json
from dataclasses import dataclass

import orjson

from answerwatch.domain.failures import LONGEST_MESSAGE
from answerwatch.platforms.redact import redact_text

WORD_CHARS = 191
"""Characters of a name from outside: a model, a code, a request id."""

_MOSTLY_UTF8 = 0.1
"""Damaged share of a text's non-ASCII characters up to which it still is UTF-8, not another encoding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body as far as it can be understood."""

    document: dict[str, object] | None
    """The JSON object, None when the body is none."""
    head: str
    """The beginning of the text; empty when there is a document."""
    is_html: bool = False
    is_blank: bool = False
    """Nothing but white space."""


def parse(raw: bytes) -> Body:
    """Return what the bytes hold; never raises.

    orjson is strict and quick; what it refuses (lone surrogate escapes, NaN, raw control characters, other
    encodings) is tried again with the lenient standard parser, so that a damaged answer still arrives as text.
    """
    trimmed = raw.removeprefix(b"\xef\xbb\xbf").strip()
    if not trimmed:
        return Body(document=None, head="", is_blank=True)
    document = load(trimmed)
    if isinstance(document, dict):
        return Body(document=document, head="")
    head = decode_text(trimmed[: LONGEST_MESSAGE * 4])[:LONGEST_MESSAGE]
    return Body(document=None, head=head, is_html=_looks_html(head))


def decode_text(raw: bytes) -> str:
    """Return the text of bytes: UTF-8 when they are, or nearly are; else GB18030; else UTF-8 with replacements."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        mended = raw.decode("utf-8", errors="replace")
    foreign = sum(not char.isascii() for char in mended)
    if mended.count("\ufffd") <= foreign * _MOSTLY_UTF8:
        return mended
    try:
        return raw.decode("gb18030")
    except UnicodeDecodeError:
        return mended


def readable(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """Return a text from outside as it may be stored and shown: one line, printable, bounded, without bearer tokens."""
    shown = "".join(char if char.isprintable() else " " for char in text[: longest * 2])
    return redact_text(" ".join(shown.split()))[:longest]


def word(value: object) -> str | None:
    """Return a short name from outside (a model, a code), None when it is no text or empty."""
    return readable(value, WORD_CHARS) or None if isinstance(value, str) else None


def at(document: object, *path: str) -> object:
    """Return the value under nested keys, None where the path ends early."""
    for key in path:
        if not isinstance(document, dict):
            return None
        document = document.get(key)
    return document


def load(raw: bytes) -> object:
    """Return the JSON value of bytes, whatever it is; None when there is none."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(decode_text(raw), strict=False)
    except (ValueError, RecursionError):
        return None


def _looks_html(head: str) -> bool:
    """Tell whether a text begins like a page."""
    start = head[:500].lower()
    return start.startswith("<") and any(mark in start for mark in ("<!doctype html", "<html", "<head", "<body"))
