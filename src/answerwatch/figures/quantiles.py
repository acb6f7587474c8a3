"""Quantiles of the normal and of Student's t distribution."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

from answerwatch.errors import UsageError

_NORMAL = NormalDist()
_EXACT_UP_TO = 400
"""Degrees of freedom from which four terms of the normal expansion are exact to 1e-9."""


def normal_quantile(confidence: float) -> float:
    """Return z such that a standard normal value lies within -z and z with this confidence."""
    return _NORMAL.inv_cdf((1 + _checked(confidence)) / 2)


@lru_cache(maxsize=4096)
def t_quantile(confidence: float, df: int) -> float:
    """Return t such that Student's t with `df` degrees of freedom lies within -t and t with this confidence.

    Right to 1e-6 or better for confidences up to 0.9999. Raises UsageError for `df` below 1.
    """
    if df < 1:
        raise UsageError("figures_input", f"Student's t needs at least 1 degree of freedom, not {df}.", df=df)
    start = normal_quantile(confidence)
    return _expansion(start, df) if df > _EXACT_UP_TO else _newton(start, confidence, df)


def _checked(confidence: float) -> float:
    """Return the confidence, or raise UsageError when it is no share between 0 and 1."""
    if 0 < confidence < 1:
        return confidence
    raise UsageError(
        "figures_input", f"A confidence lies between 0 and 1 (0.95 is usual), not {confidence}.", confidence=confidence
    )


def _newton(start: float, confidence: float, df: int) -> float:
    """Return the quantile by Newton's method; from the normal one it climbs steadily, for the curve is concave."""
    t = start
    for _ in range(200):
        step = (confidence - _within(t, df)) / (2 * _density(t, df))
        t += step
        if abs(step) <= 1e-12 * t:
            break
    return t


def _within(t: float, df: int) -> float:
    """Return the probability of a value between -t and t by the finite series (Abramowitz and Stegun, 26.7.3-4)."""
    angle = math.atan2(t, math.sqrt(df))
    cosine2 = math.cos(angle) ** 2
    odd = df % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0 if df == 1 else term
    for k in range(2 + odd, df - 1, 2):
        term *= cosine2 * (k - 1) / k
        total += term
    series = math.sin(angle) * total
    return 2 / math.pi * (angle + series) if odd else series


def _density(t: float, df: int) -> float:
    """Return the density of Student's t."""
    log_norm = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - 0.5 * math.log(df * math.pi)
    return math.exp(log_norm - (df + 1) / 2 * math.log1p(t * t / df))


def _expansion(z: float, df: int) -> float:
    """Return the quantile for many degrees of freedom from the normal one (Abramowitz and Stegun, 26.7.5)."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / df + second / df**2 + third / df**3 + fourth / df**4
