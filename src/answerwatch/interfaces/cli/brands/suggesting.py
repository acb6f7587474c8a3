"""`answerwatch brands suggest`: names in answers that no brand covers, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.brands.parts import Force
from answerwatch.interfaces.cli.brands.tables import show_change
from answerwatch.interfaces.cli.exit_codes import DONE, INTERRUPTED
from answerwatch.interfaces.cli.listing import Listing
from answerwatch.interfaces.cli.options import AsJson, Limit
from answerwatch.interfaces.cli.running.interrupts import Interrupts
from answerwatch.interfaces.cli.running.progress import BAR_WIDTH
from answerwatch.interfaces.cli.session import Session, opened, session_of
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace import Workspace
    from answerwatch.workspace.brands.suggested import IgnoredName, Suggested, SuggestedName
    from answerwatch.workspace.brands.suggesting import Progress

suggesting = typer.Typer()

SHOWN = 30
LONGEST_EXCERPT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decision:
    """What a person decided about names; at most one thing at a time."""

    promote: str | None
    brand_name: str | None
    merge: str | None
    into: str | None
    ignore: Sequence[str]
    restore: str | None
    ignored: bool
    force: bool
    note: str

    def check(self) -> None:
        """Raise UsageError when several things are decided at once, or a part of one is missing."""
        wanted = (self.promote is not None, self.merge is not None, bool(self.ignore), self.restore is not None)
        if sum((*wanted, self.ignored)) > 1:
            text = "Decide one thing at a time: --promote, --merge, --ignore, --restore or --ignored."
            raise UsageError("suggest_one", text)
        if (self.merge is None) != (self.into is None):
            raise UsageError("suggest_into", "A name is merged into a brand: say both --merge NAME and --into BRAND.")
        if self.brand_name is not None and self.promote is None:
            raise UsageError("suggest_brand_name", "--brand-name goes with --promote NAME.")


@suggesting.command("suggest", help="help.brands.suggest")
def suggest(
    context: typer.Context,
    *,
    limit: Limit = SHOWN,
    promote: Annotated[str | None, typer.Option("--promote", metavar="NAME", help="option.promote")] = None,
    brand_name: Annotated[str | None, typer.Option("--brand-name", metavar="BRAND", help="option.promote_as")] = None,
    merge: Annotated[str | None, typer.Option("--merge", metavar="NAME", help="option.merge")] = None,
    into: Annotated[str | None, typer.Option("--into", metavar="BRAND", help="option.merge_into")] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", metavar="NAME", help="option.ignore_name")] = None,
    restore: Annotated[str | None, typer.Option("--restore", metavar="NAME", help="option.restore_name")] = None,
    ignored: Annotated[bool, typer.Option("--ignored", help="option.ignored_names")] = False,
    force: Force = False,
    note: Annotated[str, typer.Option("--note", help="option.suggest_note")] = "",
    as_json: AsJson = False,
) -> int:
    """List names in answers that no brand covers, or decide about one."""
    decision = _Decision(
        promote=promote,
        brand_name=brand_name,
        merge=merge,
        into=into,
        ignore=ignore or (),
        restore=restore,
        ignored=ignored,
        force=force,
        note=note,
    )
    decision.check()
    session = session_of(context)
    with opened(session) as workspace:
        if _decided(session, workspace, decision, as_json=as_json):
            return DONE
        with Interrupts() as stop, _shown_progress(session) as progress:
            found = workspace.suggestions.find(limit=limit, progress=progress, stop=stop)
    _show(session, found, as_json=as_json)
    return INTERRUPTED if stop.is_set() else DONE


def _decided(session: Session, workspace: Workspace, decision: _Decision, *, as_json: bool) -> bool:
    """Do what was decided and show what came of it; return whether anything was."""
    inbox, force, note = workspace.suggestions, decision.force, decision.note
    if decision.promote is not None:
        change = inbox.promote(decision.promote, brand_name=decision.brand_name, force=force, note=note)
        show_change(session, change, as_json=as_json)
    elif decision.merge is not None and decision.into is not None:
        change = inbox.merge(decision.merge, decision.into, force=force, note=note)
        show_change(session, change, as_json=as_json)
    elif decision.ignore:
        _told(session, "brands.ignored", {"count": inbox.ignore(decision.ignore, note=note)}, as_json=as_json)
    elif decision.restore is not None:
        inbox.restore(decision.restore)
        _told(session, "brands.restored", {"name": decision.restore}, as_json=as_json)
    elif decision.ignored:
        IGNORED.show(session, inbox.ignored(), as_json=as_json, empty="brands.none_ignored")
    else:
        return False
    return True


def _told(session: Session, message: str, facts: dict[str, object], *, as_json: bool) -> None:
    if as_json:
        session.terminal.json(facts)
    else:
        session.tell(message, **facts)


def _show(session: Session, found: Suggested, *, as_json: bool) -> None:
    if as_json:
        session.terminal.json(found)
        return
    NAMES.show(session, found.names, as_json=False, empty="brands.none_suggested")
    session.tell("brands.looked", count=found.looked)
    if found.left:
        session.tell("brands.not_looked", count=found.left)
    if found.names:
        session.tell("brands.suggest_next")


def _name_row(session: Session, view: SuggestedName) -> tuple[object, ...]:
    del session
    example = one_line(view.examples[0].excerpt, LONGEST_EXCERPT) if view.examples else ""
    return view.name, view.answers, len(view.platforms), view.also, example


NAMES: Listing[SuggestedName] = Listing(columns=("name", "answers", "platforms", "longer", "example"), row=_name_row)


def _ignored_row(session: Session, view: IgnoredName) -> tuple[object, ...]:
    del session
    return view.name, view.ignored_at, view.ignored_by, view.note


IGNORED: Listing[IgnoredName] = Listing(columns=("name", "at", "by", "note"), row=_ignored_row)


@contextmanager
def _shown_progress(session: Session) -> Iterator[Progress | None]:
    """Give what shows a bar for the time of the block; None where there is no terminal."""
    if not session.terminal.err.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415 - keeps --help quick

    bar = Progress(
        BarColumn(bar_width=BAR_WIDTH),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=session.terminal.err,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
