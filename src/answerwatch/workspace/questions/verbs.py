"""The question bank: add, edit, retire, import, list, show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from answerwatch.domain.questions import OTHER, check_scene
from answerwatch.errors import UsageError
from answerwatch.stages import patrol as rounds
from answerwatch.store import questions as bank
from answerwatch.store.database import Read, Store
from answerwatch.workspace.files.columns import QUESTION_COLUMNS, map_columns, shown_columns
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import FileRow, Table, look_through, read_table
from answerwatch.workspace.filters import known_scene, unknown_question
from answerwatch.workspace.questions.editing import Edit, edit, known_already, refused, stored, worded
from answerwatch.workspace.questions.importing import (
    Plan,
    altered_rows,
    apply_plan,
    check_rows,
    make_plan,
    read_row,
)
from answerwatch.workspace.questions.views import (
    PatrolView,
    QuestionChange,
    QuestionDetail,
    QuestionImport,
    QuestionRow,
    QuestionView,
    WordedVersion,
)


class Questions:
    """Verbs on the question bank."""

    def __init__(self, store: Callable[[], Store], actor: str) -> None:
        """Work on what `store` opens; `actor` is named in the history of versions."""
        self._open_store = store
        self._actor = actor

    def add(
        self,
        query_text: str,
        *,
        scene: str,
        question_id: str | None = None,
        keywords: Sequence[str] = (),
        intent: str = "",
    ) -> QuestionView:
        """Add one question and return it; without an id it gets `QYYYYMMDD_NNN`.

        Raises UsageError for an empty text, a bad scene or id, an id that is taken, or a question that is there.
        """
        row = QuestionRow(
            line=1,
            question_id=question_id,
            scene_type=check_scene(scene),
            query_text=query_text.strip(),
            target_keywords=tuple(keywords),
            intent_description=intent,
        )
        rows, errors = check_rows([row])
        if errors:
            raise refused(errors[0])
        store = self._open_store()
        now = store.clock.now()
        with store.writing() as tx:
            _refuse_known(tx, rows[0])
            plan = make_plan(tx, rows, now)
            apply_plan(tx, plan, by=self._actor, now=now)
            return _views(bank.find(tx, bank.Wanted(ids=[plan.new[0].question_id])))[0]

    def edit(self, question_id: str, wanted: Edit, *, note: str = "") -> QuestionView:
        """Change a question and return it: another text or scene makes a version, anything else none.

        Batches that were created before go on with the version that they began with. Raises UsageError for an unknown
        id, a value that cannot be used, a text that another question of the scene has, and when nothing is wanted.
        """
        if wanted == Edit():
            text = "Say what to change: the text, the scene, the keywords or the intent."
            raise UsageError("edit_nothing", text)
        if wanted.scene is not None:
            wanted = replace(wanted, scene=check_scene(wanted.scene))
        store = self._open_store()
        with store.writing() as tx:
            edit(tx, question_id, wanted, by=self._actor, note=note, now=store.clock.now())
            return _views(bank.find(tx, bank.Wanted(ids=[question_id])))[0]

    def retire(self, question_ids: Sequence[str]) -> tuple[QuestionView, ...]:
        """Leave questions out of new batches and return them; UsageError for an unknown one, and nothing is changed."""
        return self._set_active(question_ids, active=False)

    def restore(self, question_ids: Sequence[str]) -> tuple[QuestionView, ...]:
        """Ask retired questions again and return them; raises UsageError, changing nothing, for an unknown one."""
        return self._set_active(question_ids, active=True)

    def _set_active(self, question_ids: Sequence[str], *, active: bool) -> tuple[QuestionView, ...]:
        store = self._open_store()
        with store.writing() as tx:
            changed = [
                replace(one, is_active=active) for one in stored(tx, question_ids) if one.is_active is not active
            ]
            bank.change(tx, changed, reworded=[], by=self._actor, now=store.clock.now())
            return _views(bank.find(tx, bank.Wanted(ids=question_ids)))

    def patrol(self, *, apply: bool = False) -> tuple[PatrolView, ...]:
        """Return when every active question was last answered; with `apply`, retire the stale ones with an alert."""
        store = self._open_store()
        now = store.clock.now()
        if apply:
            with store.writing() as tx:
                judged = rounds.look(tx, now)
                rounds.retire_stale(tx, judged, now)
        else:
            with store.reading() as read:
                judged = rounds.look(read, now)
        return tuple(
            PatrolView(
                question_id=one.question_id, scene_type=one.scene_type, query_text=one.query_text,
                first_asked=one.first_asked, last_success=one.last_success, freshness=said,
            )
            for one, said in judged
        )  # fmt: skip

    def history(self, question_id: str) -> tuple[WordedVersion, ...]:
        """Return the versions of a question with what each changed and its answers; raises UsageError when unknown."""
        with self._open_store().reading() as read:
            stored(read, [question_id])
            return worded(read, question_id)

    def import_file(
        self, path: Path, *, apply: bool = False, encoding: str | None = None, scene: str | None = None
    ) -> QuestionImport:
        """Read CSV or JSONL and return what it changes; changes nothing without `apply`, and nothing on any row error.

        `scene` is used for rows that name none. Raises UsageError for a file that cannot be read as a table.
        """
        table = read_table(look_through(path, encoding=encoding))
        rows, errors, mapping = _read(table, None if scene is None else check_scene(scene))
        altered = altered_rows(rows)
        rows, faults = check_rows(rows)
        plan = self._planned(rows, apply=apply and not errors and not faults)
        return QuestionImport(
            file=str(path),
            encoding=table.source.encoding,
            delimiter=table.delimiter,
            columns=shown_columns(table.header, mapping),
            rows=len(rows) + len(errors) + len(faults),
            changes=plan.changes,
            unchanged=plan.unchanged,
            errors=tuple(sorted([*errors, *faults], key=lambda error: error.line)),
            notes=(*table.notes, *altered),
            applied=apply and not errors and not faults,
        )

    def import_rows(self, rows: Sequence[QuestionRow], *, apply: bool = False) -> tuple[QuestionChange, ...]:
        """Do with rows what `import_file` does with those of a file; raises UsageError for the first bad row."""
        good, errors = check_rows(rows)
        if errors:
            raise refused(errors[0])
        return self._planned(good, apply=apply).changes

    def _planned(self, rows: Sequence[QuestionRow], *, apply: bool) -> Plan:
        """Return what the rows change, after storing it with `apply`."""
        store = self._open_store()
        now = store.clock.now()
        if not apply:
            with store.reading() as read:
                return make_plan(read, rows, now)
        with store.writing() as tx:
            plan = make_plan(tx, rows, now)
            apply_plan(tx, plan, by=self._actor, now=now)
        return plan

    def list(
        self, *, scene: str | None = None, active: bool | None = None, limit: int = 1000, after: str | None = None
    ) -> tuple[QuestionView, ...]:
        """Return questions by id, those after the id `after`; raises UsageError for a scene that nobody uses."""
        with self._open_store().reading() as read:
            scenes = None if scene is None else [known_scene(read, scene)]
            return _views(bank.find(read, bank.Wanted(scenes=scenes, active=active, most=limit, after=after)))

    def show(self, question_id: str) -> QuestionDetail:
        """Return one question with its versions; raises UsageError when it is unknown."""
        with self._open_store().reading() as read:
            found = bank.find(read, bank.Wanted(ids=[question_id]))
            if not found:
                raise unknown_question(question_id)
            versions = bank.versions(read, question_id)
            return QuestionDetail(
                question=_views(found)[0],
                versions=tuple(versions),
                last_success=bank.last_success(read, question_id),
            )


def _read(table: Table, scene: str | None) -> tuple[list[QuestionRow], list[RowError], dict[str, str]]:
    """Return the rows of a file as questions, what is wrong with others, and which column is what."""
    file_rows = list(table.rows)
    mapping = map_columns(table.header, QUESTION_COLUMNS)
    if "query_text" not in mapping.values() and table.header:
        text = (
            f"{table.source.path} has no column for the question; name one query_text or 问题. "
            f"Its columns are: {', '.join(table.header)}."
        )
        raise UsageError("columns_missing", text, file=str(table.source.path), needed="query_text")
    read = [read_row(row, mapping, scene) if isinstance(row, FileRow) else row for row in file_rows]
    rows = [row for row in read if isinstance(row, QuestionRow)]
    return rows, [row for row in read if isinstance(row, RowError)], mapping


def _refuse_known(tx: Read, row: QuestionRow) -> None:
    """Raise UsageError when the bank has the id, or without an id the text and scene."""
    wanted = bank.Wanted(ids=[row.question_id]) if row.question_id else bank.Wanted(scenes=[row.scene_type or OTHER])
    for one in bank.find(tx, wanted):
        known = one.question
        if row.question_id or known.query_text == row.query_text:
            raise known_already(known.question_id)


def _views(found: Iterable[bank.StoredQuestion]) -> tuple[QuestionView, ...]:
    return tuple(
        QuestionView(
            question_id=one.question.question_id,
            scene_type=one.question.scene_type,
            query_text=one.question.query_text,
            target_keywords=one.question.target_keywords,
            intent_description=one.question.intent_description,
            is_active=one.question.is_active,
            version=one.question.version,
            created_at=one.created_at,
            updated_at=one.updated_at,
        )
        for one in found
    )
