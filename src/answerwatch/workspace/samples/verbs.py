"""Samples: answers as they were received, and import of answers collected elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from answerwatch.domain.relevance import Fit
from answerwatch.errors import UsageError
from answerwatch.store.sample import listing
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.filling import filled
from answerwatch.workspace.filters import known_batches, known_platform, known_question
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.samples.importing import ImportRequest, import_samples
from answerwatch.workspace.samples.views import SampleDetail, SampleImport, SampleView


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
        sheet: str | None = None,
        requests: Path | None = None,
        columns: Mapping[str, str] | None = None,
        skip_errors: bool = False,
        dry_run: bool = False,
    ) -> SampleImport:
        """Make a batch of its own of a file with at least question, answer and platform (docs/importing.md).

        `brand` is the focal brand; without one figures come from every tracked brand. `platform` and `scene` are for
        rows that name none, `columns` says what columns mean that are not known, `requests` is the file with the
        questions where the answers do not repeat them. All or nothing: rows with errors are listed and nothing is
        stored, unless `skip_errors` leaves them out. An answer that is stored already is not stored twice.
        """
        request = ImportRequest(
            path=path,
            format=format,
            brand=brand,
            platform=platform,
            scene=scene,
            encoding=encoding,
            sheet=sheet,
            requests=requests,
            renamed=columns or {},
            skip_errors=skip_errors,
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
        fit: Fit | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> tuple[SampleView, ...]:
        """Return samples by id, those after the id `after`.

        Raises UsageError for a batch, brand, question or platform that is unknown.
        """
        with self._parts.store().reading() as read:
            wanted = listing.Wanted(
                batch_id=None if batch is None else known_batches(read, [batch])[0],
                brand_name=None if brand is None else pick_brand(read, brand).standard_name,
                question_id=None if question is None else known_question(read, question),
                platform=None if platform is None else known_platform(read, self._parts.platforms(), platform),
                valid=valid,
                fit=None if fit is None else str(fit),
                after=after,
                most=limit,
            )
            return tuple(filled(SampleView, row) for row in listing.find(read, wanted))

    def show(self, sub_task_id: str) -> SampleDetail:
        """Return one sample whole; raises UsageError when it is unknown."""
        with self._parts.store().reading() as read:
            row = listing.get(read, sub_task_id)
            if row is None:
                text = f"There is no sample {sub_task_id}; `answerwatch samples list` shows those of a batch."
                raise UsageError("sample_unknown", text, sample=sub_task_id)
            citations = listing.citations(read, sub_task_id)
        return filled(SampleDetail, row, sample=filled(SampleView, row), citations=citations)
