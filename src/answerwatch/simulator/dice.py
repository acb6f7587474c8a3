"""Repeatable draws: every draw has a name, so the order of drawing never matters."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b, shake_128
from statistics import NormalDist
from typing import TypeVar

T = TypeVar("T")

_NORMAL = NormalDist()
_SCALE = float(2**53)
# z-score of the 95th percentile: turns "median and p95" into the spread of a log-normal.
_Z95 = _NORMAL.inv_cdf(0.95)


@dataclass(frozen=True, slots=True)
class Dice:
    """A source of draws that depends on its token and the name of the draw, nothing else."""

    token: str

    def fraction(self, name: str) -> float:
        """Return a number in [0, 1), always the same one for this token and name."""
        digest = blake2b(f"{self.token}\x1f{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return (int.from_bytes(digest, "big") >> 11) / _SCALE

    def fractions(self, name: str, count: int) -> list[float]:
        """Return several numbers in [0, 1) at the price of one; a higher count changes none of the earlier ones."""
        digest = shake_128(f"{self.token}\x1f{name}".encode("utf-8", "surrogatepass")).digest(4 * count)
        return [number / 2**32 for number in struct.unpack(f">{count}I", digest)]

    def chance(self, name: str, probability: float) -> bool:
        """Return True in `probability` of all tokens."""
        return self.fraction(name) < probability

    def pick(self, name: str, options: Sequence[T]) -> T:
        """Return one of the options, each equally likely; raises IndexError when there is none."""
        return options[int(self.fraction(name) * len(options))]

    def hexadecimal(self, name: str) -> str:
        """Return 24 hexadecimal digits, for ids that look like a platform's."""
        return blake2b(f"{self.token}\x1f{name}".encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

    def log_normal(self, name: str, *, median: float, p95: float) -> float:
        """Return a draw of the log-normal with this median and 95th percentile; the median itself when both agree."""
        if median <= 0 or p95 <= median:
            return median
        # The ends of the distribution are cut: no draw may be infinite.
        share = min(max(self.fraction(name), 0.001), 0.999)
        return float(median * (p95 / median) ** (_NORMAL.inv_cdf(share) / _Z95))
