"""Which texts go through the model together: alike in length, and no more tokens at once than a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Yield places, the shortest texts first; texts times the longest of them are within the budget, in tokens.

    A text that is longer than the budget goes alone.
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > budget:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
