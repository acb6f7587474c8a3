"""`answerwatch questions ...`: the question bank."""

from __future__ import annotations

from typing import Annotated

import typer

from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, WRONG_USE
from answerwatch.interfaces.cli.exports import options as exports
from answerwatch.interfaces.cli.exports.running import Asked, run_export
from answerwatch.interfaces.cli.listing import show_facts, yes_no
from answerwatch.interfaces.cli.options import AsJson, ColumnMap, Encoding, File, Limit, Scenes, Sheet, mapped_columns
from answerwatch.interfaces.cli.questions.tables import (
    PATROL,
    QUESTIONS,
    VERSIONS,
    show_alike,
    show_history,
    show_import,
)
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()

QuestionId = Annotated[str, typer.Argument(metavar="QUESTION", help="option.question_id")]
Note = Annotated[str, typer.Option("--note", help="option.question_note")]
QuestionIds = Annotated[list[str], typer.Argument(metavar="QUESTION...", help="option.question_id")]


@app.command("add", help="help.questions.add")
def add(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="option.query_text")],
    *,
    scene: Annotated[str, typer.Option("--scene", help="option.question_scene")],
    question_id: Annotated[str | None, typer.Option("--id", help="option.question_id")] = None,
    keyword: Annotated[list[str] | None, typer.Option("--keyword", help="option.keyword")] = None,
    as_json: AsJson = False,
) -> None:
    """Add one question."""
    session = session_of(context)
    with opened(session) as workspace:
        added = workspace.questions.add(text, scene=scene, question_id=question_id, keywords=keyword or ())
    if as_json:
        session.terminal.json(added)
    else:
        session.tell("questions.added", question=added.question_id, scene=added.scene_type)


