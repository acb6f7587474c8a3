"""Labelled rows as people keep them: an answer, the names to look for, and what is right about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from answerwatch.domain.clean_states import InvalidReason
from answerwatch.domain.questions import check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.figures.accuracy.records import BrandLabel, Label, PronounLabel, Span
from answerwatch.reading import Lexicon
from answerwatch.stages.collect.records import LONGEST_ANSWER
from answerwatch.workspace.evaluation.cells import Record, of_kind
from answerwatch.workspace.files.cell_faults import Fault
from answerwatch.workspace.files.records import FileFormat, FileRow, Source, file_empty
from answerwatch.workspace.files.row_notes import RowError, long_cell, missing_cell
from answerwatch.workspace.files.tables import read_table

VALID = "valid"
VALIDITY = (VALID, *map(str, InvalidReason))
"""What a text can be; all but the first are no answers."""

_FORMATS = (FileFormat.JSONL, FileFormat.JSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRow:
    """One text with its labels."""

    line: int
    answer: str
    question: str | None
    scene: str | None
    lexicon: Lexicon
    """Of the names that the row says are looked for."""
    label: Label


def labelled_rows(source: Source) -> Iterator[LabelledRow | RowError]:
    """Yield the rows of a file of labelled answers, each as it is meant or with what is wrong with it.

    Raises UsageError where the file is of another kind, or has no rows.
    """
    if source.format not in _FORMATS:
        text = f"{source.path} is no JSON Lines; labelled rows are one JSON object a line (docs/accuracy.md)."
        raise UsageError("labels_layout", text, file=str(source.path))
    lines: dict[str, int] = {}
    row = None
    for row in read_table(source).rows:
        yield row if isinstance(row, RowError) else _once(row, lines)
    if row is None:
        raise file_empty(source, "rows")


def _once(row: FileRow, lines: dict[str, int]) -> LabelledRow | RowError:
    """Return a row whose id was not met before; `lines` remembers those of others."""
    read = read_labelled(row)
    if isinstance(read, RowError):
        return read
    first = lines.setdefault(read.label.row_id, row.line)
    if first == row.line:
        return read
    shown = in_short(read.label.row_id)
    message = Said("row_twice", f"{shown} stands in line {first} too", id=shown, line=first)
    return RowError(line=row.line, column="id", reason="duplicate_id", message=message)


def read_labelled(row: FileRow) -> LabelledRow | RowError:
    """Return one row, or the first thing that is wrong with it; the column tells the place in the row's JSON."""
    try:
        return _row(row.line, Record(dict(row.values)))
    except Fault as fault:
        return fault.in_row(row.line, {})


def _row(line: int, row: Record) -> LabelledRow:
    row_id, answer = row.name("id"), row.text("answer")
    if len(answer) > LONGEST_ANSWER:
        raise row.refuse("answer", "too_long", long_cell(len(answer), LONGEST_ANSWER))
    is_valid = _is_valid(row)
    if is_valid and not row.has("brands"):
        raise row.refuse("brands", "missing", missing_cell())
    brands = tuple(_brand(one, answer, is_valid=is_valid) for one in row.records("brands"))
    label = Label(
        row_id=row_id,
        is_valid=is_valid,
        validity_alt=frozenset(word == VALID for word in row.words("validity_alt", VALIDITY)),
        has_citation=row.flag_or_none("has_citation"),
        brands=brands,
        pronouns=tuple(_pronoun(one, answer, brands) for one in row.records("pronouns")),
    )
    return LabelledRow(
        line=line,
        answer=answer,
        question=row.text_or_none("question") or None,
        scene=_scene(row),
        lexicon=_lexicon(row, label),
        label=label,
    )


def _scene(row: Record) -> str | None:
    try:
        return check_scene(row.name("scene")) if row.has("scene") else None
    except UsageError as error:
        raise row.refuse("scene", "bad_value", Said.of_error(error)) from error


def _is_valid(row: Record) -> bool:
    """Return whether the text is an answer: the row says it by a word, by yes or no, or both alike."""
    if not row.has("validity"):
        return row.flag("is_valid")
    word = row.word("validity", VALIDITY)
    told = row.flag_or_none("is_valid")
    if told not in (None, word == VALID):
        text = f"validity is {word}, and is_valid is not so"
        raise row.refuse("is_valid", "contradiction", Said("label_validity", text, validity=word))
    return word == VALID


