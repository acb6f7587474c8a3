"""What a format of answers is: a module with these names; a new one is that and a line in `known_formats.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from answerwatch.domain.said import Said

Record = Mapping[str, object]
"""One JSON object of a file: a conversation, a result, a line."""


Paths = tuple[tuple[str, ...], ...]
"""Ways into a JSON document: names, and `item` for every element of a list; () is the document itself."""


class Format(Protocol):
    """A format of answers."""

    NAME: str
    """As it is given to `--format` and shown."""
    PATHS: Paths
    """Where its records may lie in a JSON document."""
    MANY: bool
    """Whether a record may hold several answers: then answers are numbered, else they have the numbers of records."""

    def knows(self, record: Record, /) -> bool:
        """Tell whether a record is one of this format."""

    def answers(self, record: Record, /) -> Iterator[dict[str, object] | Said]:
        """Yield the answers of a record, or why it holds none.

        An answer has names of `ANSWER_COLUMNS` (`workspace/files/columns.py`): `answer`, `platform`, `question`,
        `asked_at`, `model`, `finish_reason`, `reasoning`, `searched`, `external_id`, and `sources` as `reach.source`
        makes them. What the record does not tell is left out or None. Without a question, that of the request with the
        id `external_id` is taken. Any other name is kept beside the answer as it is.
        """
