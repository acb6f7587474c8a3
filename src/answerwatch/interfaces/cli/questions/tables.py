"""How questions are shown to people: the bank, their versions, and what a file changes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

from answerwatch.domain.said import Said
from answerwatch.interfaces.cli.file_reading import show_reading
from answerwatch.interfaces.cli.listing import Listing, yes_no
from answerwatch.interfaces.cli.row_problems import show_row_problems
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.questions.views import (
        PatrolView,
        QuestionChange,
        QuestionFieldChange,
        QuestionHistory,
        QuestionImport,
        QuestionView,
        WordedVersion,
    )
    from answerwatch.workspace.shown_records import AuditEntry, QuestionVersion
    from answerwatch.workspace.similarity.views import AlikeQuestions, TwinView


LONGEST_TEXT = 120
SHOWN = 50
"""Changes that are shown one by one; the rest is counted."""
SHOWN_IDS = 5
"""Ids of missing questions that are shown."""


def _question_row(session: Session, question: QuestionView) -> tuple[object, ...]:
    active = yes_no(session, question.is_active)
    return (
        question.question_id,
        question.scene_type,
        question.version,
        active,
        None if question.branded is None else yes_no(session, question.branded),
        one_line(question.query_text, LONGEST_TEXT),
    )


QUESTIONS: Listing[QuestionView] = Listing(
    columns=("question", "scene", "version", "active", "branded", "text"), row=_question_row, whole=(0,)
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


_HISTORY: Listing[WordedVersion] = Listing(
    columns=("version", "scene", "at", "by", "answers", "text", "note"), row=_history_row
)


def _activity_row(session: Session, entry: AuditEntry) -> tuple[object, ...]:
    what = session.word("change", "retired" if entry.action.endswith(".retire") else "restored")
    why = entry.detail.get("why")
    note = entry.detail.get("note") or (Said.of_row(why) if isinstance(why, Mapping) else None)
    return entry.at, what, entry.actor, note


_ACTIVITY: Listing[AuditEntry] = Listing(columns=("at", "change", "by", "note"), row=_activity_row)


def show_history(session: Session, history: QuestionHistory) -> None:
    """Print the versions of a question, and when it was retired and restored."""
    _HISTORY.show(session, history.versions, as_json=False)
    if history.activity:
        session.terminal.say("")
        _ACTIVITY.show(session, history.activity, as_json=False)


def _patrol_row(session: Session, found: PatrolView) -> tuple[object, ...]:
    success = found.last_success or session.say("cli.never")
    said = session.word("freshness", found.freshness)
    return found.question_id, found.scene_type, success, said, one_line(found.query_text, LONGEST_TEXT)


PATROL: Listing[PatrolView] = Listing(
    columns=("question", "scene", "last_success", "verdict", "text"), row=_patrol_row, whole=(0,)
)


FIELD_WORDS = {
    "query_text": "text", "scene_type": "scene", "target_keywords": "keywords", "intent_description": "intent",
    "is_active": "active",
}  # fmt: skip
"""Field of a question -> its word of the section `column`."""


def _change_row(session: Session, change: QuestionChange) -> tuple[object, ...]:
    text = one_line(change.query_text, LONGEST_TEXT)
    told = "\n".join(_field(session, one) for one in change.fields) if change.fields else text
    return change.line, session.word("change", change.kind), change.question_id, change.scene_type, told


def _field(session: Session, one: QuestionFieldChange) -> str:
    """Return a field with what it was and what it becomes; texts stand below each other, so that they compare."""
    word = session.word("column", FIELD_WORDS[one.field])
    before, after = _value(session, one.before), _value(session, one.after)
    if one.field == "query_text":
        return f"{word}\n- {before}\n+ {after}"
    return f"{word}: {before} → {after}"


def _value(session: Session, value: object) -> str:
    if isinstance(value, bool):
        return str(yes_no(session, value))
    joined = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return one_line(joined, LONGEST_TEXT) or session.say("questions.empty")


_CHANGES: Listing[QuestionChange] = Listing(
    columns=("line", "change", "question", "scene", "text"), row=_change_row, whole=(2,)
)


def show_import(session: Session, outcome: QuestionImport, *, dry: bool) -> None:
    """Print what a file changes or changed; of a dry run and where nothing could be stored also how it was read."""
    if dry or not outcome.applied:
        show_reading(session, outcome, unread="questions.unused")
    retired = outcome.missing or 0 if outcome.retires_missing else 0
    changes = outcome.new + outcome.changed + outcome.new_versions
    if outcome.changes:
        _CHANGES.show(session, outcome.changes[:SHOWN], as_json=False)
        if changes > SHOWN:
            session.tell("import.more", count=changes - SHOWN)
    show_row_problems(session, outcome.errors, outcome.notes)
    facts = {"new": outcome.new, "new_versions": outcome.new_versions, "changed": outcome.changed}
    more = {"rows": outcome.rows, "unchanged": outcome.unchanged, "repeated": outcome.repeated}
    session.tell("questions.import_sum", **facts, **more)
    if outcome.missing:
        ids = ", ".join(outcome.missing_first[:SHOWN_IDS]) + (" …" if outcome.missing > SHOWN_IDS else "")
        said = "questions.import_retires" if outcome.retires_missing else "questions.import_missing"
        session.tell(said, count=outcome.missing, questions=ids)
    if outcome.bad_rows:
        session.remark("cli.nothing_imported", errors=outcome.bad_rows)
    elif outcome.applied:
        session.tell("questions.import_done", changes=changes + retired)
    elif changes or retired:
        again = shlex.join([outcome.file, *(["--whole"] if outcome.retires_missing else [])])
        session.tell("questions.import_dry", file=again)


def _twin_row(_: Session, one: TwinView) -> tuple[object, ...]:
    return one.question_id, one.query_text, one.scene_type, f"{one.score:.3f}", one.kept_id, one.kept_text


_TWINS: Listing[TwinView] = Listing(
    columns=("question", "text", "scene", "score", "same_as", "kept_text"), row=_twin_row, whole=(0, 4)
)


def show_alike(session: Session, found: AlikeQuestions, *, retired: bool) -> None:
    """Print questions that say the same as an earlier one, and what was done about it."""
    facts = {"questions": found.questions, "above": f"{found.above:.3f}", "scorer": found.scorer_id}
    if not found.twins:
        session.tell("questions.alike_none", **facts)
        return
    _TWINS.show(session, found.twins, as_json=False)
    session.tell("questions.alike_found", count=len(found.twins), **facts)
    if found.is_doubtful:
        session.remark("questions.alike_doubt")
    elif retired:
        session.tell("questions.alike_retired", count=len(found.twins))
    else:
        session.tell("questions.alike_next")
