"""Setting readings right: a person's word beside the reader's, which figures go by and labelled rows are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from answerwatch.domain.corrections import (
    NO,
    NONE,
    VALID,
    YES,
    Correction,
    Field,
    Seen,
    Spot,
    checked_value,
    corrected,
    overlap,
)
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.store.clean import corrections, explanations, results
from answerwatch.store.clean.explanations import Values
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import audit
from answerwatch.store.sample import listing
from answerwatch.workspace.authors import Author
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.cleaning.readings import Readings
from answerwatch.workspace.cleaning.views import CorrectionView

CORRECT, UNCORRECT = "clean.correct", "clean.uncorrect"
"""What is done, as the audit calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRequest:
    """What a person says is right."""

    task: str
    """Clean task or sample."""
    field: str
    value: str
    brand: str | None = None
    """None: it is about the answer as a whole."""
    at: str | None = None
    """Of a mention, `START:END` in code points of the answer."""


def correct(tx: Write, asked: CorrectionRequest, author: Author, now: datetime) -> CorrectionView:
    """Keep a correction, in the place of one of the same value before it.

    Raises UsageError for an unknown task, brand or field, a value that the field cannot have or that was read already,
    and for what contradicts the rest of the answer's reading.
    """
    field = _field(asked.field)
    value = checked_value(field, asked.value)
    task = _task(tx, asked.task)
    brand = _brand(tx, asked.brand, field)
    results.held(tx, [task["source_task_id"]])  # whoever else corrects this answer waits until this is settled
    answer = _Answer.of(tx, task["source_task_id"], brand)
    spot = _spot(answer, asked.at, field)
    new = Correction(
        correction_id=0,
        sub_task_id=task["source_task_id"],
        brand_name=brand,
        field=field,
        value=value,
        spot=spot,
        read_value=read_value(answer.read, field, spot),
        note=author.note,
        created_at=now,
        created_by=author.name,
    )
    same = next((one for one in answer.held if _same_place(one, new)), None)
    if same is not None and same.value == value:
        return shown(same, answer.raw, answer.read)
    if same is None and new.read_value == value:
        raise UsageError(
            "correction_same",
            f"{field} was read as {value} already; nothing is to be set right.",
            field=str(field),
            value=value,
        )
    _refuse_contradiction(answer, new)
    number = corrections.add(tx, new, generation=answer.generation)
    _note(tx, CORRECT, new, author)
    kept = corrections.get(tx, number)
    return shown(kept or new, answer.raw, answer.read)


def uncorrect(tx: Write, correction_id: int, author: Author, now: datetime) -> CorrectionView:
    """Take a correction back; raises UsageError where there is none that holds."""
    known = corrections.get(tx, correction_id)
    if known is None or not corrections.withdraw(tx, correction_id, author.name, now):
        text = f"There is no correction {correction_id} that holds; `answerwatch clean corrections` lists them."
        raise UsageError("correction_unknown", text, correction=correction_id)
    _note(tx, UNCORRECT, known, author)
    sample = listing.get(tx, known.sub_task_id)
    seen = Readings.of(tx, [known.sub_task_id]).read(known.sub_task_id, known.brand_name)
    return shown(known, "" if sample is None else sample["raw_response"], seen)


def shown(one: Correction, raw: str, read: Seen) -> CorrectionView:
    """Return a correction as people see it, beside how the answer is read now."""
    start, length = one.spot or (None, None)
    now = read_value(read, one.field, one.spot)
    return CorrectionView(
        correction_id=one.correction_id,
        source_task_id=one.sub_task_id,
        brand_name=one.brand_name or None,
        field=str(one.field),
        value=one.value,
        read_value=one.read_value,
        reads_now=now,
        agrees_now=now == one.value,
        start=start,
        end=None if start is None or length is None else start + length,
        text=None if start is None or length is None else raw[start : start + length],
        note=one.note,
        created_at=one.created_at,
        created_by=one.created_by,
    )


def read_value(read: Seen, field: Field, spot: Spot | None) -> str | None:
    """Return what the reader said, in the words of corrections; None where it said nothing."""
    figures = read.figures
    if field is Field.POLARITY:
        return figures.polarity
    if field is Field.IS_VALID:
        return None if read.is_valid is None else VALID if read.is_valid else read.invalid_reason
    if field is Field.MENTION:
        return YES if spot in read.spots else NO
    if field not in _OF_ANY and figures.is_mentioned is None:
        return None
    if field is Field.RECOMMENDATION_RANK:
        return NONE if figures.recommendation_rank is None else str(figures.recommendation_rank)
    flag = {
        Field.HAS_CITATION: read.has_citation,
        Field.IS_RECOMMENDED: figures.is_recommended,
        Field.IS_TOP_PICK: figures.is_top_pick,
    }[field]
    open_ = NONE if field is Field.IS_RECOMMENDED else None
    return open_ if flag is None else YES if flag else NO


