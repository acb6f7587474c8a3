"""Answers that a new lexicon cannot change: their present result stands in the new generation, and nothing is read.

Most changes of a lexicon touch few answers: a new name stands in one of a hundred. The others would be read only to
find what is stored already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from answerwatch.domain.clean_states import CleanState
from answerwatch.errors import WorkError
from answerwatch.stages.clean.lexicons import LexiconShelf
from answerwatch.stages.clean.records import Judged, ToClean
from answerwatch.store.clean import cleaning_tasks, matches, results
from answerwatch.store.clean.cleaning_tasks import CleanTask
from answerwatch.store.clean.results import Present
from answerwatch.store.database import Read, Write

VALID_PATH = (CleanState.VALID, CleanState.EXTRACTING, CleanState.EXTRACTED)
INVALID_PATH = (CleanState.INVALID,)
"""States that an answer is taken through on its way to being completed, by what it was judged to be."""


def with_present(read: Read, items: Sequence[ToClean], cleaner_version: str) -> list[ToClean]:
    """Return the items, with the results that may stand where the same rules of reading made them."""
    sources = [item.task.source_task_id for item in items if item.task is not None and not item.task.reads_all]
    found = results.present(read, sources) if sources else {}
    if not found:
        return list(items)  # fresh answers, the usual work
    return [
        item if item.task is None else replace(item, present=_comparable(found, item.task, cleaner_version))
        for item in items
    ]


def _comparable(found: dict[str, Present], task: CleanTask, cleaner_version: str) -> Present | None:
    one = found.get(task.source_task_id)
    if one is None or one.clean_state is not CleanState.COMPLETED or one.cleaner_version != cleaner_version:
        return None
    return one if one.generation < task.generation else None


def is_unchanged(item: ToClean, shelf: LexiconShelf) -> bool:
    """Tell whether reading the answer would give its present result; False where that is not certain."""
    task, sample, present = item.task, item.sample, item.present
    if task is None or sample is None or present is None:
        return False
    try:
        difference = shelf.difference(present.lexicon_version, task.lexicon_version, item.lexicons)
    except WorkError:
        return False  # a lexicon is lost: reading says so where it is the new one, and needs no older one
    return not difference.touches(sample.raw_response, sample.brand_name)


def take_over(tx: Write, unchanged: Sequence[Judged], now: datetime) -> list[Judged]:
    """Let present results stand in the generation of these tasks, and complete the tasks.

    Return those whose answers have got another result since they were compared: they must be read after all.
    """
    held = results.held(tx, [one.task.source_task_id for one in unchanged]) if unchanged else {}
    taken: dict[tuple[int, int], list[Present]] = {}
    paths: dict[str, tuple[CleanState, ...]] = {}
    origins: dict[str, str] = {}
    overtaken = []
    for one in unchanged:
        present, task = one.present, one.task
        # Taken out: of two generations of one answer that are stored together, the second finds the first one's result.
        if present is None or held.pop(task.source_task_id, None) != present.clean_task_id:
            overtaken.append(one)
            continue
        taken.setdefault((task.generation, task.lexicon_version), []).append(present)
        paths[task.clean_task_id] = (*(VALID_PATH if present.is_valid else INVALID_PATH), CleanState.COMPLETED)
        origins[task.clean_task_id] = present.clean_task_id
    cleaning_tasks.move(tx, paths, now)
    cleaning_tasks.note_taken(tx, origins)
    for (generation, lexicon), presents in sorted(taken.items()):
        before = [present.clean_task_id for present in presents]
        results.take_over(tx, before, generation, lexicon, now)
        matches.copy(tx, before, generation, now)
    return overtaken
