"""Which brand a name means."""

from __future__ import annotations

from collections.abc import Sequence

from answerwatch.domain.brands import Brand
from answerwatch.errors import UsageError
from answerwatch.store.bank import brands
from answerwatch.store.database import Read
from answerwatch.workspace.brands.names import key

MOST_NAMED = 20
"""Brands that are named where one is not tracked."""


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
    tracked = ", ".join(brand.standard_name for brand in known[:MOST_NAMED]) + (", …" if known[MOST_NAMED:] else "")
    text = f"The brand {name!r} is not tracked; tracked are: {tracked}. Add it with `answerwatch brands add`."
    raise UsageError("brand_unknown", text, brand=name, known=tracked)


def pick_brand(read: Read, name: str) -> Brand:
    """Return the tracked brand that a name or alias means; raises UsageError listing the tracked ones."""
    return the_brand(brands.every(read), name)
