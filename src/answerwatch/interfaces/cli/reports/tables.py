"""How a report is laid out: parts of the answers side by side, every figure with what it rests on, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.listing import show_facts
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN, counted, number_span, percent, percent_span, short_span

if TYPE_CHECKING:
    from answerwatch.workspace.reports.verbs import ReportView
    from answerwatch.workspace.shown_records import Figure, Slice

SHORT = ("visibility", "recommendation_rate", "mean_rank")
"""Figures that stand beside each other for every part of the answers."""

SHARE = "share"
"""The unit (`Unit.SHARE`) that is shown in percent; to load it with its room would slow down every command."""

MARKS = "¹²³⁴⁵⁶⁷⁸⁹"


class Footnotes:
    """Reasons why figures are not known, each with a mark."""

    def __init__(self) -> None:
        """Begin with none."""
        self._reasons: list[str] = []

    def mark(self, reason: str) -> str:
        """Return the mark of a reason, the same for the same reason."""
        if reason not in self._reasons:
            self._reasons.append(reason)
        place = self._reasons.index(reason)
        return MARKS[place] if place < len(MARKS) else f"({place + 1})"

    def lines(self) -> list[tuple[str, str]]:
        """Return marks with their reasons in the order in which they were given."""
        return [(self.mark(reason), reason) for reason in self._reasons]


def show_report(session: Session, view: ReportView) -> None:
    """Print the report for people."""
    report, notes = view.report, Footnotes()
    session.tell("report.title", brand=report.brand, valid=report.overall.valid, planned=report.overall.planned)
    session.terminal.say("")
    session.tell("report.parts")
    show_parts(session, [report.overall, *report.by_platform], notes)
    if len(report.by_scene) > 1:
        show_parts(session, report.by_scene, notes)
        show_parts(session, report.cells, notes)
    session.terminal.say("")
    session.tell("report.figures")
    show_figures(session, report.overall.figures, notes)
    for mark, reason in notes.lines():
        session.terminal.say(f"{mark} {session.word('na', reason)}")
    session.terminal.say("")
    _disclose(session, view)


def show_parts(session: Session, parts: Iterable[Slice], notes: Footnotes) -> None:
    """Print the short figures of parts of the answers, a line each."""
    head = session.words("column", ("platform", "scene", "valid", "questions"))
    rows = [_part_row(session, part, notes) for part in parts]
    session.terminal.table([*head, *session.words("figure", SHORT)], rows)


def _part_row(session: Session, part: Slice, notes: Footnotes) -> list[object]:
    everywhere = session.say("report.overall")
    questions = max((figure.n_questions for figure in part.figures), default=0)
    cells = [short_figure(part.figure(figure), notes) for figure in SHORT]
    return [part.platform or everywhere, part.scene_type, f"{part.valid}/{part.planned}", questions, *cells]


def short_figure(figure: Figure, notes: Footnotes) -> str:
    """Return value and interval of a figure in one cell; a dash with the mark of the reason where it is not known."""
    if figure.value is None:
        return NOT_KNOWN + (notes.mark(figure.na_reason) if figure.na_reason else "")
    value, span = _numbers(figure)
    if figure.unit == SHARE:
        span = short_span(figure.low, figure.high)
    if span:
        return f"{value} ({span})"
    return value + (notes.mark(figure.na_reason) if figure.na_reason else "")


def _numbers(figure: Figure) -> tuple[str, str]:
    if figure.unit == SHARE:
        return percent(figure.value), percent_span(figure.low, figure.high)
    value = NOT_KNOWN if figure.value is None else f"{figure.value:.2f}"
    return value, number_span(figure.low, figure.high)


def show_figures(session: Session, figures: Sequence[Figure], notes: Footnotes) -> None:
    """Print every figure of one part with numerator, denominator, questions, rounds, interval and method."""
    columns = ("figure", "value", "interval", "counts", "questions", "rounds", "method")
    session.terminal.table(
        session.words("column", columns), [_figure_row(session, figure, notes) for figure in figures]
    )


def _figure_row(session: Session, figure: Figure, notes: Footnotes) -> list[object]:
    value, span = _numbers(figure)
    mark = notes.mark(figure.na_reason) if figure.na_reason else ""
    counts = NOT_KNOWN if figure.numerator is None else f"{figure.numerator:g}/{figure.denominator}"
    return [
        session.word("figure", figure.name),
        value + mark,
        span or NOT_KNOWN,
        counts,
        f"{figure.n_questions}{'*' if figure.thin else ''}",
        figure.n_rounds,
        session.word("method", figure.method),
    ]


def _disclose(session: Session, view: ReportView) -> None:
    """Print what the figures rest on and what is missing in them."""
    report = view.report
    losses = [(_loss(session, reason), count) for reason, count in report.overall.losses]
    show_facts(
        session,
        {
            "basis": session.word("basis", view.basis),
            "batches": view.batches,
            "collected_from": view.collected_from,
            "collected_to": view.collected_to,
            "losses": counted(losses),
            "unread": view.unread or None,
            "not_cleaned": view.not_cleaned or None,
            "corrected": view.corrected or None,
            "question_bank": report.versions.question_bank,
            "lexicon_version": report.versions.lexicon,
            "cleaner_version": report.versions.cleaner,
            "metric_version": f"{report.versions.metric}, {report.versions.weights}",
        },
    )
    session.tell("report.overall_formula")
    if report.versions.mixed:
        session.tell("report.mixed")
    if any(figure.thin for figure in report.overall.figures):
        session.tell("report.thin")


def _loss(session: Session, reason: str) -> str:
    """Return why a planned sample has no valid answer: a reason of cleaning, an error type, or a state."""
    for section in ("invalid", "error_type", "loss"):
        if session.say.has(f"{section}.{reason}"):
            return session.word(section, reason)
    return reason
