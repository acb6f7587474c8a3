"""Thresholds of scorers as they were measured for everybody, until a workspace measures its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from answerwatch.similarity.calibration import Calibration

RELEVANCE, SAMENESS = "relevance", "sameness"
"""Purposes of a calibration: questions with the heads of their answers, and sentences with sentences."""

LEXICAL = "lexical;rev=1;dim=2048;len=20000"
USE = "use-m3;rev=0.2.1+sha256:0db566fd0af82cbf;dim=512;len=2000;script=simplified"
E5 = "multilingual-e5-small-q4;rev=0.3.0+sha256:1571fc9827503943;dim=384;len=2000"


def _told(strict: float, doubt: float, auc: float, pairs: int, passed: float) -> Calibration:
    return Calibration(
        irrelevant_below=strict, suspect_below=doubt, auc=auc, pairs=pairs, passed=passed, own={}, shuffled={}
    )


MEASURED: Mapping[tuple[str, str], Calibration] = MappingProxyType(
    {
        (RELEVANCE, LEXICAL): _told(0.0334, 0.1192, 0.987, 262, 0.382),
        (SAMENESS, LEXICAL): _told(0.7846, 0.8496, 1.0, 803, 0.0),
        (RELEVANCE, USE): _told(0.2, 0.3185, 0.9947, 262, 0.041),
        (SAMENESS, USE): _told(0.839, 0.8979, 1.0, 803, 0.0),
        (RELEVANCE, E5): _told(0.892, 0.9105, 0.9963, 262, 0.0076),
        (SAMENESS, E5): _told(0.9478, 0.9535, 1.0, 803, 0.0),
    }
)
"""By purpose and scorer id.

Relevance: the open questions of the BELLE evaluation set (645084d3, ODC-By 1.0) up to 200 characters with at least 30
characters of answer, the first 200 of them; shuffled by `derangement` with seed 1. Sameness: those questions up to 60
characters with the `rewordings` of each. The strict threshold of `use` is below its hundredth (0.2348), because terse
answers of another public set, AlignBench, score lower.
"""
