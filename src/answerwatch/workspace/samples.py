"""Samples: answers as they were received, and import of answers collected elsewhere."""

from __future__ import annotations

from pathlib import Path

from answerwatch.errors import UsageError
from answerwatch.store import answers as shelf
from answerwatch.workspace.filling import filled
from answerwatch.workspace.parts import Parts
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
            return tuple(filled(SampleView, row) for row in shelf.find(read, wanted))

    def show(self, sub_task_id: str) -> SampleDetail:
        """Return one sample whole; raises UsageError when it is unknown."""
        with self._parts.store().reading() as read:
            row = shelf.get(read, sub_task_id)
            if row is None:
                text = f"There is no sample {sub_task_id}; `answerwatch samples list` shows those of a batch."
                raise UsageError("sample_unknown", text, sample=sub_task_id)
            citations = shelf.citations(read, sub_task_id)
        return filled(SampleDetail, row, sample=filled(SampleView, row), citations=citations)