def _brand(brand: Record, answer: str, *, is_valid: bool) -> BrandLabel:
    name = brand.name("brand")
    if not is_valid:  # no metrics: only the name counts, to be looked for
        return BrandLabel(brand=name, spans=frozenset(), is_recommended=None, recommendation_rank=None)
    recommended, place = brand.flag_or_none("is_recommended"), brand.whole_or_none("recommendation_rank")
    if recommended is not None and "recommendation_rank" not in brand.values:  # null says that there is no place
        raise brand.refuse("recommendation_rank", "missing", missing_cell())
    if place is not None and place < 1:
        raise brand.refuse("recommendation_rank", "bad_value", Said("label_place", "a place is 1 or more"))
    if place is not None and recommended is False:
        text = "a brand that is not recommended has no place"
        raise brand.refuse("recommendation_rank", "contradiction", Said("label_place_not_recommended", text))
    return BrandLabel(
        brand=name,
        spans=_mentions(brand, answer),
        is_recommended=recommended,
        recommendation_rank=place,
        rank_alt=tuple(None if one is None else of_kind(at, one, int) for at, one in brand.entries("rank_alt")),
    )


def _mentions(brand: Record, answer: str) -> frozenset[Span]:
    """Return the spans of the mentions that count; they must agree with what else the row says of them."""
    if not brand.has("mentions"):
        raise brand.refuse("mentions", "missing", missing_cell())
    marked = [(_span(one, answer), one) for one in brand.records("mentions")]
    counted = sorted((span, one.place) for span, one in marked if one.flag("valid"))
    for (before, _), (span, place) in pairwise(counted):
        if span[0] < before[1]:
            text = f"it overlaps the mention at {before[0]} to {before[1]}"
            raise Fault(place, "contradiction", Said("label_overlap", text, start=before[0], end=before[1]))
    count = brand.whole_or_none("mention_count")
    if count not in (None, len(counted)):
        text = f"{len(counted)} mentions are marked as valid, not {count}"
        raise brand.refuse("mention_count", "contradiction", Said("label_count", text, marked=len(counted), told=count))
    if brand.flag_or_none("is_mentioned") not in (None, bool(counted)):
        text = f"{len(counted)} mentions are marked as valid, and is_mentioned says otherwise"
        raise brand.refuse("is_mentioned", "contradiction", Said("label_mentioned", text, marked=len(counted)))
    return frozenset(span for span, _ in counted)


def _span(part: Record, answer: str) -> Span:
    """Return where a mention or pronoun stands; raises Fault where the answer has something else there."""
    start, end = part.whole("start"), part.whole("end")
    if not 0 <= start < end <= len(answer):
        text = f"{start} to {end} is no place in an answer of {len(answer)} characters"
        raise part.refuse("end", "bad_value", Said("label_outside", text, start=start, end=end, length=len(answer)))
    told = part.text_or_none("text")
    if told not in (None, answer[start:end]):
        found = in_short(answer[start:end])
        text = f"the answer has {found!r} there; places count code points from 0"
        raise part.refuse("text", "contradiction", Said("label_elsewhere", text, found=found))
    return start, end


def _pronoun(pronoun: Record, answer: str, brands: tuple[BrandLabel, ...]) -> PronounLabel:
    named = None
    if pronoun.has("refers_to"):
        named = pronoun.word("refers_to", [brand.brand for brand in brands])
    return PronounLabel(span=_span(pronoun, answer), brand=named)


def _lexicon(row: Record, label: Label) -> Lexicon:
    """Return the lexicon that the row says; a brand without aliases goes by its own name."""
    names: dict[str, tuple[str, ...]] = {}
    exclude: dict[str, tuple[str, ...]] = {}
    for brand, part in zip(label.brands, row.records("brands"), strict=True):
        if brand.brand in names:
            text = f"the row has {brand.brand} twice"
            raise part.refuse("brand", "contradiction", Said("label_brand_twice", text, brand=brand.brand))
        names[brand.brand] = part.texts("aliases")
        exclude[brand.brand] = part.texts("exclude")
    try:
        return Lexicon.of(names, exclude=exclude)
    except UsageError as error:
        raise row.refuse("brands", "bad_value", Said.of_error(error)) from error
