"""Reads the fields of a platform from TOML: one reader per key, the same for catalogue and workspace.

A reader takes the raw value and returns the surface's; it raises WrongField when the value does not fit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from urllib.parse import urlsplit

from answerwatch.domain.said import Said
from answerwatch.platforms.records import ErrorRule, Match, Means, Price

LARGEST_WHOLE = 2**31 - 1
"""What a column of whole numbers holds."""
NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CREDENTIAL_HEADERS = frozenset({"authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie"})
_OWN_FIELDS = frozenset({"model", "messages", "stream"})
_RULE_KEYS = ("means", "status", "code", "match", "message_has", "wait_s")
_PRICE_KEYS = ("currency", "prompt", "completion", "call")

Reader = Callable[[object], object]


class WrongField(ValueError):
    """A value that does not fit its key; the text is the rest of the sentence "KEY must be ..."."""

    def __init__(self, what: Said) -> None:
        """Keep the text, which can be said in every language."""
        super().__init__(what)
        self.what = what


def nearest(word: str, known: list[str]) -> Said:
    """Return the known words for an error: the nearest one where there is one."""
    close = get_close_matches(word, known, n=1)
    if close:
        return Said("file_near", f"did you mean {close[0]!r}?", near=close[0])
    every = ", ".join(sorted(known))
    return Said("file_known", f"known are {every}.", known=every)


def text(value: object) -> str:
    """Read a text of one line."""
    if not isinstance(value, str) or not value.isprintable():
        raise WrongField(Said("field_line", "a text of one line"))
    return value


def full_text(value: object) -> str:
    """Read a text that is not empty."""
    if not text(value).strip():
        raise WrongField(Said("field_full", "a text that is not empty"))
    return text(value).strip()


def flag(value: object) -> bool:
    """Read a truth value."""
    if not isinstance(value, bool):
        raise WrongField(Said("field_flag", "true or false"))
    return value


def above_zero(value: object) -> float:
    """Read a number above zero, whole or not."""
    number = _number(value)
    if number is None or number <= 0:
        raise WrongField(Said("field_above_zero", "a number above 0"))
    return number


def not_negative(value: object) -> float:
    """Read a number of at least zero."""
    number = _number(value)
    if number is None or number < 0:
        raise WrongField(Said("field_not_negative", "a number of at least 0"))
    return number


def at_least_one(value: object) -> int:
    """Read a whole number from 1 that a column of the database holds."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= LARGEST_WHOLE:
        text = f"a whole number from 1 to {LARGEST_WHOLE}"
        raise WrongField(Said("field_at_least_one", text, largest=LARGEST_WHOLE))
    return value


def variable(value: object) -> str | None:
    """Read the name of an environment variable; an empty text means that there is no key."""
    name = text(value).strip()
    if name and not _VARIABLE.fullmatch(name):
        told = "the NAME of an environment variable, such as DEEPSEEK_API_KEY, never the key itself"
        raise WrongField(Said("field_variable", told))
    return name or None


def header_name(value: object) -> str | None:
    """Read the name of a header, in lower case; empty means none."""
    name = text(value).strip().lower()
    if name and not _HEADER.fullmatch(name):
        raise WrongField(Said("field_header", "the name of an HTTP header"))
    return name or None


def auth_header(value: object) -> str:
    """Read the name of the header that carries the key."""
    name = header_name(value)
    if name is None:
        raise WrongField(Said("field_header", "the name of an HTTP header"))
    return name


def auth_format(value: object) -> str:
    """Read how the key stands in its header."""
    if "{key}" not in text(value):
        raise WrongField(Said("field_auth_format", 'a text with {key} in it, such as "Bearer {key}"'))
    return text(value)


def headers(value: object) -> tuple[tuple[str, str], ...]:
    """Read extra headers; a credential never stands in a file."""
    pairs = []
    for name, content in _table(value).items():
        key = header_name(name)
        if key is None or not isinstance(content, str) or not content.isascii() or not content.isprintable():
            raise WrongField(Said("field_headers", "a table of header names and plain texts"))
        if key in _CREDENTIAL_HEADERS:
            told = f"without {name!r}: keys stand in the environment, see key_env"
            raise WrongField(Said("field_credential", told, name=name))
        pairs.append((key, content))
    return tuple(pairs)


