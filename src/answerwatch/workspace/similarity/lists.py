"""Reading the lists of a job: a text a line, or a column of a table; what cannot be scored is told by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answerwatch.domain.similarity import Roles, Shape, Side
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.similarity.planning import Input
from answerwatch.similarity.texts import NO_TEXT, Distinct, Numbers, normalised
from answerwatch.workspace.files.columns import listed
from answerwatch.workspace.files.records import FileFormat, Table
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import look_through, read_table
from answerwatch.workspace.similarity.views import JobRequest, LineProblem, ListSource

MOST_LINES = 5_000_000
"""Lines of a list at most."""
LONGEST_LINE = 100_000
"""Characters of one text at most, whatever the scorer can take; longer ones are told, or cut."""

SKIP, TRUNCATE, REFUSE = "skip", "truncate", "refuse"
POLICIES = (SKIP, TRUNCATE, REFUSE)

_NAMES = ("text", "sentence", "question", "query", "query_text", "文本", "句子", "问题", "内容")
_LEFT_NAMES = ("left", "text_a", "sentence1", "source", "左", "文本1", "句子1", "问题")
_RIGHT_NAMES = ("right", "text_b", "sentence2", "target", "右", "文本2", "句子2", "回答")


@dataclass(slots=True)
class Gathered:
    """Lists that were read."""

    given: Input
    problems: list[LineProblem] = field(default_factory=list)


class _Line(NamedTuple):
    line: int
    text: object


def gather(request: JobRequest, longest: int | None) -> Gathered:
    """Read the lists of a request; `longest` is how many characters the scorer can take.

    Raises UsageError for files that cannot be read, too many lines, and with the policy `refuse` for the first line
    that cannot be scored as it is.
    """
    if request.too_long not in POLICIES:
        known = ", ".join(POLICIES)
        text = f"There is no way {in_short(request.too_long)!r} for texts that are too long; there are: {known}."
        raise UsageError("similarity_policy", text, policy=in_short(request.too_long), known=known)
    reader = _Reader(request, min(LONGEST_LINE, longest or LONGEST_LINE))
    return reader.pairs() if request.is_pairs else reader.lists()


class _Reader:
    def __init__(self, request: JobRequest, longest: int) -> None:
        self._request = request
        self._longest = longest
        self._problems: list[LineProblem] = []
        self._distinct = Distinct()

    def lists(self) -> Gathered:
        request = self._request
        left = self._numbers(_lines(request.left), Side.LEFT)
        if request.right is None:
            given = Input(shape=Shape.TRIANGLE, distinct=self._distinct, left=left, right=left)
            return Gathered(given, self._problems)
        passages = None
        if request.roles is Roles.SEARCH:
            self._distinct.begin_apart()
            passages = len(self._distinct)
        right = self._numbers(_lines(request.right), Side.RIGHT)
        given = Input(shape=Shape.MATRIX, distinct=self._distinct, left=left, right=right, passages_from=passages)
        return Gathered(given, self._problems)

    def pairs(self) -> Gathered:
        left, right = [], []
        for line, first, second in _pair_lines(self._request):
            left.append(self._number(line, first, Side.LEFT))
            right.append(self._number(line, second, Side.RIGHT))
        given = Input(shape=Shape.PAIRS, distinct=self._distinct, left=_array(left), right=_array(right))
        return Gathered(given, self._problems)

    def _numbers(self, lines: Iterable[_Line], side: Side) -> Numbers:
        return _array([self._number(line, text, side) for line, text in lines])

    def _number(self, line: int, value: object, side: Side) -> int:
        if isinstance(value, RowError):
            return self._refused(side, line, "unreadable", str(value.message))
        if not isinstance(value, str):
            return self._refused(side, line, "no_text", "it is no text")
        text = normalised(value)
        if not text:
            return self._refused(side, line, "empty", "nothing is in it")
        if len(text) > self._longest:
            message = f"{len(text)} characters, {self._longest} are possible"
            if self._request.too_long == SKIP:
                return self._refused(side, line, "too_long", message)
            if self._request.too_long == REFUSE:
                told = f"{side} list, line {line}: {message}; shorten it, or say what becomes of such lines."
                raise UsageError(
                    "similarity_too_long", told, side=side, line=line, length=len(text), longest=self._longest
                )
            self._tell(side, line, "cut", message)
            text = text[: self._longest].rstrip()
        return self._distinct.add(text, line)

    def _refused(self, side: Side, line: int, reason: str, message: str) -> int:
        self._tell(side, line, reason, message)
        return NO_TEXT

    def _tell(self, side: Side, line: int, reason: str, message: str) -> None:
        told = "pair" if self._request.is_pairs else str(side)
        self._problems.append(LineProblem(side=told, line=line, reason=reason, message=message))


def _array(numbers: list[int]) -> Numbers:
    if len(numbers) > MOST_LINES:
        text = f"A list has more than {MOST_LINES} lines; cut it into several jobs."
        raise UsageError("similarity_lines", text, most=MOST_LINES)
    return np.array(numbers, dtype=np.int32)


def _lines(source: ListSource) -> Iterator[_Line]:
    """Yield the texts of a list with their lines, from 1."""
    if source.texts is not None:
        yield from (_Line(line, text) for line, text in enumerate(source.texts, start=1))
        return
    path = source.file or Path("-")
    if path.suffix.lower() in (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".xlsx") or source.column is not None:
        yield from _column(path, source.column, _NAMES)
        return
    found = look_through(path, file_format=FileFormat.CSV)
    with path.open(encoding=found.codec, newline="\n") as file:
        for line, text in enumerate(file, start=1):
            yield _Line(line, text.rstrip("\r\n"))


def _column(path: Path, wanted: str | None, names: tuple[str, ...]) -> Iterator[_Line]:
    table = read_table(look_through(path))
    number = 0
    for row in table.rows:
        number += 1
        if isinstance(row, RowError):
            yield _Line(number, row)
            continue
        yield _Line(number, row.values.get(_name(table, tuple(row.values), wanted, names)))


def _name(table: Table, there: tuple[str, ...], wanted: str | None, names: tuple[str, ...]) -> str:
    """Return the column that holds the text; raises UsageError where it is not known which one."""
    columns = table.header or there
    if wanted is not None:
        if wanted not in columns and wanted not in there:
            text = f"{table.source.path} has no column {in_short(wanted)!r}; there are: {listed(columns)}."
            raise UsageError(
                "similarity_column", text, file=str(table.source.path), column=in_short(wanted), known=listed(columns)
            )
        return wanted
    by_name = {name.strip().lower(): name for name in (*columns, *there)}
    found = next((by_name[name] for name in names if name in by_name), None)
    if found is None and len(columns) == 1:
        return columns[0]
    if found is None:
        text = f"{table.source.path}: say which column holds the text; there are: {listed(columns)}."
        raise UsageError("similarity_which_column", text, file=str(table.source.path), known=listed(columns))
    return found


def _given_pairs(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, object, object]]:
    if len(left) != len(right):
        text = f"Of pairs both lists have the same length; these have {len(left)} and {len(right)}."
        raise UsageError("similarity_pairs_length", text, left=len(left), right=len(right))
    for number, both in enumerate(zip(left, right, strict=True), start=1):
        yield number, *both


def _pair_lines(request: JobRequest) -> Iterator[tuple[int, object, object]]:
    """Yield number and texts of each pair of a table."""
    if request.left.texts is not None and request.right is not None and request.right.texts is not None:
        yield from _given_pairs(request.left.texts, request.right.texts)
        return
    path = request.left.file or Path("-")
    table = read_table(look_through(path))
    number = 0
    for row in table.rows:
        number += 1
        if isinstance(row, RowError):
            yield number, row, row
            continue
        there = tuple(row.values)
        left = _name(table, there, request.left.column, _LEFT_NAMES)
        right = _name(table, there, request.right_column, _RIGHT_NAMES)
        yield number, row.values.get(left), row.values.get(right)
