"""How candidate matches are shown: what was found, where, and which rule accepted or rejected it."""

from __future__ import annotations

from typing import Protocol

from answerwatch.interfaces.cli.listing import Listing, yes_no
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

LONGEST_COVER = 60
"""Characters shown of what covers a candidate."""


class Candidate(Protocol):
    """One place where a name of a tracked brand stands, as the reader and the store both tell it."""

    @property
    def standard_name(self) -> str:
        """Return the brand."""

    @property
    def matched_alias(self) -> str:
        """Return the alias as the lexicon spells it."""

    @property
    def match_position(self) -> int:
        """Return the first code point in the raw answer."""

    @property
    def match_length(self) -> int:
        """Return the code points matched."""

    @property
    def counts(self) -> bool:
        """Tell whether it is a mention; a pronoun is none."""

    @property
    def reason(self) -> str:
        """Return `accepted`, `stands_for` or the rule that rejected it."""

    @property
    def covered_by(self) -> str | None:
        """Return the longer name, phrase or word that won over a rejected candidate."""


def _match_row(session: Session, match: Candidate) -> tuple[object, ...]:
    return (
        match.match_position,
        match.match_length,
        match.standard_name,
        match.matched_alias,
        yes_no(session, match.counts),
        session.word("match", match.reason),
        one_line(match.covered_by or "", LONGEST_COVER),
    )


MATCHES: Listing[Candidate] = Listing(
    columns=("position", "length", "brand", "alias", "counts", "reason", "covered_by"), row=_match_row
)
