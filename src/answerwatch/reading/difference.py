"""The difference of two lexicons: which answers they can read differently, found without reading them."""

from __future__ import annotations

from dataclasses import dataclass, field

import ahocorasick_rs

from answerwatch.reading.fold import squeeze
from answerwatch.reading.lexicon import Entry, Lexicon, Name, automaton_of


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two lexicons.

    A reading depends on the entries of the lexicon that stand in the text, in their order, on the domains of their
    brands, and on nothing else: a text in which none of those stands that changed is read alike by both.
    """

    brands: frozenset[str]
    """Brands that one of the two tracks and the other does not."""
    keys: frozenset[str]
    """Names and phrases, folded and squeezed, that came, went, or mean something else than before."""
    _automaton: ahocorasick_rs.AhoCorasick | None = field(repr=False, compare=False)

    @classmethod
    def between(cls, old: Lexicon, new: Lexicon) -> Difference:
        """Return what changed from one lexicon to another; the order of the two makes no difference."""
        before, after = _by_key(old), _by_key(new)
        moved = {name for name in {*old.domains, *new.domains} if old.domains.get(name) != new.domains.get(name)}
        keys = frozenset(
            key
            for key in {*before, *after}
            if before.get(key) != after.get(key) or any(_is_of(entry, moved) for entry in after[key])
        )
        return cls(frozenset({*old.brands} ^ {*new.brands}), keys, automaton_of(sorted(keys)) if keys else None)

    def touches(self, text: str, focal: str) -> bool:
        """Tell whether the two may disagree on a text or on its focal brand; False is certain."""
        if focal in self.brands:
            return True
        return self._automaton is not None and bool(self._automaton.find_matches_as_indexes(squeeze(text).text))


def _by_key(lexicon: Lexicon) -> dict[str, tuple[Entry, ...]]:
    return {group[0].key: group for group in lexicon.entries}


def _is_of(entry: Entry, brands: set[str]) -> bool:
    """Return whether an entry is a name of one of these brands."""
    return isinstance(entry, Name) and entry.brand in brands
