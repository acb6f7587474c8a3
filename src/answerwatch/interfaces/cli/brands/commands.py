"""`answerwatch brands ...`: tracked brands, their names, the phrases that are not them, and versions of all that."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from answerwatch.domain.brands import Role
from answerwatch.interfaces.cli.brands.exchange import exchange
from answerwatch.interfaces.cli.brands.parts import Force, Note, parts
from answerwatch.interfaces.cli.brands.suggesting import suggesting
from answerwatch.interfaces.cli.brands.tables import BRANDS, CHANGES, LEXICONS, MATCHES, show_brand, show_change
from answerwatch.interfaces.cli.decoding import read_text
from answerwatch.interfaces.cli.options import MOST_VERSIONS, AsJson, BrandName, Limit
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()

Version = Annotated[int | None, typer.Option("--version", min=0, max=MOST_VERSIONS, help="option.lexicon_version")]


@app.command("add", help="help.brands.add")
def add(
    context: typer.Context,
    name: BrandName,
    *,
    alias: Annotated[list[str] | None, typer.Option("--alias", help="option.alias")] = None,
    role: Annotated[Role, typer.Option("--role", metavar="own|competitor", help="option.role")] = Role.COMPETITOR,
    exclude: Annotated[list[str] | None, typer.Option("--exclude", metavar="PHRASE", help="option.exclude")] = None,
    domain: Annotated[list[str] | None, typer.Option("--domain", help="option.domain")] = None,
    force: Force = False,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Track a brand."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.add(
            name,
            aliases=alias or (),
            role=role,
            exclude=exclude or (),
            domains=domain or (),
            force=force,
            note=note,
        )
    show_change(session, change, as_json=as_json)


@app.command("edit", help="help.brands.edit")
def edit(
    context: typer.Context,
    name: BrandName,
    *,
    role: Annotated[Role | None, typer.Option("--role", metavar="own|competitor", help="option.role")] = None,
    domain: Annotated[list[str] | None, typer.Option("--domain", help="option.all_domains")] = None,
    active: Annotated[bool | None, typer.Option("--active/--inactive", help="option.in_use")] = None,
    force: Force = False,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Change a brand, or take it out of use and back."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.edit(name, role=role, domains=domain, is_active=active, force=force, note=note)
    show_change(session, change, as_json=as_json)


@app.command("remove", help="help.brands.remove")
def remove(context: typer.Context, name: BrandName, *, note: Note = "", as_json: AsJson = False) -> None:
    """Forget a brand that nothing was asked about yet."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.remove(name, note=note)
    if as_json:
        session.terminal.json(change)
    else:
        session.tell("brands.removed", brand=change.brand.standard_name, version=change.lexicon_version)


@app.command("list", help="help.brands.list")
def list_(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List tracked brands."""
    session = session_of(context)
    with opened(session) as workspace:
        BRANDS.show(session, workspace.brands.list(), as_json=as_json, empty="brands.none")


@app.command("show", help="help.brands.show")
def show(context: typer.Context, name: BrandName, *, version: Version = None, as_json: AsJson = False) -> None:
    """Show one brand with its names and rules."""
    session = session_of(context)
    with opened(session) as workspace:
        brand = workspace.brands.show(name, version=version)
    if as_json:
        session.terminal.json(brand)
    else:
        show_brand(session, brand)


@app.command("history", help="help.brands.history")
def history(context: typer.Context, *, limit: Limit = 50, as_json: AsJson = False) -> None:
    """List versions of the lexicon, the newest first."""
    session = session_of(context)
    with opened(session) as workspace:
        LEXICONS.show(session, workspace.brands.versions(limit=limit), as_json=as_json, empty="brands.none")


@app.command("diff", help="help.brands.diff")
def diff(
    context: typer.Context,
    old: Annotated[int, typer.Argument(metavar="V1", min=0, max=MOST_VERSIONS, help="option.old_version")],
    new: Annotated[int, typer.Argument(metavar="V2", min=0, max=MOST_VERSIONS, help="option.new_version")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show what differs between two versions of the lexicon."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.brands.diff(old, new)
    if as_json:
        session.terminal.json(found)
    else:
        CHANGES.show(session, found.changes, as_json=False, empty="brands.same")


@app.command("test", help="help.brands.test")
def try_text(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="option.test_text")] = "-",
    *,
    question: Annotated[str | None, typer.Option("--question", help="option.asked")] = None,
    version: Version = None,
    as_json: AsJson = False,
) -> None:
    """Show what the lexicon finds in a text, with reasons."""
    session = session_of(context)
    given = read_text(sys.stdin.buffer.read(), session.say("cli.stdin")) if text == "-" else text
    with opened(session) as workspace:
        found = workspace.brands.test(given, question=question, version=version)
    if as_json:
        session.terminal.json(found)
        return
    if not found.is_valid:
        session.tell("clean.invalid", reason=session.word("invalid", found.invalid_reason), note="")
    MATCHES.show(session, found.matches, as_json=False, empty="brands.no_match")
    if found.mentioned:
        session.tell("brands.mentioned", brands=", ".join(found.mentioned))


app.registered_commands.extend(
    [*parts.registered_commands, *exchange.registered_commands, *suggesting.registered_commands]
)
