"""`answerwatch brands import | export`: the lexicon in files that people edit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.interfaces.cli.brands.parts import Force, Note
from answerwatch.interfaces.cli.brands.tables import CHANGES, show_warnings
from answerwatch.interfaces.cli.exit_codes import DONE, WRONG_USE
from answerwatch.interfaces.cli.options import AsJson, Encoding, File
from answerwatch.interfaces.cli.row_problems import show_row_problems
from answerwatch.interfaces.cli.running.interrupts import ended_by_signals
from answerwatch.interfaces.cli.session import Session, opened, session_of

if TYPE_CHECKING:
    from answerwatch.workspace.brands.views import LexiconImport

exchange = typer.Typer()


@exchange.command("import", help="help.brands.import")
def import_(
    context: typer.Context,
    file: File,
    *,
    apply: Annotated[bool, typer.Option("--apply", help="option.apply_lexicon")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="option.whole_lexicon")] = False,
    force: Force = False,
    encoding: Encoding = None,
    note: Note = "",
    as_json: AsJson = False,
) -> int:
    """Show what a file changes in the lexicon, and change it with --apply."""
    session = session_of(context)
    with opened(session) as workspace:
        outcome = workspace.brands.import_file(
            file, apply=apply, whole=whole, force=force, encoding=encoding, note=note
        )
    if as_json:
        session.terminal.json(outcome)
    else:
        again = [str(file), *(["--whole"] if whole else []), *(["--force"] if force else [])]
        _show(session, outcome, again=" ".join(again))
    return WRONG_USE if outcome.errors else DONE


@exchange.command("export", help="help.brands.export")
def export(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="option.lexicon_file")],
    *,
    force: Annotated[bool, typer.Option("--force", help="option.export_force")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the lexicon into a file that `brands import` reads."""
    session = session_of(context)
    with ended_by_signals(), opened(session) as workspace:
        made = workspace.brands.export(file, language=session.say.language, force=force)
    if as_json:
        session.terminal.json(made)
    else:
        session.tell("brands.exported", rows=made.rows, file=made.file)


def _show(session: Session, outcome: LexiconImport, *, again: str) -> None:
    if outcome.changes and not outcome.errors:
        CHANGES.show(session, outcome.changes, as_json=False)
    show_row_problems(session, outcome.errors, outcome.notes)
    show_warnings(session, outcome.warnings)
    changes, version = len(outcome.changes), outcome.lexicon_version
    session.tell("brands.import_sum", rows=outcome.rows, changes=changes, unchanged=outcome.unchanged)
    if outcome.missing and not outcome.errors:
        session.tell("brands.import_missing", missing=outcome.missing)
    if outcome.errors:
        session.remark("cli.nothing_imported", errors=len(outcome.errors))
    elif outcome.applied:
        session.tell("brands.import_done", changes=changes, version=version)
    elif outcome.changes:
        session.tell("brands.import_dry", file=again)
