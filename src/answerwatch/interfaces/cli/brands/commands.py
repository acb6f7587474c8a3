"""`answerwatch brands ...`: tracked brands, their names, and the phrases that are not them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.domain.brands import Role
from answerwatch.interfaces.cli.brands.tables import BRANDS, MATCHES
from answerwatch.interfaces.cli.decoding import read_text
from answerwatch.interfaces.cli.options import AsJson, BrandName
from answerwatch.interfaces.cli.session import Session, opened, session_of

if TYPE_CHECKING:
    from answerwatch.workspace.brands import BrandChange

app = typer.Typer()


@app.command("add", help="help.brands.add")
def add(
    context: typer.Context,
    name: BrandName,
    *,
    alias: Annotated[list[str] | None, typer.Option("--alias", help="option.alias")] = None,
    role: Annotated[Role, typer.Option("--role", metavar="own|competitor", help="option.role")] = Role.COMPETITOR,
    exclude: Annotated[list[str] | None, typer.Option("--exclude", metavar="PHRASE", help="option.exclude")] = None,
    domain: Annotated[list[str] | None, typer.Option("--domain", help="option.domain")] = None,
    as_json: AsJson = False,
) -> None:
    """Track a brand."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.add(name, aliases=alias or (), role=role, exclude=exclude or (), domains=domain or ())
    _show_change(session, change, as_json=as_json)


@app.command("alias", help="help.brands.alias")
def alias(
    context: typer.Context,
    name: BrandName,
    alias: Annotated[str, typer.Argument(help="option.alias")],
    *,
    as_json: AsJson = False,
) -> None:
    """Give a brand one more name."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.add_alias(name, alias)
    _show_change(session, change, as_json=as_json)


@app.command("exclude", help="help.brands.exclude")
def exclude(
    context: typer.Context,
    name: BrandName,
    phrase: Annotated[str, typer.Argument(help="option.exclude")],
    *,
    as_json: AsJson = False,
) -> None:
    """Add a phrase that is not the brand."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.exclude(name, phrase)
    _show_change(session, change, as_json=as_json)


@app.command("list", help="help.brands.list")
def list_(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List tracked brands."""
    session = session_of(context)
    with opened(session) as workspace:
        BRANDS.show(session, workspace.brands.list(), as_json=as_json, empty="brands.none")


@app.command("test", help="help.brands.test")
def try_text(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="option.test_text")] = "-",
    *,
    as_json: AsJson = False,
) -> None:
    """Show what the lexicon finds in a text, with reasons."""
    session = session_of(context)
    given = read_text(sys.stdin.buffer.read(), session.say("cli.stdin")) if text == "-" else text
    with opened(session) as workspace:
        found = workspace.brands.test(given)
    if as_json:
        session.terminal.json(found)
        return
    if not found.is_valid:
        session.tell("clean.invalid", reason=session.word("invalid", found.invalid_reason), note="")
    MATCHES.show(session, found.matches, as_json=False, empty="brands.no_match")
    if found.mentioned:
        session.tell("brands.mentioned", brands=", ".join(found.mentioned))


def _show_change(session: Session, change: BrandChange, *, as_json: bool) -> None:
    if as_json:
        session.terminal.json(change)
    else:
        message = "brands.changed" if change.changed else "brands.unchanged"
        session.tell(message, brand=change.brand.standard_name, version=change.lexicon_version)
    for warning in change.warnings:
        session.remark(f"warning.{warning.code}", alias=warning.alias)
