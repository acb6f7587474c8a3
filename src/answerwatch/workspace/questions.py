"""The question bank: add, import, list, show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from answerwatch.store.database import Store
from answerwatch.workspace.row_notes import RowError, RowNote


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
class QuestionVersionView:
    """How a question was worded at one version."""

    version: int
    query_text: str
    scene_type: str
    changed_at: datetime
    changed_by: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDetail:
    """One question with its history."""

    question: QuestionView
    versions: tuple[QuestionVersionView, ...]
    last_success: datetime | None
    """When a platform last answered it; None: never."""


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


class Questions:
    """Verbs on the question bank."""

    def __init__(self, store: Store, actor: str) -> None:
        """Work on `store`; `actor` is named in the history of versions."""
        self._store = store
        self._actor = actor

    def add(
        self,
        query_text: str,
        *,
        scene: str,
        question_id: str | None = None,
        keywords: Sequence[str] = (),
        intent: str = "",
    ) -> QuestionView:
        """Add one question and return it; without an id it gets `QYYYYMMDD_NNN`.

        Raises UsageError for an empty text, a bad scene or id, or an id that is taken.
        """
        raise NotImplementedError

    def import_file(
        self, path: Path, *, apply: bool = False, encoding: str | None = None, scene: str | None = None
    ) -> QuestionImport:
        """Read CSV or JSONL and return what it changes; changes nothing without `apply`, and nothing on any row error.

        `scene` is used for rows that name none. Raises UsageError for a file that cannot be read as a table.
        """
        raise NotImplementedError

    def list(
        self, *, scene: str | None = None, active: bool | None = None, limit: int = 1000, after: str | None = None
    ) -> tuple[QuestionView, ...]:
        """Return questions by id, those after the id `after`."""
        raise NotImplementedError

    def show(self, question_id: str) -> QuestionDetail:
        """Return one question with its versions; raises UsageError when it is unknown."""
        raise NotImplementedError
