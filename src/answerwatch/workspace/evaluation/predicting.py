"""What the reader says of a labelled row: the same reader that cleans answers, with the names that the row gives."""

from __future__ import annotations

from answerwatch.figures.accuracy.records import BrandPrediction, Prediction
from answerwatch.reading import CleanedAnswer, Reading, clean
from answerwatch.workspace.evaluation.rows import LabelledRow


def predict(row: LabelledRow) -> Prediction:
    """Return what the reader says; where it fails on an answer, that counts as wrong and stops nothing."""
    try:
        cleaned = clean(row.answer, question=row.question, scene=row.scene, lexicon=row.lexicon)
    except Exception as error:  # noqa: BLE001 - the fault is reported with the row, and the other rows are still measured
        return Prediction(is_valid=None, error=repr(error))
    return prediction_of(cleaned, row.lexicon.brands)


def prediction_of(cleaned: CleanedAnswer, brands: tuple[str, ...]) -> Prediction:
    """Return a cleaned answer in the form in which it is scored."""
    reading = cleaned.reading
    if reading is None:
        return Prediction(is_valid=False)
    return Prediction(
        is_valid=True,
        has_citation=reading.has_citation,
        brands={brand: _brand(reading, brand) for brand in brands},
        pronouns={(one.start, one.end): one.standard_name for one in reading.pronouns},
    )


def _brand(reading: Reading, brand: str) -> BrandPrediction:
    found = reading.of(brand)
    return BrandPrediction(
        spans=frozenset(
            (match.match_position, match.end)
            for match in reading.matches
            if match.counts and match.standard_name == brand
        ),
        is_recommended=found.is_recommended,
        recommendation_rank=found.recommendation_rank,
    )


def as_line(row_id: str, said: Prediction) -> dict[str, object]:
    """Return a prediction as one object of a file of predictions (docs/accuracy.md)."""
    if said.error is not None:
        return {"id": row_id, "error": said.error}
    return {
        "id": row_id,
        "is_valid": said.is_valid,
        "has_citation": said.has_citation,
        "brands": [
            {
                "brand": brand,
                "spans": sorted(one.spans),
                "is_recommended": one.is_recommended,
                "recommendation_rank": one.recommendation_rank,
            }
            for brand, one in said.brands.items()
        ],
        "pronouns": [[*span, brand] for span, brand in said.pronouns.items()],
    }
