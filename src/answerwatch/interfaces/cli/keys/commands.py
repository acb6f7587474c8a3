"""`answerwatch keys ...`: who may use the HTTP interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.interfaces.cli.listing import Listing
from answerwatch.interfaces.cli.options import AsJson
from answerwatch.interfaces.cli.session import Session, opened, session_of

if TYPE_CHECKING:
    from answerwatch.workspace.shown_records import ApiKey

app = typer.Typer()

Name = Annotated[str, typer.Argument(metavar="NAME", help="option.key_name")]


def _key_row(session: Session, key: ApiKey) -> tuple[object, ...]:
    state = session.word("key_state", "holds" if key.revoked_at is None else "revoked")
    return key.name, f"{key.starts_with}…", key.scope, state, key.created_at, key.used_at


KEYS: Listing[ApiKey] = Listing(
    columns=("api_key", "starts_with", "scope", "state", "created_at", "used_at"), row=_key_row, whole=(0,)
)


@app.command("create", help="help.keys.create")
def create(
    context: typer.Context,
    name: Name,
    *,
    write: Annotated[bool, typer.Option("--write", help="option.key_write")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a key and show it, this once."""
    from answerwatch.workspace.keys import Scope  # noqa: PLC0415 - keeps --help quick

    session = session_of(context)
    with opened(session) as workspace:
        made = workspace.keys.create(name, scope=Scope.WRITE if write else Scope.READ)
    if as_json:
        session.terminal.json(made)
        return
    session.terminal.say(made.key)
    session.remark("keys.once", name=name)


@app.command("list", help="help.keys.list")
def list_(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List keys; none is shown whole."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.keys.list()
    KEYS.show(session, found, as_json=as_json, empty="keys.none")


@app.command("revoke", help="help.keys.revoke")
def revoke(context: typer.Context, name: Name, *, as_json: AsJson = False) -> None:
    """Take a key back at once."""
    session = session_of(context)
    with opened(session) as workspace:
        workspace.keys.revoke(name)
    session.done("keys.revoked", as_json=as_json, name=name)
