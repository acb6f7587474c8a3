"""Rows of our own exports: they name their sample, and are it when they say what it says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from answerwatch.domain.texts import storable
from answerwatch.stages.collect.imported import CHARACTERS_TOGETHER, ImportedAnswer
from answerwatch.store.database import Read
from answerwatch.store.sample import listing as stored_answers
from answerwatch.workspace.files.cells import clean_cell
from answerwatch.workspace.files.workbook_limits import as_held


def stored_as(read: Read, answers: Sequence[ImportedAnswer]) -> dict[bytes, str]:
    """Return the content hashes of those answers that are samples of this workspace, with their samples.

    A sample is the one of a row when id, question and answer are the same; ids alone are not enough, since two
    workspaces may ask on the same second.
    """
    named: dict[str, list[ImportedAnswer]] = defaultdict(list)
    for answer in answers:
        if answer.sample_id is not None:
            named[answer.sample_id].append(answer)
    found: dict[bytes, str] = {}
    for ids in _together(stored_answers.lengths(read, list(named))) if named else ():
        for one in stored_answers.said(read, ids):
            written = (answer for answer in named[one.sub_task_id] if _is_written_as(one, answer))
            found |= {answer.content_hash: one.sub_task_id for answer in written}
    return found


def _together(lengths: dict[str, int]) -> Iterator[list[str]]:
    """Yield ids in lists of which the answers can be held in memory."""
    part: list[str] = []
    characters = 0
    for id_, length in lengths.items():
        if part and characters + length > CHARACTERS_TOGETHER:
            yield part
            part, characters = [], 0
        part.append(id_)
        characters += length
    if part:
        yield part


def _is_written_as(sample: stored_answers.SaidSample, answer: ImportedAnswer) -> bool:
    """Tell whether a row says what a sample says, as far as its file could hold it."""
    asked = not _written(sample.query_text).isdisjoint(_written(answer.query_text))
    return asked and _in_cell(sample.raw_response) == _in_cell(answer.answer)


def _written(question: str) -> set[str]:
    """Return a question as files hold it: a blank at its end is cut, or in a workbook a sign that stands for it."""
    return {clean_cell(_in_cell(question)), clean_cell(_in_cell(clean_cell(question)))}


def _in_cell(text: str) -> str:
    """Return a text as a cell of a workbook holds it."""
    return as_held(storable(text).text)[0]
