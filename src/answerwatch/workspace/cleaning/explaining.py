"""Why an answer was read as it was: every candidate match, the rule that rejected it, and what was never there."""

from __future__ import annotations

from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.lexicons import names_in
from answerwatch.domain.relevance import Fit
from answerwatch.errors import ServiceError, UsageError
from answerwatch.store.bank import lexicons
from answerwatch.store.clean import cleaning_tasks, explanations, matches
from answerwatch.store.clean.explanations import Values
from answerwatch.store.database import Read
from answerwatch.store.sample import listing
from answerwatch.store.similarity import relevance
from answerwatch.store.types import as_bool
from answerwatch.workspace.cleaning.correcting import shown
from answerwatch.workspace.cleaning.readings import Readings
from answerwatch.workspace.cleaning.views import BrandFinding, CorrectionView, Explanation, MatchView, RelevanceView
from answerwatch.workspace.filling import filled
from answerwatch.workspace.filters import known_generation


def explain(read: Read, task_id: str, generation: int | None = None) -> Explanation:
    """Explain a clean task, or the current one of a sample, or that of another generation.

    Raises UsageError when the id is unknown, or the answer was not read in that generation.
    """
    task = explanations.find_task(read, task_id, generation)
    if task is None:
        raise _no_such(read, task_id, generation)
    sample = _sample(read, task["source_task_id"])
    result = explanations.result_of(read, task["clean_task_id"]) or {}
    found = [_match(row, sample["raw_response"]) for row in matches.of_task(read, task["clean_task_id"])]
    return Explanation(
        clean_task_id=task["clean_task_id"],
        source_task_id=task["source_task_id"],
        generation=task["generation"],
        generations=tuple(explanations.generations_of(read, task["source_task_id"])),
        taken_from=task["taken_from"],
        state=CleanState(task["current_state"]),
        history=cleaning_tasks.transitions(task["state_history"]),
        last_error=task["last_error"],
        platform=sample["platform"],
        scene_type=sample["scene_type"],
        query_text=sample["query_text"],
        raw_response=sample["raw_response"],
        is_valid=as_bool(result.get("is_valid")),
        invalid_reason=result.get("invalid_reason"),
        invalid_note=result.get("invalid_note"),
        truncated=as_bool(result.get("truncated")),
        has_citation=as_bool(result.get("has_citation")),
        lexicon_version=result.get("lexicon_version"),
        cleaner_version=result.get("cleaner_version"),
        brands=tuple(
            _finding(row, sample["brand_name"]) for row in explanations.brands_of(read, task["clean_task_id"])
        ),
        not_found=_not_found(read, result, {match.standard_name for match in found}),
        matches=tuple(found),
        relevance=_relevance(read, task["source_task_id"]),
        corrections=_corrections(read, sample),
    )


def _sample(read: Read, sub_task_id: str) -> Values:
    sample = listing.get(read, sub_task_id)
    if sample is None:
        text = f"The sample {sub_task_id} of this task is missing; the database is damaged."
        raise ServiceError("sample_missing", text, sample=sub_task_id)
    return sample


def _corrections(read: Read, sample: Values) -> tuple[CorrectionView, ...]:
    sub_task_id = sample["sub_task_id"]
    readings = Readings.of(read, [sub_task_id])
    return tuple(
        shown(one, sample["raw_response"], readings.read(sub_task_id, one.brand_name))
        for one in readings.said.get(sub_task_id, ())
    )


def _relevance(read: Read, sub_task_id: str) -> RelevanceView | None:
    row = relevance.get(read, sub_task_id)
    return None if row is None else filled(RelevanceView, row, verdict=Fit(row["verdict"]))


def _no_such(read: Read, task_id: str, generation: int | None) -> UsageError:
    known = explanations.find_task(read, task_id)
    if known is None or generation is None:
        return _unknown(task_id)
    known_generation(read, generation)
    there = ", ".join(str(number) for number in explanations.generations_of(read, known["source_task_id"]))
    text = f"{task_id} was not read in generation {generation}; its generations are: {there}."
    return UsageError("generation_of_task", text, task=task_id, generation=generation, there=there)


def _unknown(task_id: str) -> UsageError:
    text = f"There is no clean task or sample {task_id}; `answerwatch samples list` shows samples."
    return UsageError("clean_task_unknown", text, task=task_id)


def _match(row: matches.MatchRow, raw: str) -> MatchView:
    end = row.match_position + row.match_length
    return filled(MatchView, row._asdict(), text=raw[row.match_position : end])


def _finding(row: Values, focal: str) -> BrandFinding:
    return filled(BrandFinding, row, is_focal=row["brand_name"] == focal)


def _not_found(read: Read, result: Values, found: set[str]) -> tuple[str, ...]:
    """Return the brands of the lexicon used that have no candidate; empty where the answer was not read."""
    version = result.get("lexicon_version")
    if version is None or result.get("is_valid") != 1:
        return ()
    lexicon = lexicons.of_versions(read, [version]).get(version)
    return () if lexicon is None else tuple(sorted(names_in(lexicon.content) - found))
