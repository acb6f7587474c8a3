"""`answerwatch brands alias | rule | exclude | remove-alias | remove-rule`: names and rules of a brand."""

from __future__ import annotations

from typing import Annotated

import typer

from answerwatch.domain.brands import AliasKind, MatchMode, RuleKind
from answerwatch.interfaces.cli.brands.tables import show_change
from answerwatch.interfaces.cli.options import AsJson, BrandName
from answerwatch.interfaces.cli.session import opened, session_of

parts = typer.Typer()

Force = Annotated[bool, typer.Option("--force", help="option.force_name")]
Note = Annotated[str, typer.Option("--note", help="option.lexicon_note")]
Active = Annotated[bool, typer.Option("--active/--inactive", help="option.in_use")]
AliasText = Annotated[str, typer.Argument(metavar="ALIAS", help="option.alias")]
Phrase = Annotated[str, typer.Argument(metavar="PHRASE", help="option.phrase")]
OneAlias = Annotated[str | None, typer.Option("--alias", metavar="ALIAS", help="option.rule_alias")]
Kind = Annotated[RuleKind, typer.Option("--kind", metavar="exclude|require", help="option.rule_kind")]


@parts.command("alias", help="help.brands.alias")
def alias(
    context: typer.Context,
    name: BrandName,
    alias: AliasText,
    *,
    kind: Annotated[
        AliasKind | None, typer.Option("--kind", metavar="|".join(AliasKind), help="option.alias_kind")
    ] = None,
    match: Annotated[
        MatchMode | None, typer.Option("--match", metavar="|".join(MatchMode), help="option.match_mode")
    ] = None,
    active: Active = True,
    force: Force = False,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Give a brand one more name, or change one that it has."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.add_alias(
            name, alias, kind=kind, match_mode=match, is_active=active, force=force, note=note
        )
    show_change(session, change, as_json=as_json)


@parts.command("remove-alias", help="help.brands.remove_alias")
def remove_alias(
    context: typer.Context,
    name: BrandName,
    alias: AliasText,
    *,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Take a name away from a brand."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.remove_alias(name, alias, note=note)
    show_change(session, change, as_json=as_json)


@parts.command("rule", help="help.brands.rule")
def rule(
    context: typer.Context,
    name: BrandName,
    phrase: Phrase,
    *,
    kind: Kind,
    alias: OneAlias = None,
    window: Annotated[int | None, typer.Option("--window", help="option.rule_window")] = None,
    active: Active = True,
    force: Force = False,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Give a brand a rule, or change one that it has."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.add_rule(
            name, phrase, kind=kind, alias=alias, window=window, is_active=active, force=force, note=note
        )
    show_change(session, change, as_json=as_json)


@parts.command("exclude", help="help.brands.exclude")
def exclude(
    context: typer.Context,
    name: BrandName,
    phrase: Annotated[str, typer.Argument(metavar="PHRASE", help="option.exclude")],
    *,
    alias: OneAlias = None,
    force: Force = False,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Add a phrase that is not the brand."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.add_rule(name, phrase, kind=RuleKind.EXCLUDE, alias=alias, force=force, note=note)
    show_change(session, change, as_json=as_json)


@parts.command("remove-rule", help="help.brands.remove_rule")
def remove_rule(
    context: typer.Context,
    name: BrandName,
    phrase: Phrase,
    *,
    kind: Kind,
    alias: OneAlias = None,
    force: Force = False,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Take a rule away from a brand."""
    session = session_of(context)
    with opened(session) as workspace:
        change = workspace.brands.remove_rule(name, phrase, kind=kind, alias=alias, force=force, note=note)
    show_change(session, change, as_json=as_json)
