"""The platforms that are known: `catalogue.toml` in this package, read once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from answerwatch.platforms.families import ADAPTERS
from answerwatch.platforms.fields import READERS
from answerwatch.platforms.names import canonical, join
from answerwatch.platforms.records import Surface, SurfaceKind

GENERIC = "openai_compatible"
"""The product that stands for any server of the chat family."""

_VARIANTS = {"search": SurfaceKind.SEARCH, "app": SurfaceKind.APP}


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All known surfaces, and the other names of products."""

    surfaces: Mapping[str, Surface]
    """By platform id."""
    aliases: Mapping[str, str]
    """Case-folded other name -> product."""

    def canonical(self, name: str) -> str:
        """Return the platform id that a name leads to, whether it is in the catalogue or not."""
        return canonical(name, self.aliases)

    def find(self, name: str) -> Surface | None:
        """Return the surface that a name leads to, None when it is not known."""
        return self.surfaces.get(self.canonical(name))

    def import_name(self, name: str) -> str:
        """Return the platform id of answers collected elsewhere: `kimi` and `月之暗面` both give `kimi-import`."""
        product = self.canonical(name)
        for kind in (SurfaceKind.SEARCH, SurfaceKind.APP, SurfaceKind.IMPORT):
            product = product.removesuffix(join("", kind))
        return join(product, SurfaceKind.IMPORT)


def is_collectable(surface: Surface) -> bool:
    """Tell whether the surface's answers can be asked for: its protocol is spoken here, and it is not import only."""
    return surface.family in ADAPTERS and surface.kind is not SurfaceKind.IMPORT


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Return the catalogue of this release."""
    text = resources.files("answerwatch.platforms").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return parse_catalogue(tomllib.loads(text))


def parse_catalogue(document: Mapping[str, Any]) -> Catalogue:
    """Return the catalogue of a parsed file; raises KeyError or WrongField when it is wrong, which a test rules out."""
    surfaces = [surface for product, table in document.items() for surface in _surfaces(product, table)]
    aliases = {
        other.casefold(): surface.product
        for surface in surfaces
        if surface.kind is SurfaceKind.API
        for other in surface.aliases
    }
    return Catalogue(
        surfaces=MappingProxyType({surface.name: surface for surface in surfaces}), aliases=MappingProxyType(aliases)
    )


def _surfaces(product: str, table: Mapping[str, Any]) -> Iterator[Surface]:
    """Yield the surfaces of one product: the bare API, then the variants, which add to it."""
    common = {key: value for key, value in table.items() if key not in _VARIANTS}
    bare = replace(Surface(name=product, product=product), **read_fields(common))
    yield bare
    for word, kind in _VARIANTS.items():
        if word in table:
            # A variant is another face of the product; the product's other names are told apart by the suffix.
            variant = {"deadline_s": max(bare.deadline_s, 240.0), "exposes_citations": True, **table[word]}
            name = join(product, kind)
            yield replace(bare, name=name, kind=kind, search_asked=True, aliases=(), **read_fields(variant))


def read_fields(table: Mapping[str, object]) -> dict[str, Any]:
    """Return the fields of a surface; KeyError names an unknown key, WrongField a wrong value."""
    return {key: READERS[key](value) for key, value in table.items()}
