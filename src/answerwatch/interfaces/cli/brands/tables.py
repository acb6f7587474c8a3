"""How brands are shown to people, and candidate matches: what was found, where, and which rule decided about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from answerwatch.interfaces.cli.listing import Listing, yes_no
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.shown_records import Brand

LONGEST_COVER = 60
"""Characters shown of what covers a candidate."""


def _brand_row(session: Session, brand: Brand) -> tuple[object, ...]:
    names = tuple(alias.text for alias in brand.aliases)
    phrases = tuple(f"{rule.pattern}" for rule in brand.rules)
    return brand.standard_name, session.word("role", brand.role), names, phrases, brand.domains


BRANDS: Listing[Brand] = Listing(columns=("brand", "role", "aliases", "rules", "domains"), row=_brand_row)


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
