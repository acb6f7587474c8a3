"""What is shown of questions, and questions as files give them. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from answerwatch.domain.questions import Freshness
from answerwatch.store.questions import QuestionVersion
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


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChange:
    """What importing one row does."""

    line: int
    question_id: str
    kind: str
    """`new`, `changed` (other keywords, intent or activity), `new_version` (other text or scene)."""
    scene_type: str
    query_text: str
    before: str | None
    """The text that is replaced; None where it stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionImport:
    """What an import would do, or did when `applied`."""

    file: str
    encoding: str
    delimiter: str | None
    """None for JSONL."""
    columns: tuple[tuple[str, str], ...]
    """Header as written -> field; '' for columns that are not used."""
    rows: int
    changes: tuple[QuestionChange, ...]
    unchanged: int
    errors: tuple[RowError, ...]
    notes: tuple[RowNote, ...]
    applied: bool
