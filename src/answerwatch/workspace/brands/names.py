"""Names of brands: how they are compared, what may be one, and which brand one means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerwatch.domain.brands import Brand
from answerwatch.domain.ids import KEY_LENGTH
from answerwatch.errors import UsageError
from answerwatch.store import brands as shelf
from answerwatch.store.database import Read

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
        raise UsageError("domain_bad", f"{domain!r} is no domain; write one like huawei.com.", domain=domain)
    return host


def find_brand(known: Sequence[Brand], name: str) -> Brand | None:
    """Return the brand that a name means: by standard name, else by a name in use, else by one out of use."""
    wanted = key(name)
    for brand in known:
        if wanted == key(brand.standard_name):
            return brand
    by_use = sorted(known, key=lambda brand: not brand.is_active)
    for in_use in (True, False):
        for brand in by_use:
            if any(alias.is_active is in_use and key(alias.text) == wanted for alias in brand.aliases):
                return brand
    return None


def the_brand(known: Sequence[Brand], name: str) -> Brand:
    """Return the brand that a name means; raises UsageError listing the tracked ones."""
    found = find_brand(known, name)
    if found is not None:
        return found
    if not known:
        raise UsageError(
            "brand_none", f"The brand {name!r} is not tracked; add it with `answerwatch brands add`.", brand=name
        )
    tracked = ", ".join(brand.standard_name for brand in known[:20])
    text = f"The brand {name!r} is not tracked; tracked are: {tracked}. Add it with `answerwatch brands add`."
    raise UsageError("brand_unknown", text, brand=name, known=tracked)


def pick_brand(read: Read, name: str) -> Brand:
    """Return the tracked brand that a name or alias means; raises UsageError listing the tracked ones."""
    return the_brand(shelf.every(read), name)
