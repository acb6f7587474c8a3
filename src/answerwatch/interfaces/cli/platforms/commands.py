"""`answerwatch platforms ...`: what can be asked and under which limits; `simulate` serves a fake platform."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.errors import ConfigurationError, ServiceError, UsageError
from answerwatch.interfaces.cli.exit_codes import DONE, NOT_REACHABLE
from answerwatch.interfaces.cli.options import AsJson
from answerwatch.interfaces.cli.platforms.tables import CHECKS, PLATFORMS
from answerwatch.interfaces.cli.session import Session, opened, session_of

if TYPE_CHECKING:
    from answerwatch.simulator import Simulator

app = typer.Typer()

LOOPBACK = "127.0.0.1"

Name = Annotated[str, typer.Argument(metavar="NAME", help="option.platform")]


@app.command("list", help="help.platforms.list")
def list_(
    context: typer.Context,
    *,
    catalogue: Annotated[bool, typer.Option("--catalogue", help="option.catalogue")] = False,
    as_json: AsJson = False,
) -> None:
    """List platforms with their limits."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.platforms.list(catalogue=catalogue)
    PLATFORMS.show(session, found, as_json=as_json, empty="platforms.none")


@app.command("add", help="help.platforms.add")
def add(
    context: typer.Context,
    name: Name,
    *,
    base_url: Annotated[str | None, typer.Option("--base-url", metavar="URL", help="option.base_url")] = None,
    model: Annotated[str | None, typer.Option("--model", help="option.model")] = None,
    key_env: Annotated[str | None, typer.Option("--key-env", metavar="VARIABLE", help="option.key_env")] = None,
    rate: Annotated[float | None, typer.Option("--rate", help="option.rate")] = None,
    capacity: Annotated[int | None, typer.Option("--capacity", help="option.capacity")] = None,
    in_flight: Annotated[int | None, typer.Option("--in-flight", help="option.in_flight")] = None,
    as_json: AsJson = False,
) -> None:
    """Add a platform to platforms.toml."""
    session = session_of(context)
    given = {
        "base_url": base_url,
        "model": model,
        "key_env": key_env,
        "rate": rate,
        "capacity": capacity,
        "in_flight": in_flight,
    }
    with opened(session) as workspace:
        added = workspace.platforms.add(name, {key: value for key, value in given.items() if value is not None})
    if as_json:
        session.terminal.json(added)
        return
    session.tell("platforms.added", platform=added.name)
    if added.key_present is False:
        session.tell("platforms.key_missing", variable=added.key_env)


@app.command("check", help="help.platforms.check")
def check(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="option.platform")] = None,
    *,
    as_json: AsJson = False,
) -> int:
    """Tell which platforms could be asked, without a call."""
    session = session_of(context)
    with opened(session) as workspace:
        checks = workspace.platforms.check(name)
    CHECKS.show(session, checks, as_json=as_json, empty="platforms.none")
    return DONE if all(found.ok for found in checks) else NOT_REACHABLE


@app.command("unpark", help="help.platforms.unpark")
def unpark(context: typer.Context, name: Name, *, as_json: AsJson = False) -> None:
    """Let a parked platform be asked again."""
    session = session_of(context)
    with opened(session) as workspace:
        lane = workspace.platforms.unpark(name)
    session.done("platforms.unparked", as_json=as_json, platform=lane.platform)


@app.command("simulate", help="help.platforms.simulate")
def simulate(
    context: typer.Context,
    *,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="option.port")] = 9100,
    script: Annotated[Path | None, typer.Option("--script", metavar="FILE", help="option.script")] = None,
    log: Annotated[Path | None, typer.Option("--log", metavar="FILE", help="option.log")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="option.seed")] = None,
    host: Annotated[str, typer.Option("--host", help="option.host")] = LOOPBACK,
    allow_remote: Annotated[bool, typer.Option("--allow-remote", help="option.allow_remote")] = False,
) -> None:
    """Serve a fake platform until Ctrl-C."""
    from answerwatch.simulator import BindError, serve  # noqa: PLC0415 - keeps --help quick

    session = session_of(context)
    simulator = _simulator(session, script, log, seed, allow_remote=allow_remote)

    def ready(bound: int) -> None:
        session.tell("platforms.serving", url=f"http://{host}:{bound}/v1")
        session.terminal.flush()

    try:
        serve(simulator, host=host, port=port, on_ready=ready)
    except BindError as error:
        text = f"{host} can be reached from other machines; listen on 127.0.0.1, or say --allow-remote."
        raise UsageError("simulator_bind", text, host=host) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise ServiceError(
            "simulator_port", f"Port {port} cannot be opened: {why}. Choose another --port.", port=port, why=why
        ) from error


def _simulator(
    session: Session, script: Path | None, log: Path | None, seed: int | None, *, allow_remote: bool
) -> Simulator:
    """Return a simulator that does not run yet; raises ConfigurationError for a bad script or log."""
    from answerwatch.simulator import ScriptError, Simulator, load_script  # noqa: PLC0415 - keeps --help quick

    try:
        read = None if script is None else load_script(script)
        return Simulator(read, seed, log, allow_remote=allow_remote)
    except ScriptError as error:
        why = session.say.recognised("script_fault", str(error))
        raise ConfigurationError("simulator_script", str(error), why=why) from error
    except OSError as error:
        why = error.strerror or str(error)
        text = f"The log {log} cannot be opened: {why}. Name a file in a folder that exists and can be written."
        raise ServiceError("simulator_log", text, file=str(log), why=why) from error
