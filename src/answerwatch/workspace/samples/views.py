"""What is shown of samples and of importing them. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from answerwatch.domain.answers import AnswerFacts, Citation
from answerwatch.domain.plain import Plain
from answerwatch.workspace.files.row_notes import RowError, RowNote


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleImport:
    """What came of an import; nothing is stored when there is an error."""

    file: str
    sha256: str
    format: str
    """`jsonl` or `csv`."""
    encoding: str
    columns: tuple[tuple[str, str], ...]
    """Column or key as written -> field; '' where it is kept as provenance."""
    rows: int
    """Rows with an answer, duplicates included."""
    imported: int
    duplicates: int
    """Rows that another row of the file repeats: same platform, question, time and answer."""
    altered: int
    """Answers in which characters were replaced that cannot be stored."""
    errors: tuple[RowError, ...]
    notes: tuple[RowNote, ...]
    batch_id: str | None
    """None for a dry run and for a file with errors."""
    known: bool
    """The same file was imported before; `batch_id` is that batch and nothing was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleView(AnswerFacts):
    """One sample as it is listed, with what is told of its answer; no long text."""

    sub_task_id: str
    batch_id: str
    question_id: str
    question_version: int
    brand_name: str
    platform: str
    scene_type: str
    round: int
    response_length: int
    """Code points."""
    is_valid: bool | None
    """None: not cleaned yet."""
    invalid_reason: str | None
    collected_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleDetail:
    """One sample with everything that is known about how it was made: the other columns of `answer_sample`."""

    sample: SampleView
    query_text: str
    raw_response: str
    response_format: str
    response_time_ms: int | None
    raw_data_url: str | None
    raw_sha256: str | None
    raw_size: int | None
    """Bytes of the kept object; None: not kept."""
    altered_characters: int
    attempt: int
    model_asked: str | None
    parameters: Plain
    reasoning: str | None
    cost: float | None
    provenance: Plain
    """Other columns of an imported row."""
    citations: tuple[Citation, ...]
