"""Thresholds of scorers as they were measured for everybody, until a workspace measures its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from answerwatch.similarity.calibration import Calibration

RELEVANCE, SAMENESS = "relevance", "sameness"
"""Purposes of a calibration: questions with the heads of their answers, and sentences with sentences."""

MEASURED: Mapping[tuple[str, str], Calibration] = MappingProxyType(
    {
        (RELEVANCE, "lexical;rev=1;dim=2048;len=20000"): Calibration(
            irrelevant_below=0.0339,
            suspect_below=0.115,
            auc=0.9857,
            pairs=262,
            passed=0.416,
            own={},
            shuffled={},
        ),
        (SAMENESS, "lexical;rev=1;dim=2048;len=20000"): Calibration(
            irrelevant_below=0.7846,
            suspect_below=0.8496,
            auc=1.0,
            pairs=803,
            passed=0.0,
            own={},
            shuffled={},
        ),
    }
)
"""By purpose and scorer id.

Relevance: the open questions of the BELLE evaluation set (645084d3, ODC-By 1.0) up to 200 characters with at least 30
characters of answer, the first 200 of them; shuffled by `derangement` with seed 1. Sameness: those questions up to 60
characters with the `rewordings` of each.
"""
