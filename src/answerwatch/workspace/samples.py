"""Samples: answers as they were received, and import of answers collected elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from answerwatch.errors import UsageError
from answerwatch.store import answers as shelf
from answerwatch.store.types import as_bool
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.plain import to_plain
from answerwatch.workspace.sample_import import ImportRequest, import_samples
from answerwatch.workspace.sample_views import SampleDetail, SampleImport, SampleView


class Samples:
    """Verbs on samples."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def import_file(
        self,
        path: Path,
        *,
        format: str = "auto",  # noqa: A002 - the word that people know from the command line
        brand: str | None = None,
        platform: str | None = None,
        scene: str | None = None,
        encoding: str | None = None,
        dry_run: bool = False,
    ) -> SampleImport:
        """Make a batch of its own of a JSONL or CSV file with at least question, answer and platform.

        `brand` is the focal brand; without one figures come from every tracked brand. `platform` and `scene` are for
        rows that name none. All or nothing: rows with errors are listed and nothing is stored.
        """
        request = ImportRequest(
            path=path,
            format=format,
            brand=brand,
            platform=platform,
            scene=scene,
            encoding=encoding,
            dry_run=dry_run,
        )
        return import_samples(self._parts, request)

    def list(
        self,
        *,
        batch: str | None = None,
        brand: str | None = None,
        question: str | None = None,
        platform: str | None = None,
        valid: bool | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> tuple[SampleView, ...]:
        """Return samples by id, those after the id `after`."""
        wanted = shelf.Wanted(
            batch_id=batch,
            brand_name=brand,
            question_id=question,
            platform=platform,
            valid=valid,
            after=after,
            most=limit,
        )
        with self._parts.store().reading() as read:
            return tuple(_view(row) for row in shelf.find(read, wanted))

    def show(self, sub_task_id: str) -> SampleDetail:
        """Return one sample whole; raises UsageError when it is unknown."""
        with self._parts.store().reading() as read:
            row = shelf.get(read, sub_task_id)
            if row is None:
                text = f"There is no sample {sub_task_id}; `answerwatch samples list` shows those of a batch."
                raise UsageError("sample_unknown", text, sample=sub_task_id)
            citations = shelf.citations(read, sub_task_id)
        return SampleDetail(
            sample=_view(row),
            query_text=row["query_text"],
            raw_response=row["raw_response"],
            response_format=row["response_format"],
            response_time_ms=row["response_time_ms"],
            raw_data_url=row["raw_data_url"],
            raw_sha256=row["raw_sha256"],
            altered_characters=row["altered_characters"],
            attempt=row["attempt"],
            model_asked=row["model_asked"],
            parameters=to_plain(row["parameters"]),
            search_asked=as_bool(row["search_asked"]),
            searched=as_bool(row["searched"]),
            truncated=as_bool(row["truncated"]),
            filtered=as_bool(row["filtered"]),
            reasoning=row["reasoning"],
            prompt_tokens=row["prompt_tokens"],
            completion_tokens=row["completion_tokens"],
            cost=row["cost"],
            request_id=row["request_id"],
            provenance=to_plain(row["provenance"]),
            citations=citations,
        )


def _view(row: Mapping[str, Any]) -> SampleView:
    return SampleView(
        sub_task_id=row["sub_task_id"],
        batch_id=row["batch_id"],
        question_id=row["question_id"],
        question_version=row["question_version"],
        brand_name=row["brand_name"],
        platform=row["platform"],
        scene_type=row["scene_type"],
        round=row["round"],
        response_length=row["response_length"],
        is_valid=as_bool(row["is_valid"]),
        invalid_reason=row["invalid_reason"],
        model_served=row["model_served"],
        finish_reason=row["finish_reason"],
        collected_at=row["collected_at"],
    )
