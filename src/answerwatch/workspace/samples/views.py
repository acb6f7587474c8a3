"""What is shown of samples and of importing them. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from answerwatch.domain.answers import AnswerFacts, Citation
from answerwatch.domain.plain import Plain
from answerwatch.domain.texts import shortened
from answerwatch.stages.collect.imported import ImportedAnswer
from answerwatch.workspace.files.row_notes import RowError, RowNote


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRow:
    """One of the first answers of a file, shortened, to see whether columns are taken for what they are."""

    line: int
    platform: str
    question: str
    answer: str
    asked_at: datetime | None
    model: str | None
    sources: int


def first_row(answer: ImportedAnswer) -> FirstRow:
    """Return what is shown of an answer before it is stored."""
    return FirstRow(
        line=answer.row,
        platform=answer.platform,
        question=shortened(answer.query_text, 60) or "",
        answer=shortened(answer.answer, 60) or "",
        asked_at=answer.asked_at,
        model=answer.model,
        sources=len(answer.citations),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleImport:
    """What came of an import."""

    file: str
    sha256: str
    format: str
    """`csv`, `jsonl`, `xlsx` or `json` for rows, else the name of a format: `chatgpt`, `promptfoo`, ..."""
    encoding: str
    delimiter: str | None
    """What separates the cells of a CSV file; None for others."""
    sheet: str | None
    """Sheet of a workbook that was read; None for others."""
    sheets: tuple[str, ...]
    """All sheets of the workbook."""
    columns: tuple[tuple[str, str], ...]
    """Column or key as written -> field; '' where it is kept as provenance."""
    first: tuple[FirstRow, ...]
    rows: int
    """Rows with an answer, duplicates included."""
    imported: int
    duplicates: int
    """Rows that another row of the file repeats: same platform, surface, question, time and answer."""
    stored_before: int
    """Rows whose answers are stored already, from another file; 0 where the file itself was imported before."""
    altered: int
    """Answers in which characters were replaced that cannot be stored."""
    bad_rows: int
    """Rows with errors, all of them; unless they are skipped, nothing is stored."""
    errors: tuple[RowError, ...]
    """The first of them."""
    notes: tuple[RowNote, ...]
    batch_id: str | None
    """None where nothing was stored: a dry run, rows with errors, or all is stored already."""
    known: bool
    """The same file was imported before; `batch_id` is that batch and nothing was stored."""
    restored: bool = False
    """The file that is kept as evidence was gone, and is kept again."""


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