@app.command("edit", help="help.questions.edit")
def edit(
    context: typer.Context,
    question: QuestionId,
    *,
    text: Annotated[str | None, typer.Option("--text", help="option.new_text")] = None,
    scene: Annotated[str | None, typer.Option("--scene", help="option.question_scene")] = None,
    keyword: Annotated[list[str] | None, typer.Option("--keyword", help="option.new_keywords")] = None,
    intent: Annotated[str | None, typer.Option("--intent", help="option.intent")] = None,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Change one question; another text or scene makes a new version."""
    from answerwatch.workspace.questions.editing import Edit  # noqa: PLC0415 - loaded when it is used

    wanted = Edit(query_text=text, scene=scene, keywords=None if keyword is None else tuple(keyword), intent=intent)
    session = session_of(context)
    with opened(session) as workspace:
        edited = workspace.questions.edit(question, wanted, note=note)
    if as_json:
        session.terminal.json(edited)
    else:
        session.tell("questions.edited", question=edited.question_id, version=edited.version)


@app.command("retire", help="help.questions.retire")
def retire(context: typer.Context, question: QuestionIds, *, note: Note = "", as_json: AsJson = False) -> None:
    """Leave questions out of new batches."""
    session = session_of(context)
    with opened(session) as workspace:
        changed = workspace.questions.retire(question, note=note)
    QUESTIONS.show(session, changed, as_json=as_json, empty="questions.none")


@app.command("restore", help="help.questions.restore")
def restore(context: typer.Context, question: QuestionIds, *, note: Note = "", as_json: AsJson = False) -> None:
    """Ask retired questions again."""
    session = session_of(context)
    with opened(session) as workspace:
        changed = workspace.questions.restore(question, note=note)
    QUESTIONS.show(session, changed, as_json=as_json, empty="questions.none")


@app.command("history", help="help.questions.history")
def history(context: typer.Context, question: QuestionId, *, as_json: AsJson = False) -> None:
    """Show what each version of a question changed, how many answers it has, and who retired it."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.questions.history(question)
    if as_json:
        session.terminal.json(found)
    else:
        show_history(session, found)


@app.command("patrol", help="help.questions.patrol")
def patrol(
    context: typer.Context,
    *,
    apply: Annotated[bool, typer.Option("--apply", help="option.patrol_apply")] = False,
    as_json: AsJson = False,
) -> None:
    """Show when every active question was last answered, and retire the stale ones with --apply."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.questions.patrol(apply=apply)
    PATROL.show(session, found, as_json=as_json, empty="questions.none")
    if not as_json:
        stale = sum(1 for one in found if one.freshness == "stale")
        session.tell("questions.patrol_done" if apply else "questions.patrol_dry", stale=stale)


@app.command("dedupe", help="help.questions.dedupe")
def dedupe(
    context: typer.Context,
    *,
    scene: Annotated[str | None, typer.Option("--scene", help="option.question_scene")] = None,
    scorer: Annotated[str | None, typer.Option("--scorer", help="option.scorer")] = None,
    above: Annotated[float | None, typer.Option("--above", min=0.0, max=1.0, help="option.alike_above")] = None,
    retire: Annotated[bool, typer.Option("--retire", help="option.alike_retire")] = False,
    as_json: AsJson = False,
) -> int:
    """Show questions that say the same as an earlier one, and retire them with --retire."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.similarity.alike_questions(scorer=scorer, above=above, scene=scene)
        retires = retire and bool(found.twins) and not found.is_doubtful
        if retires:
            ids = [one.question_id for one in found.twins]
            workspace.questions.retire(ids, note=session.say("questions.alike_note", scorer=found.scorer_id))
    if as_json:
        session.terminal.json(found)
    else:
        show_alike(session, found, retired=retires)
    return FAILED if retire and found.is_doubtful else DONE


@app.command("import", help="help.questions.import")
def import_(
    context: typer.Context,
    file: File,
    *,
    apply: Annotated[bool, typer.Option("--apply", help="option.apply")] = False,
    scene: Annotated[str | None, typer.Option("--scene", help="option.import_scene")] = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    column: ColumnMap = None,
    whole: Annotated[bool, typer.Option("--whole", help="option.whole_bank")] = False,
    note: Note = "",
    as_json: AsJson = False,
) -> int:
    """Show what a file changes, and change it with --apply."""
    session = session_of(context)
    columns = mapped_columns(column or ())
    with opened(session) as workspace:
        outcome = workspace.questions.import_file(
            file, apply=apply, encoding=encoding, scene=scene, sheet=sheet, columns=columns, whole=whole, note=note
        )
    if as_json:
        session.terminal.json(outcome)
    else:
        show_import(session, outcome, dry=not apply)
    return WRONG_USE if outcome.errors else DONE


@app.command("list", help="help.questions.list")
def list_(
    context: typer.Context,
    *,
    scene: Annotated[str | None, typer.Option("--scene", help="option.question_scene")] = None,
    active: Annotated[bool, typer.Option("--active", help="option.active")] = False,
    branded: Annotated[bool | None, typer.Option("--branded/--no-branded", help="option.branded")] = None,
    limit: Limit = 1000,
    after: Annotated[str | None, typer.Option("--after", metavar="ID", help="option.after")] = None,
    as_json: AsJson = False,
) -> None:
    """List questions by id."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.questions.list(
            scene=scene, active=True if active else None, branded=branded, limit=limit, after=after
        )
    QUESTIONS.show(session, found, as_json=as_json, empty="questions.none")


@app.command("show", help="help.questions.show")
def show(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="option.question_id")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show one question with its versions."""
    session = session_of(context)
    with opened(session) as workspace:
        detail = workspace.questions.show(question)
    if as_json:
        session.terminal.json(detail)
        return
    held = detail.question
    show_facts(
        session,
        {
            "question": held.question_id,
            "scene": held.scene_type,
            "text": held.query_text,
            "keywords": held.target_keywords,
            "intent": held.intent_description,
            "active": yes_no(session, held.is_active),
            "branded": None if held.branded is None else yes_no(session, held.branded),
            "version": held.version,
            "last_success": detail.last_success or session.say("cli.never"),
        },
    )
    VERSIONS.show(session, detail.versions, as_json=False)


@app.command("export", help="help.questions.export")
def export(
    context: typer.Context,
    file: exports.Target,
    *,
    format_: exports.Format = None,
    columns: exports.Columns = None,
    headers: exports.Headers = None,
    bom: exports.Bom = None,
    force: exports.Force = False,
    scenes: Scenes = None,
    questions: exports.Questions = None,
    active: exports.Active = None,
    as_json: AsJson = False,
) -> None:
    """Write questions into a file, as `answerwatch export questions` does."""
    asked = Asked(what="questions", file=file, format=format_, columns=columns, headers=headers, bom=bom, force=force)
    filters = {"scenes": scenes, "questions": questions, "active": active}
    run_export(session_of(context), asked, filters, as_json=as_json)
