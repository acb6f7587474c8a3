"""Predictions of the parser of geo-scope, for the table of `docs/accuracy.md`; runs in an environment that has it.

`python scripts/geo_scope_predictions.py < LABELS.jsonl > PREDICTIONS.jsonl`, with nothing of ours imported. The parser
says of a brand whether it is mentioned and recommended, and its rank, but not where: one span that is no place stands
for all its mentions. It needs no network.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from geo_scope.entities.models import Entity  # type: ignore[import-not-found]  # it is in an environment of its own
from geo_scope.parser import ObservationParser  # type: ignore[import-not-found]  # the same

NOWHERE = [0, 0]


def prediction(parser: Any, row: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 - nothing is known of its types here
    """Return what the parser says of a labelled row, given the names, the phrases that are not it, and the question."""
    return {"id": row["id"], "is_valid": True, "brands": [_brand(parser, row, one) for one in row["brands"]]}


def _brand(parser: Any, row: dict[str, Any], label: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 - the same
    entity = Entity(id=label["brand"], names=label["aliases"], do_not_confuse=label.get("exclude") or [])
    found = parser.parse(row["answer"], entity, query=row["question"])
    return {
        "brand": label["brand"],
        "spans": [NOWHERE] if found.mentioned else [],
        "is_recommended": found.recommended,
        "recommendation_rank": found.rank if found.recommended else None,
    }


def main() -> None:
    """Predict the rows of standard input."""
    parser = ObservationParser()
    for line in sys.stdin.buffer.read().split(b"\n"):
        if line.strip():
            print(json.dumps(prediction(parser, json.loads(line))))


if __name__ == "__main__":
    main()
