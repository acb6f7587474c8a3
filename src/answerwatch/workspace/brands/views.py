"""What is shown of brands and the lexicon."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from answerwatch.domain.brands import Brand
from answerwatch.domain.lexicon_changes import LexiconChange, Part
from answerwatch.domain.said import Said

if TYPE_CHECKING:
    from answerwatch.reading import Match
    from answerwatch.workspace.files.row_notes import RowError, RowNote


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandWarning:
    """Something about a name or rule that will probably surprise."""

    code: str
    """Stable word: `alias_one_character`, `alias_inside`, `rule_idle`, ...; docs/lexicon.md lists them."""
    brand: str
    part: Part
    alias: str
    """The name or phrase as it is spelt."""
    message: Said


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandChange:
    """A brand after a change."""

    brand: Brand
    """As it is now; as it was, when it was removed."""
    lexicon_version: int
    changed: bool
    """False: everything was there already."""
    changes: tuple[LexiconChange, ...]
    warnings: tuple[BrandWarning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconView:
    """One version of the lexicon."""

    version: int
    """0: no brand was ever added."""
    content_hash: str
    brands: int
    created_at: datetime | None
    changed_by: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconDiff:
    """What differs between two versions of the lexicon."""

    old: int
    new: int
    changes: tuple[LexiconChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconTest:
    """What the lexicon finds in a text, with reasons."""

    lexicon_version: int
    is_valid: bool
    invalid_reason: str | None
    mentioned: tuple[str, ...]
    """Brands in order of mention."""
    matches: tuple[Match, ...]
    """Every candidate, accepted or rejected; empty where the text is no valid answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconImport:
    """What an import of the lexicon would do, or did when `applied`."""

    file: str
    encoding: str
    delimiter: str | None
    """None for JSONL and spreadsheets."""
    columns: tuple[tuple[str, str], ...]
    """Header as written -> field; '' for columns that are not used."""
    rows: int
    changes: tuple[LexiconChange, ...]
    unchanged: int
    """Brands, names and rules of the file that are there already."""
    missing: int
    """Brands, names and rules that are tracked and not in the file; they stay, unless the file is to replace all."""
    warnings: tuple[BrandWarning, ...]
    errors: tuple[RowError, ...]
    notes: tuple[RowNote, ...]
    applied: bool
    lexicon_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconExport:
    """A lexicon that was written into a file."""

    file: str
    rows: int
    sha256: str
