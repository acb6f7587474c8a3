"""Branded questions: those whose text names a brand of the lexicon, own or competitor.

The flag is worked out from the newest version of the lexicon whenever it is shown, and stored nowhere: a change of the
lexicon would have to touch every question, and a stored flag would be wrong until it has. The reader is loaded only
where there is a brand that could be named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from answerwatch.domain.lexicons import NO_BRANDS, read_version
from answerwatch.store.bank import lexicons
from answerwatch.store.database import Read
from answerwatch.store.types import as_flag

Branded = Callable[[str], "bool | None"]
"""Tells whether a text names a brand; None: there is no brand to name."""


def branded_by_newest(read: Read) -> Branded:
    """Return what tells whether a text names a brand of the newest lexicon, as answers are read."""
    if lexicons.newest_number(read) == NO_BRANDS.version:
        return _unknown
    stored = lexicons.newest(read)
    if stored is None or not stored.content:
        return _unknown
    from answerwatch.reading import Lexicon  # noqa: PLC0415 - lists of a workspace without brands need no reader
    from answerwatch.reading.fold import key  # noqa: PLC0415 - as above
    from answerwatch.reading.matching import Text, find_matches  # noqa: PLC0415 - as above

    lexicon = Lexicon.compile(read_version(stored.version, stored.content_hash, stored.content))

    def branded(text: str) -> bool:
        if lexicon.automaton is None or not lexicon.automaton.find_matches_as_indexes(key(text)):
            return False  # most questions hold no name at all, which is quickly seen
        return any(match.is_valid_match for match in find_matches(Text.of(text, None), lexicon))

    return branded


def flags_by_newest(read: Read) -> Callable[[Sequence[str]], list[int | None]]:
    """Return what tells the same of many texts, as a column of an export has it: 0, 1 or None."""
    branded = branded_by_newest(read)
    return lambda texts: [as_flag(branded(text)) for text in texts]


def _unknown(_text: str) -> None:
    return None
