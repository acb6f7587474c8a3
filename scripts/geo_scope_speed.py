"""How fast the parser of geo-scope reads answers, for `benchmarks/reading.py`; runs in an environment that has it.

`python scripts/geo_scope_speed.py BRANDS.json < ANSWERS.jsonl` prints the seconds of the fastest of three rounds, with
nothing of ours imported. It needs no network.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from geo_scope.entities.models import Entity  # type: ignore[import-not-found]  # it is in an environment of its own
from geo_scope.parser import ObservationParser  # type: ignore[import-not-found]  # the same

ROUNDS = 3


def main() -> None:
    """Read the answers for every brand, and print the seconds."""
    brands = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    rows = [json.loads(line) for line in sys.stdin.buffer.read().split(b"\n") if line.strip()]
    parser = ObservationParser()
    entities = [Entity(id=name, names=names) for name, names in brands.items()]
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for row in rows:
            for entity in entities:
                parser.parse(row["answer"], entity, query=row["question"])
        taken.append(time.perf_counter() - began)
    print(min(taken))


if __name__ == "__main__":
    main()
