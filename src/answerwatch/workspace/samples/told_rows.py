"""What is told of rows for what else there is: other surfaces in the file, and answers that are stored."""

from __future__ import annotations

from collections.abc import Mapping

from answerwatch.domain.said import Said
from answerwatch.stages.collect.imported import ImportedAnswer
from answerwatch.workspace.files.row_notes import RowNote


def stored_words(sample: str, homes: Mapping[str, tuple[str, str]], brand: str) -> Said:
    """Return what is said of a row that is stored already, and how it counts for the brand that it is imported for.

    `homes` is the batch of each sample with its focal brand, '' for none.
    """
    batch, focal = homes.get(sample, ("", brand))
    if focal == brand:
        return Said("row_stored", f"is stored already, as {sample}, and is left out", sample=sample)
    if not focal:
        text = f"is stored already, as {sample} of a batch without a focal brand, which every report counts; left out"
        return Said("row_stored_open", text, sample=sample)
    text = (
        f"is stored already, as {sample} of a batch for {focal}, and is left out; all tracked brands are read in it, "
        f"and `report BRAND --batch {batch}` counts it for another one"
    )
    return Said("row_stored_elsewhere", text, sample=sample, brand=focal, batch=batch)


def pooled_note(answer: ImportedAnswer, first: str) -> RowNote:
    """Return the note on the first row whose surface is another one than that of the platform's first answer."""
    untold = Said("surface_untold", "an untold one")
    other = answer.surface or untold
    text = (
        f"{answer.platform} gets answers of several surfaces ({first or untold}, {other}), "
        "which reports count together; import a file for each, and name its batch with --batch"
    )
    message = Said("row_surfaces", text, platform=answer.platform, first=first or untold, other=other)
    return RowNote(line=answer.row, reason="surfaces", message=message)
