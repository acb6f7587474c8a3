"""How much a server takes in one call: what it says when it was too much, and what is learnt of that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_COUNT = re.compile(
    r"(?:(?:not|n't)\s+(?:be\s+)?(?:larger|greater|more|bigger|longer|exceed)(?:\s+than)?"
    r"|(?:at\s+most|up\s+to|no\s+more\s+than|less\s+than\s+or\s+equal\s+to|<=|≤|>)"
    r"|max(?:imum)?(?:\s+(?:allowed|supported|client))?\s+(?:batch\s*size|length|number\s+of\s+\w+|inputs|texts|items)"
    r"|(?:不超过|不能超过|不得超过|最多|最大为|上限为?))"
    r"\D{0,40}?(\d{1,7})\b",
    re.IGNORECASE,
)
"""Forms in which the most that is allowed is named; the last number of a text that has one of them counts."""

_OF_BATCH = re.compile(
    r"batch.?size|batch_size|input batch|inputs?\b|array|list|items|documents?\b|texts?\b|contents|条|批|数组",
    re.IGNORECASE,
)
_OF_LENGTH = re.compile(r"tokens?\b|character|chars|\blength\b|too long|context|字符|长度", re.IGNORECASE)


def told_limit(message: str, sent: int) -> int | None:
    """Return how many texts a server says it takes, None where it says nothing of that.

    Only a number below what was sent can be meant: others are lengths, or tokens.

    >>> told_limit("batch size is invalid, it should not be larger than 10.: input.contents", 25)
    10
    >>> told_limit("batch size 100 > maximum allowed batch size 32", 100)
    32
    """
    if not _OF_BATCH.search(message):
        return None
    found = [int(number) for number in _COUNT.findall(message)]
    fitting = [number for number in found if 1 <= number < sent]
    return fitting[-1] if fitting else None


def speaks_of_length(message: str) -> bool:
    """Tell whether a refusal is about the length of what was sent, not about how many texts it were."""
    return bool(_OF_LENGTH.search(message)) and not re.search(r"batch.?size", message, re.IGNORECASE)


@dataclass(slots=True)
class Limits:
    """What goes into one call; only ever lowered."""

    texts: int
    chars: int
    proven: bool = False
    """A call was taken since they were last lowered."""

    def lower(self, *, texts: int | None = None, chars: int | None = None) -> None:
        """Take over what was learnt."""
        self.proven = False
        self.texts = max(1, min(self.texts, texts or self.texts))
        self.chars = max(1, min(self.chars, chars or self.chars))


def cut(places: Sequence[int], size: Callable[[int], int], limits: Limits) -> Iterator[list[int]]:
    """Yield places in their order, as many together as one call may hold; a single one may be longer than that."""
    part: list[int] = []
    chars = 0
    for place in places:
        length = size(place)
        if part and (len(part) >= limits.texts or chars + length > limits.chars):
            yield part
            part, chars = [], 0
        part.append(place)
        chars += length
    if part:
        yield part
