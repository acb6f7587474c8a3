"""Setting readings right: a person's word beside the reader's, which figures go by and labelled rows are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from answerwatch.domain.answers import UNKNOWN, Figures
from answerwatch.domain.corrections import NO, NONE, VALID, YES, Correction, Field, Seen, Spot, checked_value, corrected
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.store.clean import corrections, explanations
from answerwatch.store.clean.explanations import Values
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import audit
from answerwatch.store.sample import listing
from answerwatch.workspace.authors import Author
from answerwatch.workspace.brands import pick_brand
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
    answer = _Answer.of(tx, task, brand)
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
        return shown(same, answer.raw)
    if same is None and new.read_value == value:
        raise UsageError(
            "correction_same",
            f"{field} was read as {value} already; nothing is to be set right.",
            field=str(field),
            value=value,
        )
    _refuse_contradiction(answer, new)
    number = corrections.add(tx, new, generation=task["generation"])
    _note(tx, CORRECT, new, author)
    kept = corrections.get(tx, number)
    return shown(kept or new, answer.raw)


def uncorrect(tx: Write, correction_id: int, author: Author, now: datetime) -> CorrectionView:
    """Take a correction back; raises UsageError where there is none that holds."""
    known = corrections.get(tx, correction_id)
    if known is None or not corrections.withdraw(tx, correction_id, author.name, now):
        text = f"There is no correction {correction_id} that holds; `answerwatch clean corrections` lists them."
        raise UsageError("correction_unknown", text, correction=correction_id)
    _note(tx, UNCORRECT, known, author)
    sample = listing.get(tx, known.sub_task_id)
    return shown(known, "" if sample is None else sample["raw_response"])


def shown(one: Correction, raw: str) -> CorrectionView:
    """Return a correction as people see it."""
    start, length = one.spot or (None, None)
    return CorrectionView(
        correction_id=one.correction_id,
        source_task_id=one.sub_task_id,
        brand_name=one.brand_name or None,
        field=str(one.field),
        value=one.value,
        read_value=one.read_value,
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
    if field is Field.IS_VALID:
        return None if read.is_valid is None else VALID if read.is_valid else read.invalid_reason
    if field is Field.MENTION:
        return YES if spot in read.spots else NO
    if field is Field.RECOMMENDATION_RANK:
        return NONE if figures.recommendation_rank is None else str(figures.recommendation_rank)
    flag = {
        Field.HAS_CITATION: read.has_citation,
        Field.IS_RECOMMENDED: figures.is_recommended,
        Field.IS_TOP_PICK: figures.is_top_pick,
    }[field]
    return None if flag is None else YES if flag else NO


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """An answer with its reading for one brand, and the corrections that hold."""

    raw: str
    read: Seen
    held: Sequence[Correction]
    taken: frozenset[Spot]
    """Where other brands are mentioned."""

    @classmethod
    def of(cls, read: Read, task: Values, brand: str) -> _Answer:
        sample_id = task["source_task_id"]
        sample = listing.get(read, sample_id)
        spots = corrections.spots(read, [sample_id])
        held = corrections.of_samples(read, [sample_id]).get(sample_id, [])
        others = {spot for (_, name), found in spots.items() if name != brand for spot in found}
        return cls(
            raw="" if sample is None else sample["raw_response"],
            read=seen_of(read, task, brand, frozenset(spots.get((sample_id, brand), set()))),
            held=[one for one in held if one.brand_name in ("", brand)],
            taken=frozenset(others),
        )

    @property
    def now(self) -> Seen:
        """Return the answer as it is with the corrections that hold."""
        return corrected(self.read, self.held)


def seen_of(read: Read, task: Values, brand: str, spots: frozenset[Spot]) -> Seen:
    """Return what the reader says of an answer for one brand."""
    result = explanations.result_of(read, task["clean_task_id"]) or {}
    rows = explanations.brands_of(read, task["clean_task_id"])
    row = next((one for one in rows if one["brand_name"] == brand), None)
    absent = Figures(is_mentioned=0, mention_count=0, is_recommended=0, is_top_pick=0)
    figures = Figures(*(row[name] for name in Figures._fields)) if row is not None else absent
    return Seen(
        is_valid=result.get("is_valid"),
        invalid_reason=result.get("invalid_reason"),
        has_citation=result.get("has_citation"),
        figures=figures if result.get("is_valid") == 1 else UNKNOWN,
        spots=spots,
    )


def _same_place(one: Correction, other: Correction) -> bool:
    return (one.brand_name, one.field, one.spot) == (other.brand_name, other.field, other.spot)


def _refuse_contradiction(answer: _Answer, new: Correction) -> None:
    """Raise UsageError for a value that the rest of the answer, as it is now, does not allow."""
    if new.field is Field.IS_VALID:
        return
    if answer.now.is_valid != 1:
        text = "The answer is not valid, so nothing else of it is known; correct is_valid first."
        raise UsageError("correction_invalid", text)
    says = new.value not in (NO, NONE)
    if not says or new.field.of_answer:
        return
    held = [one for one in answer.held if not _same_place(one, new)]
    after = corrected(answer.read, [*held, new])
    if new.field is not Field.MENTION and after.figures.is_mentioned == 0:
        text = "The brand is not mentioned in the answer; correct that first (--field mention --at START:END)."
        raise UsageError("correction_absent", text)
    if new.field in (Field.RECOMMENDATION_RANK, Field.IS_TOP_PICK) and after.figures.is_recommended == 0:
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
    other = next((one for one in sorted(there) if one[0] < last and first < one[0] + one[1]), None)
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
