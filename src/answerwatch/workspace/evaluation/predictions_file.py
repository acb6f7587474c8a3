"""The file of predictions: what the reader said of each labelled row, for any other program to score."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from answerwatch.errors import UsageError
from answerwatch.figures.accuracy.records import Prediction
from answerwatch.workspace.evaluation.predicting import as_line
from answerwatch.workspace.files.as_json import json_bytes
from answerwatch.workspace.files.fresh_file import fresh_file, unwritable
from answerwatch.workspace.files.limits import LONGEST_RECORD

Write = Callable[[str, Prediction], None]
"""Takes the id of a row and what the reader said of it."""

_KEYS = frozenset({"is_valid", "error"})
"""One of them is in every prediction."""


@contextmanager
def predictions_file(path: Path | None) -> Iterator[Write]:
    """Give what writes predictions; the file appears whole when the block ends well, or not at all.

    It replaces older predictions, which can be made again, and nothing else: labels are somebody's work. None writes
    nowhere. Raises UsageError where the name is taken by something else, ServiceError where it cannot be written.
    """
    if path is None:
        yield lambda _row_id, _said: None
        return
    refuse_taken(path)
    with fresh_file(path, force=True) as file:

        def write(row_id: str, said: Prediction) -> None:
            file.write(_line(as_line(row_id, said)))

        yield write


def refuse_taken(path: Path) -> None:
    """Raise UsageError when predictions must not get this name: something is there that they may not replace."""
    if str(path) == "-":
        raise UsageError("predictions_stdout", "Predictions go into a file; name one.")
    try:
        is_ours = not os.path.lexists(path) or _holds_predictions(path)
    except OSError as error:
        raise unwritable(path, error) from error
    if not is_ours:
        text = f"{path} is there and holds no predictions; give another name."
        raise UsageError("predictions_taken", text, file=str(path))


def _holds_predictions(path: Path) -> bool:
    """Tell whether a file is empty or begins with a prediction; raises OSError where it cannot be read."""
    if not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as file:
        first = file.readline(LONGEST_RECORD)
    if not first:
        return True
    try:
        found = orjson.loads(first)
    except orjson.JSONDecodeError:
        return False
    return isinstance(found, dict) and "answer" not in found and not _KEYS.isdisjoint(found)


def _line(value: dict[str, object]) -> bytes:
    return json_bytes(value) + b"\n"
