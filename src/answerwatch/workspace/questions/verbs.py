"""The question bank: add, edit, retire, import, list, show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from answerwatch.domain.questions import check_scene
from answerwatch.errors import UsageError
from answerwatch.stages import patrol as rounds
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read, Store, Write
from answerwatch.workspace.authors import author
from answerwatch.workspace.files.cell_faults import Fault
from answerwatch.workspace.filters import known_scene, unknown_question
from answerwatch.workspace.questions.activity import set_active
from answerwatch.workspace.questions.branded import Branded, branded_by_newest
from answerwatch.workspace.questions.editing import Edit, add, edit, history, refuse
from answerwatch.workspace.questions.importing import ImportRequest, import_questions, import_rows
from answerwatch.workspace.questions.views import (
    PatrolView,
    QuestionChange,
    QuestionDetail,
    QuestionHistory,
    QuestionImport,
    QuestionRow,
    QuestionView,
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
            query_text=query_text,
            target_keywords=tuple(keywords),
            intent_description=intent,
        )

        store = self._open_store()

        def work(tx: Write) -> QuestionView:
            return _view(tx, add(tx, row, author(self._actor), store.clock.now()))

        return store.create(work)

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

        def work(tx: Write) -> QuestionView:
            edit(tx, question_id, wanted, author(self._actor, note), store.clock.now())
            return _view(tx, question_id)

        return store.create(work)

    def retire(self, question_ids: Sequence[str], *, note: str = "") -> tuple[QuestionView, ...]:
        """Leave questions out of new batches and return them; UsageError for an unknown one, and nothing is changed.

        Who retired what, when and why (`note`) stands in its history.
        """
        return self._set_active(question_ids, note, active=False)

    def restore(self, question_ids: Sequence[str], *, note: str = "") -> tuple[QuestionView, ...]:
        """Ask retired questions again and return them; raises UsageError, changing nothing, for an unknown one."""
        return self._set_active(question_ids, note, active=True)

    def _set_active(self, question_ids: Sequence[str], note: str, *, active: bool) -> tuple[QuestionView, ...]:
        store = self._open_store()

        def work(tx: Write) -> tuple[QuestionView, ...]:
            set_active(tx, question_ids, author(self._actor, note), store.clock.now(), active=active)
            return _views(bank.find(tx, bank.Wanted(ids=question_ids)), branded_by_newest(tx))

        return store.transact(work)

    def patrol(self, *, apply: bool = False) -> tuple[PatrolView, ...]:
        """Return when every active question was last answered; with `apply`, retire the stale ones with an alert."""
        store = self._open_store()
        now = store.clock.now()
        if apply:

            def work(tx: Write) -> list[rounds.Judged]:
                judged = list(rounds.look(tx, now))
                rounds.retire_stale(tx, judged, now, by=self._actor)
                return judged

            judged = store.transact(work)
        else:
            with store.reading() as read:
                judged = list(rounds.look(read, now))
        return tuple(
            PatrolView(
                question_id=one.question_id, scene_type=one.scene_type, query_text=one.query_text,
                first_asked=one.first_asked, last_success=one.last_success, freshness=said,
            )
            for one, said in judged
        )  # fmt: skip

    def history(self, question_id: str) -> QuestionHistory:
        """Return what was done to a question: its versions, and when it was retired; raises UsageError when unknown."""
        with self._open_store().reading() as read:
            return history(read, question_id)

    def import_file(
        self,
        path: Path,
        *,
        apply: bool = False,
        encoding: str | None = None,
        scene: str | None = None,
        sheet: str | None = None,
        columns: Mapping[str, str] | None = None,
        whole: bool = False,
        note: str = "",
    ) -> QuestionImport:
        """Read CSV, JSONL, JSON or XLSX and return what it changes (docs/questions.md).

        Changes nothing without `apply`, and nothing on any row error. `scene` is used for rows that name none, `sheet`
        is the one of a workbook, `columns` says what columns mean that are not known, `note` is kept with what changes.
        With `whole` the file is the whole bank: active questions that are in no row are retired.
        Memory does not grow with the file. Raises UsageError for a file that cannot be read as a table.
        """
        request = ImportRequest(
            path=path, apply=apply, encoding=encoding, scene=scene, sheet=sheet, renamed=columns or {}, whole=whole
        )
        return import_questions(self._open_store(), request, author(self._actor, note))

    def import_rows(self, rows: Sequence[QuestionRow], *, apply: bool = False) -> tuple[QuestionChange, ...]:
        """Do with rows what `import_file` does with those of a file; raises UsageError for the first bad row."""
        try:
            return import_rows(self._open_store(), rows, author(self._actor) if apply else None)
        except Fault as fault:
            refuse(fault)

    def list(
        self,
        *,
        scene: str | None = None,
        active: bool | None = None,
        branded: bool | None = None,
        limit: int = 1000,
        after: str | None = None,
    ) -> tuple[QuestionView, ...]:
        """Return questions by id, those after the id `after`; raises UsageError for a scene that nobody uses.

        `branded` takes those whose text names a brand of the newest lexicon, or those whose text names none; without
        any brand it takes nothing, for nothing is known.
        """
        with self._open_store().reading() as read:
            scenes = None if scene is None else [known_scene(read, scene)]
            wanted = bank.Wanted(scenes=scenes, active=active, most=limit, after=after)
            flag = branded_by_newest(read)
            if branded is None:
                return _views(bank.find(read, wanted), flag)
            return _branded(read, wanted, flag, branded=branded)

    def show(self, question_id: str) -> QuestionDetail:
        """Return one question with its versions; raises UsageError when it is unknown."""
        with self._open_store().reading() as read:
            found = bank.find(read, bank.Wanted(ids=[question_id]))
            if not found:
                raise unknown_question(question_id)
            return QuestionDetail(
                question=_views(found, branded_by_newest(read))[0],
                versions=tuple(bank.versions(read, question_id)),
                last_success=bank.last_success(read, question_id),
            )


def _branded(read: Read, wanted: bank.Wanted, flag: Branded, *, branded: bool) -> tuple[QuestionView, ...]:
    """Return questions by their flag, the bank read a page at a time until there are enough."""
    found: list[QuestionView] = []
    most, page = wanted.most or 0, replace(wanted, most=bank.PAGE)
    while len(found) < most and (part := bank.find(read, page)):
        found += (view for view in _views(part, flag) if view.branded is branded)
        page = replace(page, after=part[-1].question.question_id)
    return tuple(found[:most])


def _view(read: Read, question_id: str) -> QuestionView:
    return _views(bank.find(read, bank.Wanted(ids=[question_id])), branded_by_newest(read))[0]


def _views(found: Iterable[bank.StoredQuestion], branded: Branded) -> tuple[QuestionView, ...]:
    return tuple(
        QuestionView(
            question_id=one.question.question_id,
            scene_type=one.question.scene_type,
            query_text=one.question.query_text,
            target_keywords=one.question.target_keywords,
            intent_description=one.question.intent_description,
            is_active=one.question.is_active,
            version=one.question.version,
            branded=branded(one.question.query_text),
            created_at=one.created_at,
            updated_at=one.updated_at,
        )
        for one in found
    )
