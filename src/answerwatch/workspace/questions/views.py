"""What is shown of questions, and questions as files give them. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from answerwatch.domain.questions import Freshness
from answerwatch.store.bank.questions import QuestionVersion
from answerwatch.store.ops.audit import AuditEntry
from answerwatch.workspace.files.row_notes import RowError, RowNote


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """One question as it stands now."""

    question_id: str
    scene_type: str
    query_text: str
    target_keywords: tuple[str, ...]
    intent_description: str
    is_active: bool
    version: int
    branded: bool | None
    """Its text names a brand of the newest lexicon, own or competitor; None: there is no brand to name."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDetail:
    """One question with its history."""

    question: QuestionView
    versions: tuple[QuestionVersion, ...]
    last_success: datetime | None
    """When a platform last answered it; None: never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatrolView:
    """What a patrol says of one active question; None: never."""

    question_id: str
    scene_type: str
    query_text: str
    first_asked: datetime | None
    last_success: datetime | None
    freshness: Freshness


class Piece(NamedTuple):
    """A part of a text that was compared with the one before it."""

    kind: str
    """`same`, `removed` or `added`."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedVersion:
    """One version of a question, beside the one before it."""

    version: QuestionVersion
    answers: int
    """Samples of this wording; they stay with it."""
    pieces: tuple[Piece, ...]
    """The text, with what the version before had in its places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionHistory:
    """What was done to one question, the oldest first."""

    versions: tuple[WordedVersion, ...]
    activity: tuple[AuditEntry, ...]
    """When it was retired and restored, by whom and why (`note`, and `why` where nobody was asked)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """One question as a file or a caller gives it; None leaves a stored question's value as it is."""

    line: int
    question_id: str | None
    """None: a new question, unless one with the same text and scene is there."""
    scene_type: str | None
    query_text: str
    target_keywords: tuple[str, ...] | None = None
    intent_description: str | None = None
    is_active: bool | None = None
    altered: int = 0
    """Characters of its text that no database can hold, replaced one for one."""


class QuestionFieldChange(NamedTuple):
    """One field of a question that a row changes."""

    field: str
    """`query_text`, `scene_type`, `target_keywords`, `intent_description` or `is_active`."""
    before: object
    after: object


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChange:
    """What importing one row does."""

    line: int
    question_id: str
    kind: str
    """`new`, `changed` (other keywords, intent or activity), `new_version` (other text or scene)."""
    scene_type: str
    query_text: str
    fields: tuple[QuestionFieldChange, ...]
    """What it changes; nothing for a new question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionImport:
    """What an import would do, or did when `applied`."""

    file: str
    format: str
    """`csv`, `jsonl`, `json` or `xlsx`."""
    encoding: str
    delimiter: str | None
    """What separates the cells of a CSV file; None for others."""
    sheet: str | None
    """Sheet of a workbook that was read; None for others."""
    sheets: tuple[str, ...]
    """All sheets of the workbook."""
    columns: tuple[tuple[str, str], ...]
    """Header as written -> field; '' for columns that are not used."""
    rows: int
    """Rows with anything in them, those with errors too."""
    new: int
    changed: int
    """Stored questions that get other keywords, another intent or activity."""
    new_versions: int
    """Stored questions that get another text or scene."""
    unchanged: int
    repeated: int
    """Rows without an id whose question an earlier row holds; they are left out."""
    bad_rows: int
    """Rows with errors; one is enough to change nothing. After 1,000 of them the file is read no further."""
    missing: int | None
    """Active questions of the bank that no row is about. None: there are errors."""
    missing_first: tuple[str, ...]
    """Ids of the first of them."""
    retires_missing: bool
    """They are retired, since the file is the whole bank; else they stay as they are."""
    changes: tuple[QuestionChange, ...]
    """The first of them; `new`, `changed` and `new_versions` count all."""
    errors: tuple[RowError, ...]
    """The first of them."""
    notes: tuple[RowNote, ...]
    """The first of them."""
    applied: bool