_OF_ANY = (Field.IS_VALID, Field.HAS_CITATION, Field.MENTION)
"""Fields of which something is known without a brand that was looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """An answer with its reading for one brand, and the corrections that hold."""

    raw: str
    generation: int | None
    """Of the reading in force; None: there is none."""
    read: Seen
    held: Sequence[Correction]
    taken: frozenset[Spot]
    """Where other brands are mentioned, as people set it right."""

    @classmethod
    def of(cls, read: Read, sample_id: str, brand: str) -> _Answer:
        sample = listing.get(read, sample_id)
        readings = Readings.of(read, [sample_id])
        result = readings.results.get(sample_id)
        others = {name for _, name in readings.spots} | {one.brand_name for one in readings.said.get(sample_id, ())}
        return cls(
            raw="" if sample is None else sample["raw_response"],
            generation=None if result is None else result.generation,
            read=readings.read(sample_id, brand),
            held=readings.about(sample_id, brand),
            taken=frozenset(spot for name in others - {brand} for spot in readings.right(sample_id, name).spots),
        )

    @property
    def now(self) -> Seen:
        """Return the answer as it is with the corrections that hold."""
        return corrected(self.read, self.held)


def _same_place(one: Correction, other: Correction) -> bool:
    return (one.brand_name, one.field, one.spot) == (other.brand_name, other.field, other.spot)


def _refuse_contradiction(answer: _Answer, new: Correction) -> None:
    """Raise UsageError for a value that the rest of the answer, as it is now, does not allow."""
    if new.field is Field.IS_VALID:
        return
    if answer.now.is_valid != 1:
        text = "The answer is not valid, so nothing else of it is known; correct is_valid first."
        raise UsageError("correction_invalid", text)
    if new.field.of_answer or new.field is Field.MENTION:
        return
    held = [one for one in answer.held if not _same_place(one, new)]
    after = corrected(answer.read, [*held, new])
    if after.figures.is_mentioned != 1:
        text = "The brand is not mentioned in the answer; correct that first (--field mention --at START:END)."
        raise UsageError("correction_absent", text)
    places = new.field in (Field.RECOMMENDATION_RANK, Field.IS_TOP_PICK) and new.value not in (NO, NONE)
    if places and after.figures.is_recommended != 1:
        text = "A brand that is not recommended has no place; correct is_recommended first."
        raise UsageError("correction_unrecommended", text)


def _spot(answer: _Answer, at: str | None, field: Field) -> Spot | None:
    """Return the place of a mention; raises UsageError for none, or one that is none."""
    if field is not Field.MENTION:
        if at is not None:
            raise UsageError("correction_at", "--at goes with --field mention alone.")
        return None
    start, _, end = (at or "").partition(":")
    if not (start.isascii() and end.isascii() and start.isdigit() and end.isdigit() and len(start + end) < 19):
        text = "Say where the mention stands, --at START:END; `answerwatch clean explain` shows places."
        raise UsageError("correction_where", text)
    first, last = int(start), int(end)
    if not first < last <= len(answer.raw):
        text = f"{at} is no place in an answer of {len(answer.raw)} characters."
        raise UsageError("correction_place", text, at=at, length=len(answer.raw))
    spot = (first, last - first)
    there = (answer.now.spots | answer.taken) - {spot}
    other = next((one for one in sorted(there) if overlap(one, spot)), None)
    if other is not None:
        words = in_short(answer.raw[other[0] : other[0] + other[1]])
        text = f"{at} overlaps the mention {words!r} at {other[0]}:{other[0] + other[1]}; correct that one to no first."
        raise UsageError("correction_overlap", text, at=at, words=words, start=other[0], end=other[0] + other[1])
    return spot


def _field(name: str) -> Field:
    try:
        return Field(name.strip())
    except ValueError:
        known = ", ".join(Field)
        text = f"There is no field {in_short(name)!r} to correct; there are: {known}."
        raise UsageError("correction_field", text, field=in_short(name), known=known) from None


def _task(read: Read, name: str) -> Values:
    task = explanations.find_task(read, name)
    if task is None:
        text = f"There is no clean task or sample {name}; `answerwatch samples list` shows samples."
        raise UsageError("clean_task_unknown", text, task=name)
    newest = explanations.find_task(read, task["source_task_id"])
    return task if newest is None else newest


def _brand(read: Read, brand: str | None, field: Field) -> str:
    if field.of_answer:
        if brand is not None:
            raise UsageError(
                "correction_of_answer", f"{field} is of the answer as a whole; leave --brand out.", field=str(field)
            )
        return ""
    if brand is None:
        raise UsageError("correction_brand", f"{field} is of a brand; name it with --brand.", field=str(field))
    return pick_brand(read, brand).standard_name


def _note(tx: Write, action: str, one: Correction, author: Author) -> None:
    detail = {"brand": one.brand_name, "field": str(one.field), "value": one.value, "note": author.note}
    audit.note(tx, actor=author.name, action=action, details=[(one.sub_task_id, detail)])
