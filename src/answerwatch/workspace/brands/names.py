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
    if len(stripped) > KEY_LENGTH:
        shown = in_short(stripped)
        text = f"The {what} {shown!r} has {len(stripped):,} characters, at most {KEY_LENGTH} are possible."
        raise UsageError("name_long", text, what=what, name=shown, length=f"{len(stripped):,}", longest=KEY_LENGTH)
    unseen = next((place for place, letter in enumerate(stripped) if not letter.isprintable()), None)
    if unseen is not None:
        sign, shown = f"U+{ord(stripped[unseen]):04X}", in_short(stripped)
        text = f"The {what} {shown!r} holds a character that nobody sees: {sign}, at position {unseen + 1}; remove it."
        raise UsageError("name_unseen", text, what=what, name=shown, sign=sign, position=unseen + 1)
    return stripped


def checked_domain(domain: str) -> str:
    """Return a domain in lower case without address parts; raises UsageError when it is none."""
    host = domain.strip().casefold().removeprefix("https://").removeprefix("http://")
    host = _END_OF_HOST.split(host)[0].rstrip(".").removeprefix("www.")
    if not _DOMAIN.fullmatch(host) or len(host) > LONGEST_DOMAIN:
        shown = in_short(domain)
        raise UsageError("domain_bad", f"{shown!r} is no domain; write one like huawei.com.", domain=shown)
    return host
