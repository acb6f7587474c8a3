"""The reading room: how one answer is read. Pure: no input or output, the same result for the same input.

`clean` judges a text and reads it; `validate` and `extract` are its two halves.
"""

from answerwatch.reading.difference import Difference
from answerwatch.reading.lexicon import Lexicon
from answerwatch.reading.reader import READER_VERSION, clean, extract, validate
from answerwatch.reading.records import (
    Answer,
    BrandReading,
    CleanedAnswer,
    Match,
    Polarity,
    PronounRef,
    RankBasis,
    Reading,
    Region,
    Verdict,
    Via,
)

__all__ = [
    "READER_VERSION",
    "Answer",
    "BrandReading",
    "CleanedAnswer",
    "Difference",
    "Lexicon",
    "Match",
    "Polarity",
    "PronounRef",
    "RankBasis",
    "Reading",
    "Region",
    "Verdict",
    "Via",
    "clean",
    "extract",
    "validate",
]
