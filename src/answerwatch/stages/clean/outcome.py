"""From a verdict and a reading to the rows of a result; pure."""

from __future__ import annotations

from datetime import datetime
from operator import attrgetter

from answerwatch.domain.answers import UNKNOWN, Figures
from answerwatch.domain.clean_states import CleanState
from answerwatch.reading import BrandReading
from answerwatch.stages.clean.records import Judged
from answerwatch.store.clean.cleaning_tasks import CleanTask
from answerwatch.store.clean.matches import MatchRow
from answerwatch.store.clean.results import NewResult
from answerwatch.store.sample.samples import SampleText, Verdict
from answerwatch.store.types import as_bool

_READ = attrgetter(*Figures._fields)


def figures_of(brand: BrandReading) -> Figures:
    """Return the figures of one brand as stored: truth values as 0 and 1, words as plain strings.

    SQLite's driver is twice as fast with those as with members of an enum.
    """
    return Figures._make(
        [one if one is None else str(one) if isinstance(one, str) else int(one) for one in _READ(brand)]
    )


def result_of(judged: Judged, cleaner_version: str, now: datetime) -> NewResult:
    """Return the result of a completed task; metrics are NULL where the answer is not valid.

    The focal brand's are NULL too where the lexicon does not hold it: nobody looked for it.
    """
    verdict, reading = judged.verdict, judged.reading
    if verdict is None:
        raise AssertionError("a result needs a verdict")
    focal = UNKNOWN
    if reading is not None and judged.focal_is_tracked:
        focal = figures_of(reading.of(judged.sample.brand_name))
    mentioned = [] if reading is None else [one for one in reading.brands if one.is_mentioned]
    return NewResult(
        clean_task_id=judged.task.clean_task_id,
        source_task_id=judged.sample.sub_task_id,
        batch_id=judged.sample.batch_id,
        brand_name=judged.sample.brand_name,
        platform=judged.sample.platform,
        scene_type=judged.sample.scene_type,
        clean_state=CleanState.COMPLETED,
        is_valid=int(verdict.is_valid),
        invalid_reason=verdict.invalid_reason,
        invalid_note=verdict.note,
        truncated=int(verdict.truncated),
        has_citation=None if reading is None else int(reading.has_citation),
        focal=focal,
        brands=tuple((one.standard_name, figures_of(one)) for one in mentioned),
        raw_data_url=judged.sample.raw_data_url,
        generation=judged.task.generation,
        lexicon_version=judged.task.lexicon_version,
        cleaner_version=cleaner_version,
        cleaned_at=now,
    )


def failed_result(task: CleanTask, sample: SampleText, cleaner_version: str, now: datetime) -> NewResult:
    """Return the result of a task that failed for good: validity and metrics are not known."""
    return NewResult(
        clean_task_id=task.clean_task_id,
        source_task_id=sample.sub_task_id,
        batch_id=sample.batch_id,
        brand_name=sample.brand_name,
        platform=sample.platform,
        scene_type=sample.scene_type,
        clean_state=CleanState.FAILED,
        is_valid=None,
        raw_data_url=sample.raw_data_url,
        generation=task.generation,
        lexicon_version=task.lexicon_version,
        cleaner_version=cleaner_version,
        cleaned_at=now,
    )


def verdict_of(result: NewResult) -> Verdict:
    """Return what a result says of its sample."""
    return Verdict(
        sub_task_id=result.source_task_id, is_valid=as_bool(result.is_valid), invalid_reason=result.invalid_reason
    )


def match_rows(judged: Judged, now: datetime) -> list[MatchRow]:
    """Return every candidate of a reading as stored, and every pronoun that stands for a brand."""
    if judged.reading is None:
        return []
    return [
        MatchRow(
            clean_task_id=judged.task.clean_task_id,
            standard_name=one.standard_name,
            matched_alias=one.matched_alias,
            match_position=one.match_position,
            match_length=one.match_length,
            is_valid_match=int(one.is_valid_match),
            reason=one.reason,
            covered_by=one.covered_by,
            region=str(one.region),
            via=str(one.via),
            created_at=now,
        )
        for one in judged.reading.traces
    ]
