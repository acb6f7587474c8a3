"""The scorer that needs no model: shared characters, pairs of characters and pieces of words.

It sees wording, not meaning: a paraphrase in other words scores low, a negation scores high. Each text becomes a vector
of hashed features (feature hashing with signs, Weinberger et al. 2009), so that texts need not be known beforehand, as
they must be for document frequencies; rare features weigh more by what kind they are instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from answerwatch.similarity.scorer import Encoded, Floats, Role, ScorerFacts, ScorerKind

DIMENSIONS = 2048
"""Two texts that share nothing score within about 0.02 of 0 by chance."""

LONGEST = 20_000
"""Characters of a text that are looked at; vectors hardly move after the first thousand."""

_COMMON = "的了是在有和就不人都一个上也很到说要去你会着没看好自己这那吗呢吧啊哪什么怎样如何为与或及其等被把对从而且但"
"""Characters that nearly every sentence has: alone they say little of what it is about."""

_UNIGRAM, _COMMON_UNIGRAM, _BIGRAM, _TRIGRAM = 0.5, 0.12, 1.0, 0.7
_PRIMES: Final = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))
_BUCKET_SHIFT: Final = np.uint64(64 - 11)
_SIGN_SHIFT: Final = np.uint64(20)


class Lexical:
    """Vectors of characters; the same text has the same vector everywhere and for ever."""

    def __init__(self) -> None:
        """Load nothing."""
        self._common = np.array(sorted(map(ord, set(_COMMON))), dtype=np.uint64)

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it."""
        return ScorerFacts(
            name="lexical",
            kind=ScorerKind.VECTOR,
            model="lexical",
            revision="1",
            settings=f"len={LONGEST}",
            dimensions=DIMENSIONS,
            sees_meaning=False,
        )

    def encode(self, texts: Sequence[str], role: Role = Role.SAME) -> Encoded:
        """Return vectors of length 1; one of a text without a character that counts is 0."""
        del role  # both sides are alike
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            self._fill(vectors[row], text)
        return Encoded(vectors=vectors)

    def close(self) -> None:
        """Let go of nothing."""

    def _fill(self, vector: Floats, text: str) -> None:
        """Write the vector of one text."""
        codes = np.frombuffer(text[:LONGEST].lower().encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
        wide = codes >= 0x2E80
        ones = codes[wide]
        weights = np.where(np.isin(ones, self._common), _COMMON_UNIGRAM, _UNIGRAM)
        hashes, amounts = [ones * _PRIMES[0]], [weights]
        if len(codes) > 1:
            both = wide[:-1] & wide[1:]
            hashes.append((codes[:-1][both] * _PRIMES[1]) ^ (codes[1:][both] * _PRIMES[0]))
            amounts.append(np.full(int(both.sum()), _BIGRAM))
        spaced = np.concatenate(([np.uint64(32)], codes, [np.uint64(32)]))
        narrow = spaced < 0x2E80
        three = narrow[:-2] & narrow[1:-1] & narrow[2:] & (spaced[1:-1] != 32)
        a, b, c = (spaced[place : len(spaced) - 2 + place][three] for place in range(3))
        hashes.append((a * _PRIMES[2]) ^ (b * _PRIMES[1]) ^ (c * _PRIMES[0]))
        amounts.append(np.full(len(a), _TRIGRAM))
        _add(vector, np.concatenate(hashes), np.concatenate(amounts))


def _add(vector: Floats, hashes: npt.NDArray[np.uint64], amounts: npt.NDArray[np.float64]) -> None:
    """Sum up the features; what stands n times counts log(1 + n) times, so that no word drowns the others."""
    found, places, counts = np.unique(hashes, return_index=True, return_counts=True)
    if not len(found):
        return
    mixed = found * _PRIMES[2]
    mixed ^= mixed >> np.uint64(29)
    mixed *= _PRIMES[0]
    values = amounts[places] * np.log1p(counts) * np.where((mixed >> _SIGN_SHIFT) & np.uint64(1), 1.0, -1.0)
    summed = np.bincount((mixed >> _BUCKET_SHIFT).astype(np.int64), weights=values, minlength=DIMENSIONS)
    length = float(np.sqrt(summed @ summed))
    if length:
        vector[:] = summed / length
