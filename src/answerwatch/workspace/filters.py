"""Values that a list or a report is narrowed to: one that nobody knows is an error, for it would pass as "nothing"."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from answerwatch.domain.questions import USUAL_SCENES, check_scene
from answerwatch.errors import UsageError
from answerwatch.platforms.names import split
from answerwatch.platforms.records import SurfaceKind
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.store.bank import questions
from answerwatch.store.batch import batches
from answerwatch.store.clean import generations
from answerwatch.store.database import Read
from answerwatch.store.sample import listing
from answerwatch.workspace.platforms import platform_id

MOST_OFFERED = 20
CLOSE = 0.7
"""How alike two words are, of 1, that one may be meant by the other."""


def known_platform(read: Read, platforms: Platforms, name: str) -> str:
    """Return the id of a platform of the workspace, the catalogue or any batch; raises UsageError for another one."""
    id_ = platform_id(platforms, name)
    product, kind = split(id_)
    there = {*platforms.surfaces, *platforms.catalogue.surfaces}
    if id_ in there or (kind is SurfaceKind.IMPORT and product in there):
        return id_
    asked = batches.platforms(read)
    if id_ not in asked:
        near = offered(id_, {*platforms.surfaces, *asked}, {*there, *asked})
        text = f"There is no platform {name!r}; there are: {near}. `answerwatch platforms list --catalogue` shows more."
        raise UsageError("platform_unheard", text, name=name, near=near)
    return id_


def known_scene(read: Read, scene: str) -> str:
    """Return a scene of the bank, of any batch, or a usual one; raises UsageError for another one."""
    wanted = check_scene(scene)
    if wanted in USUAL_SCENES:
        return wanted
    used = questions.every_scene(read) | batches.scenes(read)
    if wanted not in used:
        near = offered(wanted, {*USUAL_SCENES, *used}, {*USUAL_SCENES, *used})
        text = f"No question has scene {wanted}; scenes are: {near}."
        raise UsageError("scene_unheard", text, scene=wanted, near=near)
    return wanted


def known_batches(read: Read, batch_ids: Iterable[str]) -> list[str]:
    """Return ids of batches sorted, each once; raises UsageError for the first that is none."""
    wanted = sorted(set(batch_ids))
    unknown = sorted(set(wanted) - batches.taken(read, wanted))
    if unknown:
        raise unknown_batch(unknown[0])
    return wanted


def unknown_batch(batch_id: str) -> UsageError:
    """Return the error of an id that no batch has."""
    text = f"There is no batch {batch_id}; `answerwatch batch list` shows all."
    return UsageError("batch_unknown", text, batch=batch_id)


def known_question(read: Read, question_id: str) -> str:
    """Return the id of a question that the bank or an answer has; raises UsageError for another one."""
    if questions.find(read, questions.Wanted(ids=[question_id])):
        return question_id
    if listing.find(read, listing.Wanted(question_id=question_id, most=1)):
        return question_id
    raise unknown_question(question_id)


def unknown_question(question_id: str) -> UsageError:
    """Return the error of an id that no question has."""
    text = f"There is no question {question_id}; `answerwatch questions list` shows all."
    return UsageError("question_unknown", text, question=question_id)


def known_generation(read: Read, generation: int) -> int:
    """Return a generation that answers were read in; raises UsageError for another one."""
    newest = generations.newest_number(read)
    if not 1 <= generation <= newest:
        text = f"There is no generation {generation}; the newest is {newest}."
        raise UsageError("generation_unknown", text, generation=generation, newest=newest)
    return generation


def offered(word: str, usual: Collection[str], every: Collection[str]) -> str:
    """Return what may be meant: the nearest of all words, else the usual ones.

    >>> offered("kimmi", ["deepseek"], ["deepseek", "kimi"]), offered("zz", ["deepseek"], ["deepseek", "kimi"])
    ('kimi', 'deepseek')
    """
    near = get_close_matches(word, sorted(every), n=3, cutoff=CLOSE)
    return ", ".join(near or sorted(usual or every)[:MOST_OFFERED])