def body(value: object) -> dict[str, object]:
    """Read fields that are added to every request."""
    table = _table(value)
    own = sorted(_OWN_FIELDS & table.keys())
    if own:
        raise WrongField(Said("field_own", f"without {own[0]!r}, which is set for every call", name=own[0]))
    return table


def path(value: object) -> str:
    """Read the path that is added to the base URL."""
    if not text(value).startswith("/"):
        raise WrongField(Said("field_path", "a path that begins with /"))
    return text(value)


def base_url(value: object) -> str:
    """Read an address without credentials, query or fragment."""
    address = full_text(value).rstrip("/")
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise WrongField(Said("field_url_odd", f"a web address ({error})", why=str(error))) from error
    if parts.scheme not in ("http", "https") or not host or not address.isascii() or " " in address:
        raise WrongField(Said("field_url", "a web address that begins with https:// or http://"))
    if parts.username is not None or parts.password is not None:
        told = "an address without user and password; keys stand in the environment, see key_env"
        raise WrongField(Said("field_url_login", told))
    if parts.query or parts.fragment:
        raise WrongField(Said("field_url_bare", "an address without ? and #"))
    return address


def names(value: object) -> tuple[str, ...]:
    """Read a list of names."""
    if not isinstance(value, list):
        raise WrongField(Said("field_names", "a list of names"))
    return tuple(full_text(entry) for entry in value)


def price(value: object) -> Price:
    """Read a price: currency, and amounts per million tokens and per call."""
    table = _known(value, _PRICE_KEYS)
    currency = text(table.get("currency", ""))
    if not re.fullmatch(r"[A-Z]{3}", currency):
        raise WrongField(Said("field_price", 'a table with a currency of three capital letters, such as "CNY"'))
    amounts = {key: not_negative(table.get(key, 0.0)) for key in ("prompt", "completion", "call")}
    return Price(currency=currency, **amounts)


def rules(value: object) -> tuple[ErrorRule, ...]:
    """Read a table of errors."""
    if not isinstance(value, list):
        raise WrongField(Said("field_rules", "a list of rules"))
    return tuple(_rule(entry) for entry in value)


def _rule(value: object) -> ErrorRule:
    """Read one rule."""
    table = _known(value, _RULE_KEYS)
    try:
        means = Means(text(table.get("means", "")))
        match = Match(text(table.get("match", "exact")))
    except ValueError as error:
        known = ", ".join(sorted(means.value for means in Means))
        told = f"a list of rules, each with a meaning that is known ({error}); known are {known}"
        raise WrongField(Said("field_meaning", told, known=known)) from error
    status = table.get("status")
    wait = table.get("wait_s")
    return ErrorRule(
        means=means,
        status=None if status is None else at_least_one(status),
        code=text(table.get("code", "*")),
        match=match,
        message_has=text(table.get("message_has", "")),
        wait_s=None if wait is None else not_negative(wait),
    )


def _known(value: object, keys: tuple[str, ...]) -> dict[str, object]:
    """Read a table that holds only known keys."""
    table = _table(value)
    for key in table:
        if key not in keys:
            near = nearest(key, list(keys))
            raise WrongField(Said("field_key", f"without {key!r}; {near}", key=key, near=near))
    return table


def _table(value: object) -> dict[str, object]:
    """Read a table."""
    if not isinstance(value, dict):
        raise WrongField(Said("field_table", "a table"))
    return value


def _number(value: object) -> float | None:
    """Return a finite number, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "aliases": names,
        "allow_private": flag,
        "answer_s": above_zero,
        "auth_format": auth_format,
        "auth_header": auth_header,
        "base_url": base_url,
        "body": body,
        "capacity": at_least_one,
        "connect_s": above_zero,
        "deadline_s": above_zero,
        "exposes_citations": flag,
        "family": full_text,
        "headers": headers,
        "in_flight": at_least_one,
        "key_env": variable,
        "model": full_text,
        "path": path,
        "price": price,
        "rate": above_zero,
        "read_gap_s": above_zero,
        "rules": rules,
        "task_header": header_name,
        "title_en": text,
        "title_zh": text,
        "write_s": above_zero,
    }
)
"""Reader of every key; the keys are fields of `Surface`. What the name says (product, kind, search) is no key."""
