"""Names of platforms: a product and the suffix of its surface; many other names lead to the same one."""

from __future__ import annotations

from collections.abc import Mapping

from answerwatch.platforms.records import SurfaceKind

LONGEST_NAME = 60
"""Characters of a platform id at most; sub-task ids hold it beside batch, question and round."""

SUFFIXES: tuple[tuple[str, SurfaceKind], ...] = (
    ("-search", SurfaceKind.SEARCH),
    ("-app", SurfaceKind.APP),
    ("-import", SurfaceKind.IMPORT),
)


def split(name: str) -> tuple[str, SurfaceKind]:
    """Return the product and the kind of surface of a name.

    >>> split("deepseek-search")
    ('deepseek', <SurfaceKind.SEARCH: 'search'>)
    """
    for suffix, kind in SUFFIXES:
        if name.endswith(suffix) and name != suffix:
            return name.removesuffix(suffix), kind
    return name, SurfaceKind.API


def is_product(name: str) -> bool:
    """Tell whether a platform id names a product, and is not a suffix or its word alone.

    >>> is_product("kimi-import"), is_product("-import"), is_product("import-import")
    (True, False, False)
    """
    return split(name)[0].strip("-") not in {"", *(suffix.strip("-") for suffix, _ in SUFFIXES)}


def join(product: str, kind: SurfaceKind) -> str:
    """Return the platform id of a product's surface."""
    return product + next((suffix for suffix, known in SUFFIXES if known is kind), "")


def canonical(name: str, aliases: Mapping[str, str]) -> str:
    """Return the platform id that a name leads to; `aliases` maps case-folded names to products or platforms.

    >>> canonical("TongYi-search", {"tongyi": "qwen"})
    'qwen-search'
    """
    folded = name.strip().casefold()
    if folded in aliases:
        return aliases[folded]
    product, kind = split(folded)
    return join(aliases.get(product, product), kind)
