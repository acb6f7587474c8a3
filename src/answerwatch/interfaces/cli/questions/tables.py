"""How questions are shown to people: the bank, their versions, and what a file changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.listing import Listing, yes_no
from answerwatch.interfaces.cli.row_problems import show_row_problems
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.questions.views import (
        PatrolView,
        QuestionChange,
        QuestionImport,
        QuestionView,
        WordedVersion,
    )
    from answerwatch.workspace.shown_records import QuestionVersion


LONGEST_TEXT = 120


def _question_row(session: Session, question: QuestionView) -> tuple[object, ...]:
    active = yes_no(session, question.is_active)
    return (
        question.question_id,
        question.scene_type,
        question.version,
        active,
        one_line(question.query_text, LONGEST_TEXT),
    )


QUESTIONS: Listing[QuestionView] = Listing(
    columns=("question", "scene", "version", "active", "text"), row=_question_row, whole=(0,)
)


def _version_row(_session: Session, version: QuestionVersion) -> tuple[object, ...]:
    return version.version, version.scene_type, version.changed_at, version.changed_by, version.query_text


VERSIONS: Listing[QuestionVersion] = Listing(columns=("version", "scene", "at", "by", "text"), row=_version_row)


_MARKS = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
"""How parts of a compared text are marked, as programs that compare words do."""


def _history_row(_session: Session, worded: WordedVersion) -> tuple[object, ...]:
    one = worded.version
    text = "".join(_MARKS[piece.kind].format(piece.text) for piece in worded.pieces)
    return one.version, one.scene_type, one.changed_at, one.changed_by, worded.answers, text, one.note


HISTORY: Listing[WordedVersion] = Listing(
    columns=("version", "scene", "at", "by", "answers", "text", "note"), row=_history_row
)


def _patrol_row(session: Session, found: PatrolView) -> tuple[object, ...]:
    success = found.last_success or session.say("cli.never")
    said = session.word("freshness", found.freshness)
    return found.question_id, found.scene_type, success, said, one_line(found.query_text, LONGEST_TEXT)


PATROL: Listing[PatrolView] = Listing(
    columns=("question", "scene", "last_success", "verdict", "text"), row=_patrol_row, whole=(0,)
)


def _change_row(session: Session, change: QuestionChange) -> tuple[object, ...]:
    text = one_line(change.query_text, LONGEST_TEXT)
    if change.before is not None:
        text = f"- {one_line(change.before, LONGEST_TEXT)}\n+ {text}"
    return change.line, session.word("change", change.kind), change.question_id, change.scene_type, text


_CHANGES: Listing[QuestionChange] = Listing(
    columns=("line", "change", "question", "scene", "text"), row=_change_row, whole=(2,)
)


def show_import(session: Session, outcome: QuestionImport) -> None:
    """Print what a file changes or changed."""
    if outcome.changes:
        _CHANGES.show(session, outcome.changes, as_json=False)
    show_row_problems(session, outcome.errors, outcome.notes)
    facts = {"rows": outcome.rows, "changes": len(outcome.changes), "unchanged": outcome.unchanged}
    session.tell("questions.import_sum", **facts)
    if outcome.errors:
        session.remark("cli.nothing_imported", errors=len(outcome.errors))
    elif outcome.applied:
        session.tell("questions.import_done", changes=len(outcome.changes))
    elif outcome.changes:
        session.tell("questions.import_dry", file=outcome.file)
