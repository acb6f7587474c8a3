"""Thresholds of a scorer without labels: what belongs together against the same texts shuffled.

Scales differ from scorer to scorer: a score of 0.3 is high for shared characters, low for a paraphrase classifier, and
below everything for some models. So a threshold is measured, and belongs to a scorer's id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from answerwatch.errors import UsageError
from answerwatch.similarity.scorer import Floats

FEWEST = 50
"""Own pairs that a calibration needs."""
LEAST_AUC = 0.95
"""Below it own and shuffled pairs overlap too much for any threshold."""
LOST_STRICT, LOST_SUSPECT = 0.01, 0.05
"""Shares of own pairs that lie below the strict threshold, and below the one of doubt."""
_QUANTILES = (0.01, 0.02, 0.05, 0.25, 0.5, 0.75, 0.95, 0.98, 0.99)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Thresholds of one scorer for one purpose, and how far they can be trusted."""

    irrelevant_below: float
    """Strict: a hundredth of own pairs lies below."""
    suspect_below: float
    """A twentieth of own pairs lies below."""
    auc: float
    """Chance that an own pair scores above a shuffled one, a tie counting half."""
    pairs: int
    passed: float
    """Share of shuffled pairs that reach the strict threshold."""
    own: Mapping[str, float]
    """Quantiles of own scores, by the share below."""
    shuffled: Mapping[str, float]

    @property
    def is_usable(self) -> bool:
        """Tell whether the thresholds may decide anything."""
        return self.auc >= LEAST_AUC


def calibrate(own: Floats, shuffled: Floats) -> Calibration:
    """Return thresholds from scores of pairs that belong together and of the same texts paired at random.

    Scores that are NaN do not count. Raises UsageError where fewer than 50 of either are left.
    """
    own, shuffled = own[~np.isnan(own)], shuffled[~np.isnan(shuffled)]
    few = min(len(own), len(shuffled))
    if few < FEWEST:
        text = f"A calibration needs {FEWEST} pairs that can be scored, here are {few}; give more."
        raise UsageError("calibration_few", text, needed=FEWEST, found=few)
    strict = float(np.quantile(own, LOST_STRICT))
    return Calibration(
        irrelevant_below=strict,
        suspect_below=float(np.quantile(own, LOST_SUSPECT)),
        auc=auc(own, shuffled),
        pairs=len(own),
        passed=float((shuffled >= strict).mean()),
        own=_quantiles(own),
        shuffled=_quantiles(shuffled),
    )


def auc(higher: Floats, lower: Floats) -> float:
    """Return the chance that one of `higher` is above one of `lower`, a tie counting half (Mann-Whitney)."""
    ordered = np.sort(lower)
    below = np.searchsorted(ordered, higher, side="left")
    not_above = np.searchsorted(ordered, higher, side="right")
    return float((below + not_above).mean() / 2 / len(lower))


def derangement(count: int, seed: int) -> list[int]:
    """Return for each of `count` places (two or more) another one, each taken once: one cycle through all of them."""
    order = np.random.default_rng(seed).permutation(count)
    partner = np.empty(count, dtype=np.int64)
    partner[order] = np.roll(order, -1)
    return [int(one) for one in partner]


def _quantiles(scores: Floats) -> dict[str, float]:
    return {f"{share:g}": round(float(np.quantile(scores, share)), 6) for share in _QUANTILES}
