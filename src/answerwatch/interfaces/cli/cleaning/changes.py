"""How two generations are shown side by side: counts by kind of change, figures before and after, single answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.listing import Listing
from answerwatch.interfaces.cli.reports.tables import Footnotes, short_figure
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN

if TYPE_CHECKING:
    from answerwatch.workspace.cleaning.views import AnswerChange, CleanDiff, MatchChange, ResultChange


def show_diff(session: Session, diff: CleanDiff) -> None:
    """Print what changed between two generations."""
    session.tell("clean.compared", compared=diff.compared, changed=diff.changed)
    for step in diff.steps:
        session.tell(
            "clean.diff_step",
            answers=step.answers,
            before=step.before.generation,
            after=step.after.generation,
            lexicon_before=step.before.lexicon_version,
            lexicon_after=step.after.lexicon_version,
            cleaner_before=step.before.cleaner_version,
            cleaner_after=step.after.cleaner_version,
        )
    if not diff.changed:
        return
    session.terminal.say("")
    session.terminal.facts([(session.word("column", kind), count) for kind, count in diff.kinds if count])
    _show_rates(session, diff)
    if diff.answers:
        session.terminal.say("")
        _ANSWERS.show(session, diff.answers, as_json=False)
    if diff.changed > len(diff.answers):
        session.tell("clean.diff_more", shown=len(diff.answers), changed=diff.changed)


def _show_rates(session: Session, diff: CleanDiff) -> None:
    notes = Footnotes()
    head = session.words("column", ("brand", "figure", "before", "after"))
    rows = [
        [
            one.brand_name,
            session.word("figure", one.before.name),
            short_figure(one.before, notes),
            short_figure(one.after, notes),
        ]
        for one in diff.rates
    ]
    if rows:
        session.terminal.say("")
        session.terminal.table(head, rows)
    for mark, reason in notes.lines():
        session.terminal.say(f"{mark} {session.word('na', reason)}")


def _answer_row(session: Session, answer: AnswerChange) -> tuple[object, ...]:
    told = [_field(session, one) for one in answer.fields] + [_match(session, one) for one in answer.matches]
    generations = f"{answer.before.generation} → {answer.after.generation}"
    return answer.source_task_id, answer.brand_name, generations, "; ".join(told)


_ANSWERS: Listing[AnswerChange] = Listing(
    columns=("sample", "brand", "generation", "change"), row=_answer_row, whole=(0,)
)


def _field(session: Session, change: ResultChange) -> str:
    return f"{session.word('column', change.kind)}: {_value(change.before)} → {_value(change.after)}"


def _value(value: object) -> str:
    return NOT_KNOWN if value is None else str(value)


def _match(session: Session, change: MatchChange) -> str:
    before = NOT_KNOWN if change.reason_before is None else session.word("match", change.reason_before)
    after = NOT_KNOWN if change.reason_after is None else session.word("match", change.reason_after)
    return f"{change.matched_alias}@{change.match_position}: {before} → {after}"
