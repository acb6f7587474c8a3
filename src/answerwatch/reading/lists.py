"""Lists: their items, what stands over them, and which of them may be lists of candidates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from answerwatch.reading.lines import ROW, Kind, Line
from answerwatch.reading.titles import (
    ASPECT_TITLE,
    COMPARING_TITLE,
    KNOWN_TITLE,
    NEGATIVE_TITLE,
    POPULARITY_TITLE,
    STEP_TITLE,
    TOP_TITLE,
)

_TITLE_END = 12
_TITLE_END_LATIN = 40
"""Last characters of an announcement that say what the list holds."""
_OF = 12
"""First characters of a head in which 的 makes it one about a property (小米的配置高)."""
_BARE = 3
"""Characters behind a head, such as marks, that say nothing."""


@dataclass(slots=True)
class Item:
    """One item of a list."""

    line: Line
    owner: ItemList
    start: int
    """Where its head starts."""
    head_end: int
    label: str
    """The text before the first delimiter, without marks."""
    brands: tuple[str, ...] = ()
    """Tracked brands that its head names, in order."""
    title: str = ""
    """What it says of the list that it stands over: of a heading all, of other items the label."""
    leads: bool = False
    """A brand is the first thing in its head."""
    counts_out: bool = False
    """Its brands stand in the line below a title, one after the other."""
    children: list[ItemList] = field(default_factory=list)

    def stands_over_its_brands(self) -> bool:
        """Return whether it names brands that have items of their own below it: A和B对比, 1. A, 2. B."""
        return (
            len(self.brands) > 1
            and COMPARING_TITLE.search(self.title) is not None
            and any(
                len({item.brands[0] for item in child.items if item.leads and item.brands}.intersection(self.brands))
                > 1
                for child in self.children
            )
        )


@dataclass
class ItemList:
    """Sibling items with the same sort of marker."""

    depth: int
    style: str
    kind: Kind
    parent: Item | None
    intro: str
    """The text that announces the list: the line before it, or the item it belongs to."""
    items: list[Item] = field(default_factory=list)
    about: frozenset[str] = frozenset()
    """Brands that the announcement names: the list speaks of them."""
    header: str = ""
    """The first row of a table."""

    def titles(self) -> Iterator[str]:
        """Yield what stands over this list: its own announcement first, then those of the items around it."""
        here: ItemList | None = self
        while here is not None:
            yield here.intro
            if here.parent is None:
                return
            yield here.parent.title
            here = here.parent.owner

    @cached_property
    def is_warning(self) -> bool:
        """Return whether the list names what to stay away from."""
        return any(map(_warns, self.titles())) or _warns(self.header.strip("| \t").split("|")[0])

    def is_top(self) -> bool:
        """Return whether the list states the recommendation of the whole answer."""
        for title in self.titles():
            if POPULARITY_TITLE.search(title):
                return False
            if TOP_TITLE.search(title):
                return True
        return False

    def is_popular(self) -> bool:
        """Return whether the list only tells what sells, or is searched for."""
        return any(POPULARITY_TITLE.search(title) for title in self.titles())

    def only_tells_what_there_is(self) -> bool:
        """Return whether the list has nothing but names, as the known ones."""
        return KNOWN_TITLE.search(self.intro) is not None and all(
            item.line.end - item.head_end <= _BARE and not item.children for item in self.items
        )

    def may_hold_candidates(self) -> bool:
        """Return whether the list may be one of candidates: no warnings, and no steps or aspects of one thing."""
        if self.is_warning:
            return False
        title = next(self.titles())
        over = title[-(_TITLE_END_LATIN if title.isascii() else _TITLE_END) :]
        if self.kind is ROW or not (ASPECT_TITLE.search(over) or STEP_TITLE.search(over)):
            return True
        named = [item.brands[0] for item in self.items if item.leads and "的" not in item.label[:_OF]]
        return len(set(named)) > 1 or (len(named) == 1 and not self.about.issuperset(named))


@lru_cache(maxsize=4096)
def _warns(title: str) -> bool:
    """Return whether a title announces warnings; one title stands over many lists, and many answers use the same."""
    return NEGATIVE_TITLE.search(title) is not None
