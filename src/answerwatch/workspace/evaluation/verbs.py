"""Evaluating the reader: labelled rows in, accuracy out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.figures.accuracy.records import Accuracy, Measure, Miss
from answerwatch.figures.accuracy.scoring import Score
from answerwatch.reading import READER_VERSION
from answerwatch.workspace.evaluation.predicting import predict
from answerwatch.workspace.evaluation.predictions_file import Write, predictions_file, refuse_taken
from answerwatch.workspace.evaluation.rows import LabelledRow, labelled_rows
from answerwatch.workspace.evaluation.views import Evaluation, Excerpt, Floor, MissShown, Shortfall, ShowMiss
from answerwatch.workspace.files.records import Source
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import look_through
from answerwatch.workspace.files.told import Told

AROUND = 50
"""Characters that are shown on either side of a place where something was wrong."""


class Evaluations:
    """Verbs on the accuracy of the reader; they need no database."""

    def run(
        self,
        file: Path,
        *,
        predictions: Path | None = None,
        floors: Sequence[Floor] = (),
        show_miss: ShowMiss | None = None,
    ) -> Evaluation:
        """Read every labelled answer and measure how right that was; a file with a wrong row is not measured at all.

        `predictions` is a file to write, `show_miss` is called with everything that was wrong. Raises UsageError for
        a file that holds no labelled rows or may not be written over, ServiceError where it cannot be written.
        """
        if predictions is not None:
            refuse_taken(predictions)
        source = look_through(file)
        errors = _errors(source)
        if errors:
            return Evaluation(file=file, reader_version=READER_VERSION, errors=errors)
        score, misses = Score(), 0
        with predictions_file(predictions) as write:
            for shown in _measured(source, score, write):
                misses += 1
                if show_miss is not None:
                    show_miss(shown)
        measures = score.measures()
        return Evaluation(
            file=file,
            reader_version=READER_VERSION,
            measures=measures,
            scored=score.scored(),
            misses=misses,
            shortfalls=_shortfalls(measures, floors),
            predictions=predictions,
        )


def floor_of(text: str) -> Floor:
    """Return a floor as people write it, `rank=0.9`; raises UsageError for an unknown measure or no share."""
    name, _, number = text.partition("=")
    names = ", ".join(Measure)
    if name.strip() not in list(Measure):
        shown = in_short(name.strip())
        told = f"There is no measure {shown!r}; there are: {names}."
        raise UsageError("measure_unknown", told, measure=shown, known=names)
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        shown = in_short(text)
        told = f"A floor is a measure and a value from 0 to 1, such as {Measure.RANK}=0.9, not {shown!r}."
        raise UsageError("floor_bad", told, floor=shown, example=f"{Measure.RANK}=0.9")
    return Floor(measure=Measure(name.strip()), value=value)


def _errors(source: Source) -> tuple[RowError, ...]:
    """Return what is wrong with the rows of a file, before the reader is put to work."""
    found = Told[RowError]()
    for row in labelled_rows(source):
        if isinstance(row, RowError):
            found.add(row)
        if found.is_full:
            break
    return tuple(found)


def _rows(source: Source) -> Iterator[LabelledRow]:
    """Yield the rows of a file that was found in order; raises UsageError where it is so no longer."""
    for row in labelled_rows(source):
        if isinstance(row, RowError):
            raise UsageError("labels_changed", f"{source.path} changed while it was read.", file=str(source.path))
        yield row


def _measured(source: Source, score: Score, write: Write) -> Iterator[MissShown]:
    """Let the reader read every row, count and write what it says, and yield what was wrong."""
    for row in _rows(source):
        said = predict(row)
        write(row.label.row_id, said)
        yield from (_shown(row, miss, said.error) for miss in score.add(row.label, said))


def _shown(row: LabelledRow, miss: Miss, error: str | None) -> MissShown:
    """Return what was wrong with the text around it; where it has no place, the beginning of the answer."""
    start, end = miss.span or (0, 0)
    begin, stop = max(0, start - AROUND), end + AROUND if end else 2 * AROUND
    before, after = row.answer[begin:start], row.answer[end:stop]
    excerpt = Excerpt(
        before=f"…{before}" if begin else before,
        at=row.answer[start:end],
        after=f"{after}…" if stop < len(row.answer) else after,
    )
    return MissShown(line=row.line, miss=miss, excerpt=excerpt, error=error)


def _shortfalls(measures: Sequence[Accuracy], floors: Sequence[Floor]) -> tuple[Shortfall, ...]:
    values = {one.measure: one.value for one in measures}
    return tuple(
        Shortfall(measure=floor.measure, value=value, floor=floor.value)
        for floor in floors
        if (value := values[floor.measure]) is None or value < floor.value
    )
