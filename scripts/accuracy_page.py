"""Writes the measured tables of `docs/accuracy.md`: what `make accuracy` runs, where the reference data is at hand.

`--geo-scope PYTHON` names an interpreter that has the package geo-scope, and measures its parser anew; without it the
table of peers stays as it is.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from answerwatch.figures.accuracy.records import Accuracy, BrandPrediction, Measure, Prediction
from answerwatch.figures.accuracy.scoring import Score
from answerwatch.messages import catalogue
from answerwatch.reading import READER_VERSION
from answerwatch.workspace.evaluation.predicting import predict
from answerwatch.workspace.evaluation.rows import LabelledRow, read_labelled
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError
from benchmarks import naive_cleaner

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "accuracy.md"
FIXTURES = ROOT / "tests" / "fixtures"
OWN = (FIXTURES / "reading_cases.jsonl", FIXTURES / "reading_blind.jsonl")
OPEN = ("answers_open.jsonl", "cases_open.jsonl")
PEER = ROOT / "scripts" / "geo_scope_predictions.py"
PEER_MEASURES = (Measure.NAMED_F1, Measure.RECOMMENDED_F1, Measure.RANK, Measure.NO_RANK)
"""What the parser of geo-scope says anything about."""

Raw = dict[str, Any]
Measured = Mapping[Measure, Accuracy]


class Rows:
    """The rows of a labelled file, as they are read and as they stand in the file."""

    def __init__(self, path: Path) -> None:
        """Read all of them; raises ValueError for one that is no labelled row."""
        self.path = path
        self.raw: list[Raw] = [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]
        rows = [read_labelled(FileRow(line=number, values=raw)) for number, raw in enumerate(self.raw, start=1)]
        wrong = [f"line {row.line}, {row.column}: {row.message}" for row in rows if isinstance(row, RowError)]
        if wrong:
            raise ValueError(f"{path}: {'; '.join(wrong)}")
        self.read = [row for row in rows if isinstance(row, LabelledRow)]

    def measured(self, predictions: Iterable[Prediction]) -> Measured:
        """Return every measure of the predictions of all rows."""
        score = Score()
        for row, said in zip(self.read, predictions, strict=True):
            score.add(row.label, said)
        return {one.measure: one for one in score.measures()}

    def ours(self) -> Measured:
        """Return how right our reader is."""
        return self.measured(map(predict, self.read))

    def naive(self) -> Measured:
        """Return how right substring search is, with cue words nearby and the number of the line."""
        return self.measured(map(read_naively, self.raw))

    def geo_scope(self, python: str) -> Measured:
        """Return how right the parser of geo-scope is, run by an interpreter that has it."""
        command = [python, str(PEER)]
        done = subprocess.run(command, input=self.path.read_bytes(), check=True, stdout=subprocess.PIPE)  # noqa: S603 - the operator names it
        return self.measured(of_line(json.loads(line)) for line in done.stdout.splitlines())


def read_naively(raw: Raw) -> Prediction:
    """Return what the naive cleaner says of a row."""
    answer, names = raw["answer"], {brand["brand"]: brand["aliases"] for brand in raw["brands"]}
    result = naive_cleaner.clean(answer, names)
    if not result.valid:
        return Prediction(is_valid=False)
    brands = {
        one.brand: BrandPrediction(
            spans=frozenset(
                (place, place + len(name))
                for name in names[one.brand]
                for place in naive_cleaner.places_of(answer, name)
            ),
            is_recommended=one.recommended,
            recommendation_rank=one.rank,
        )
        for one in result.brands
    }
    return Prediction(is_valid=True, has_citation=result.has_citation, brands=brands)


def of_line(line: Raw) -> Prediction:
    """Return a prediction that a peer wrote."""
    brands = {
        one["brand"]: BrandPrediction(
            spans=frozenset((start, end) for start, end in one["spans"]),
            is_recommended=one["is_recommended"],
            recommendation_rank=one["recommendation_rank"],
        )
        for one in line["brands"]
    }
    return Prediction(is_valid=line["is_valid"], brands=brands)


def table(rows: Rows) -> str:
    """Return the table of one file: our reader and the naive cleaner, with what the measures rest on."""
    ours, naive = rows.ours(), rows.naive()
    head = "| measure | answerwatch | right/all | 95 % | naive | right/all |\n|---|---|---|---|---|---|\n"
    lines = (
        f"| {_named(measure)} | {_value(ours[measure])} | {_counts(ours[measure])} | {_span(ours[measure])} "
        f"| {_value(naive[measure])} | {_counts(naive[measure])} |\n"
        for measure in Measure
        if ours[measure].denominator
    )
    return head + "".join(lines)


def peer_table(files: Sequence[Rows], python: str) -> str:
    """Return the table of geo-scope."""
    head = "| measure | rows | geo-scope 0.3.0 | right/all |\n|---|---|---|---|\n"
    lines = []
    for rows in files:
        peer = rows.geo_scope(python)
        for one in PEER_MEASURES:
            cells = [_named(one), f"`{rows.path.name}`", _value(peer[one]), _counts(peer[one])]
            lines.append(f"| {' | '.join(cells)} |\n")
    return head + "".join(lines)


def _named(measure: Measure) -> str:
    return f"{catalogue('en')[f'measure.{measure}']} (`{measure}`)"


def _value(one: Accuracy) -> str:
    return "" if one.value is None else f"{one.value:.3f}"


def _counts(one: Accuracy) -> str:
    return f"{one.numerator}/{one.denominator}"


def _span(one: Accuracy) -> str:
    return "" if one.interval is None else f"{one.interval.low:.3f}–{one.interval.high:.3f}"


def replaced(page: str, name: str, text: str) -> str:
    """Return the page with another text between the marks of a section; raises ValueError where there are none."""
    whole = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    if not whole.search(page):
        raise ValueError(f"the page has no section {name}")
    return whole.sub(lambda found: f"{found[1]}{text}{found[2]}", page)


def when() -> str:
    """Return the sentence that says when and of what was measured."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - fixed words
    return f"Measured on {datetime.now(UTC):%Y-%m-%d} at commit {commit}, rules of reading {READER_VERSION}.\n"


def main() -> None:
    """Write the measured sections of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--geo-scope", metavar="PYTHON", help="interpreter that has the package geo-scope")
    python = parser.parse_args().geo_scope
    page = replaced(PAGE.read_text(encoding="utf-8"), "when", when())
    for path in (*(DATA / name for name in OPEN), *OWN):
        page = replaced(page, path.name, table(Rows(path)))
    if python:
        page = replaced(page, "peers", peer_table([Rows(DATA / name) for name in OPEN], python))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
