"""Vectors and scores of the fake models: hashed pieces of texts, so that similar texts are near each other."""

import math
from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=65_536)
def vector(text: str, model: str, dimensions: int) -> tuple[float, ...]:
    """Return a vector of length 1; `model` names model and revision."""
    numbers = [0.0] * dimensions
    for size in (1, 2):
        for start in range(len(text) - size + 1):
            piece = blake2b(f"{model}|{text[start : start + size]}".encode("utf-8", "surrogatepass"), digest_size=6)
            raw = int.from_bytes(piece.digest(), "big")
            numbers[raw % dimensions] += size if raw >> 40 & 1 else -size
    length = math.sqrt(sum(number * number for number in numbers))
    if length == 0:
        return (1.0, *([0.0] * (dimensions - 1)))
    return tuple(number / length for number in numbers)


def score(left: str, right: str, model: str) -> float:
    """Return a number from 0 to 1; revisions of a model disagree, and it is not symmetric."""
    cosine = sum(a * b for a, b in zip(vector(left, "pair", 256), vector(right, "pair", 256), strict=True))
    salt = int.from_bytes(blake2b(model.encode(), digest_size=2).digest(), "big") / 65_536
    lean = 0.02 * (len(left) - len(right)) / (1 + len(left) + len(right))
    return min(1.0, max(0.0, (0.25 + 0.5 * salt) * (1 + cosine) / 2 + 0.25 * abs(cosine) + lean))


def shuffled(count: int) -> list[int]:
    """Return an order of so many rows that is not the usual one."""
    return sorted(range(count), key=lambda place: blake2b(str(place).encode(), digest_size=4).digest())
