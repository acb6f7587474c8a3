"""Names of brands: how they are compared, and what may be one."""

from __future__ import annotations

import re

from answerwatch.domain.ids import KEY_LENGTH
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError

LONGEST_DOMAIN = 253
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_END_OF_HOST = re.compile(r"[/?#]")


def key(text: str) -> str:
    """Return a name in the form in which names are compared, as the reader folds it."""
    from answerwatch.reading import fold  # noqa: PLC0415 - the reader is slow to load, and lists do without it

    return fold.key(text)


def checked_name(what: str, name: str) -> str:
    """Return a name without blanks around it; raises UsageError when nothing or too much is left."""
    stripped = name.strip()
    if not key(stripped) or not any(letter.isalnum() for letter in stripped):
        text = f"The {what} {name!r} is empty: it holds no letter or digit."
        raise UsageError("name_empty", text, what=what, name=name)
    if len(stripped) > KEY_LENGTH or not stripped.isprintable():
        text = f"The {what} {stripped[:40]!r} is too long or holds control characters; at most {KEY_LENGTH} letters."
        raise UsageError("name_bad", text, what=what, name=stripped[:40])
    return stripped


def checked_domain(domain: str) -> str:
    """Return a domain in lower case without address parts; raises UsageError when it is none."""
    host = domain.strip().casefold().removeprefix("https://").removeprefix("http://")
    host = _END_OF_HOST.split(host)[0].rstrip(".").removeprefix("www.")
    if not _DOMAIN.fullmatch(host) or len(host) > LONGEST_DOMAIN:
        shown = in_short(domain)
        raise UsageError("domain_bad", f"{shown!r} is no domain; write one like huawei.com.", domain=shown)
    return host
