"""What was met in a long run, in little memory: a file of a million rows may have a million questions and answers."""

from __future__ import annotations

import hashlib
from array import array

_SIZE = 16
"""Bytes of a hash."""
_KEPT = 10
"""Bytes of it that are kept: of a million texts two meet once in a million million times."""


def content_hash(*parts: str) -> bytes:
    """Return the hash of texts that belong together."""
    lengths = str(len(parts[0])) if len(parts) == 1 else ",".join([str(len(part)) for part in parts])
    data = f"{lengths}:{''.join(parts)}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=_SIZE).digest()


class Seen:
    """Numbers by hashes: a table of two flat arrays, a tenth of what a dictionary takes."""

    def __init__(self) -> None:
        """Begin empty."""
        self._count = 0
        self._make(1024)

    def _make(self, slots: int) -> None:
        self._slots = slots
        self._hashes = bytearray(slots * _KEPT)
        self._numbers = array("I", bytes(4 * slots))

    def __len__(self) -> int:
        """Return how many hashes there are."""
        return self._count

    def put(self, hash_: bytes, number: int) -> int:
        """Give a hash its number, from 1, unless it has one; return the one that it has now."""
        slot = self._slot(hash_[:_KEPT])
        return self._numbers[slot] or self._fill(slot, hash_[:_KEPT], number)

    def get(self, hash_: bytes) -> int:
        """Return the number of a hash, 0 where it has none."""
        return self._numbers[self._slot(hash_[:_KEPT])]

    def count(self, hash_: bytes) -> int:
        """Count a hash once more and return how often it was counted."""
        slot = self._slot(hash_[:_KEPT])
        number = self._numbers[slot]
        if not number:
            return self._fill(slot, hash_[:_KEPT], 1)
        self._numbers[slot] = number + 1
        return number + 1

    def _slot(self, hash_: bytes) -> int:
        """Return the place of a hash, or the free one where it belongs."""
        numbers, hashes, slots = self._numbers, self._hashes, self._slots
        slot = int.from_bytes(hash_[:8], "little") % slots
        while numbers[slot] and not hashes.startswith(hash_, slot * _KEPT):
            slot = slot + 1 if slot + 1 < slots else 0
        return slot

    def _fill(self, slot: int, hash_: bytes, number: int) -> int:
        self._hashes[slot * _KEPT : (slot + 1) * _KEPT] = hash_
        self._numbers[slot] = number
        self._count += 1
        if self._count * 4 > self._slots * 3:
            self._grow()
        return number

    def _grow(self) -> None:
        old, held = self._hashes, self._numbers
        self._make(self._slots * 3 // 2)
        hashes, numbers, slots = self._hashes, self._numbers, self._slots
        for place, number in enumerate(held):
            if number:  # no two hashes are the same here, so that none is compared
                hash_ = old[place * _KEPT : (place + 1) * _KEPT]
                slot = int.from_bytes(hash_[:8], "little") % slots
                while numbers[slot]:
                    slot = slot + 1 if slot + 1 < slots else 0
                hashes[slot * _KEPT : (slot + 1) * _KEPT] = hash_
                numbers[slot] = number
