"""How accuracy is laid out: every measure with what it rests on, and what was wrong with the text around it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from answerwatch.domain.plain import to_plain
from answerwatch.interfaces.cli.output import printable
from answerwatch.interfaces.cli.row_problems import LONGEST_NAME
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN, one_line

if TYPE_CHECKING:
    from answerwatch.workspace.evaluation.views import Evaluation, Floor, MissShown
    from answerwatch.workspace.shown_records import Accuracy

LONGEST_ERROR = 200
"""Characters that are shown of what stopped the reader."""
COLUMNS = ("measure", "meaning", "value", "interval", "counts", "floor")


def show_evaluation(session: Session, outcome: Evaluation, floors: Sequence[Floor], *, told: bool) -> None:
    """Print every measure for people, with its floor where one is asked for; `told` says that misses were shown."""
    asked = {floor.measure: f"{floor.value:g}" for floor in floors}
    rows = [[*_cells(session, one), asked.get(one.measure, "")] for one in outcome.measures]
    head = COLUMNS if asked else COLUMNS[:-1]
    session.terminal.table(session.words("column", head), [row[: len(head)] for row in rows])
    scored = outcome.scored
    if scored is not None:
        session.tell(
            "evaluate.scored",
            rows=scored.rows,
            invalid=scored.invalid,
            labels=scored.labels,
            spans=scored.spans,
            reader=outcome.reader_version,
        )
    session.tell("evaluate.formula")
    if outcome.misses and not told:
        session.tell("evaluate.misses", count=outcome.misses)
    if outcome.predictions is not None:
        session.tell("evaluate.predictions", file=outcome.predictions)


def _cells(session: Session, one: Accuracy) -> list[str]:
    span = one.interval
    return [
        str(one.measure),
        session.word("measure", one.measure),
        share(one.value),
        NOT_KNOWN if span is None else f"{span.low:.3f}–{span.high:.3f}",
        f"{one.numerator}/{one.denominator}",
    ]


def share(value: float | None) -> str:
    """Return a measure with four decimals, never rounded up to 1; a dash where nothing was to be scored.

    >>> share(1.0), share(0.99999), share(None)
    ('1.0000', '0.9999', '—')
    """
    if value is None:
        return NOT_KNOWN
    return "0.9999" if 0.9999 < value < 1 else f"{value:.4f}"


def show_shortfalls(session: Session, outcome: Evaluation) -> None:
    """Say on standard error which measures are below their floors."""
    for one in outcome.shortfalls:
        if one.value is None:
            session.remark("evaluate.not_scored", measure=one.measure, floor=f"{one.floor:g}")
        else:
            session.remark("evaluate.below", measure=one.measure, value=share(one.value), floor=f"{one.floor:g}")


def show_miss(session: Session) -> Callable[[MissShown], None]:
    """Return what prints a thing that was wrong, with the text around it on a line of its own."""

    def show(shown: MissShown) -> None:
        miss, around = shown.miss, shown.excerpt
        session.tell(
            "evaluate.miss",
            line=shown.line,
            row=one_line(miss.row_id, LONGEST_NAME),
            brand=f"{one_line(miss.brand, LONGEST_NAME)}, " if miss.brand else "",
            measure=miss.measure,
            expected=_said(session, miss.expected),
            got=one_line(shown.error, LONGEST_ERROR) if shown.error else _said(session, miss.got),
        )
        text = f"{around.before}[[{around.at}]]{around.after}" if around.at else around.after
        session.terminal.say(f"    {flat(text)}")

    return show


def _said(session: Session, value: object) -> str:
    """Return what was expected or said as a word."""
    if value is None:
        return NOT_KNOWN
    if isinstance(value, bool):
        return session.word("flag", "yes" if value else "no")
    return f"{value[0]}–{value[1]}" if isinstance(value, tuple) else str(value)


def flat(text: str) -> str:
    r"""Return a text on one line, line ends shown as `\n`."""
    return text.replace("\r\n", "\n").replace("\n", "\\n")


def json_miss(shown: MissShown) -> None:
    """Write a thing that was wrong to standard error as one line of JSON in UTF-8."""
    plain = to_plain(shown)
    line = json.dumps(plain, ensure_ascii=False)
    if any("\ud800" <= letter <= "\udfff" for letter in line):  # half a surrogate pair: JSON has escapes for it
        line = json.dumps(plain)
    sys.stderr.flush()
    # What is made visible for terminals is an escape of JSON, too.
    sys.stderr.buffer.write(printable(line).encode() + b"\n")
    sys.stderr.buffer.flush()
