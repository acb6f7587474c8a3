"""`answerwatch batch ...`: plan, run and look after batches."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.domain.batches import DEFAULT_ROUNDS, Window
from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.batches.ending import finish
from answerwatch.interfaces.cli.batches.tables import (
    BATCHES,
    show_detail,
    show_group,
    show_plan,
    show_progress,
    show_recollections,
)
from answerwatch.interfaces.cli.exit_codes import DONE, INTERRUPTED
from answerwatch.interfaces.cli.options import SHOWN, AsJson, Limit, Platforms, Scenes
from answerwatch.interfaces.cli.running.following import followed
from answerwatch.interfaces.cli.running.interrupts import Interrupts
from answerwatch.interfaces.cli.running.progress import shown_progress
from answerwatch.interfaces.cli.session import opened, session_of

if TYPE_CHECKING:
    from answerwatch.workspace.batches.views import BatchRequest

app = typer.Typer()

Brands = Annotated[list[str] | None, typer.Option("--brand", help="option.focal_brand")]
AllBrands = Annotated[bool, typer.Option("--all-brands", help="option.all_brands")]
SplitScenes = Annotated[bool, typer.Option("--split-scenes", help="option.split_scenes")]
TimeWindow = Annotated[str | None, typer.Option("--window", metavar="N/MIN", help="option.time_window")]
Questions = Annotated[list[str] | None, typer.Option("--question", metavar="ID", help="option.question_ids")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, help="option.rounds")]
Timeout = Annotated[float | None, typer.Option("--timeout", metavar="MINUTES", min=0.01, help="option.timeout")]
Group = Annotated[str | None, typer.Option("--group", metavar="GROUP", help="option.group")]
BatchOrGroup = Annotated[str, typer.Argument(metavar="BATCH", help="option.batch_or_group")]
Priority = Annotated[int, typer.Option("--priority", min=0, max=1, help="option.priority")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="option.recollect_dry")]
Force = Annotated[bool, typer.Option("--force", help="option.force")]
Key = Annotated[str | None, typer.Option("--idempotency-key", metavar="KEY", help="option.idempotency_key")]


@app.command("plan", help="help.batch.plan")
def plan(
    context: typer.Context,
    *,
    platform: Platforms,
    brand: Brands = None,
    all_brands: AllBrands = False,
    scene: Scenes = None,
    question: Questions = None,
    split_scenes: SplitScenes = False,
    window: TimeWindow = None,
    rounds: Rounds = DEFAULT_ROUNDS,
    timeout: Timeout = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show what a batch would do."""
    session = session_of(context)
    request = _request(
        brand,
        platform,
        all_brands=all_brands,
        split_scenes=split_scenes,
        window=window,
        scenes=scene,
        questions=question,
        rounds=rounds,
        timeout=timeout,
        force=force,
        key=None,
    )
    with opened(session) as workspace:
        planned = workspace.batches.plan(request)
    if as_json:
        session.terminal.json(planned)
    else:
        show_plan(session, planned)


@app.command("create", help="help.batch.create")
def create(
    context: typer.Context,
    *,
    platform: Platforms,
    brand: Brands = None,
    all_brands: AllBrands = False,
    scene: Scenes = None,
    question: Questions = None,
    split_scenes: SplitScenes = False,
    window: TimeWindow = None,
    rounds: Rounds = DEFAULT_ROUNDS,
    timeout: Timeout = None,
    priority: Priority = 0,
    force: Force = False,
    idempotency_key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Create batches without working on them."""
    session = session_of(context)
    request = _request(
        brand,
        platform,
        all_brands=all_brands,
        split_scenes=split_scenes,
        window=window,
        scenes=scene,
        questions=question,
        rounds=rounds,
        timeout=timeout,
        priority=priority,
        force=force,
        key=idempotency_key,
    )
    with opened(session) as workspace:
        made = workspace.batches.create(request)
    BATCHES.show(session, made, as_json=as_json)
    if len(made) > 1:
        session.remark("batch.grouped", group=made[0].group_id)


@app.command("run", help="help.batch.run")
def run(
    context: typer.Context,
    *,
    platform: Platforms,
    brand: Brands = None,
    all_brands: AllBrands = False,
    scene: Scenes = None,
    question: Questions = None,
    split_scenes: SplitScenes = False,
    window: TimeWindow = None,
    rounds: Rounds = DEFAULT_ROUNDS,
    timeout: Timeout = None,
    priority: Priority = 0,
    force: Force = False,
    idempotency_key: Key = None,
    as_json: AsJson = False,
) -> int:
    """Create batches and work on them until they are done."""
    session = session_of(context)
    request = _request(
        brand,
        platform,
        all_brands=all_brands,
        split_scenes=split_scenes,
        window=window,
        scenes=scene,
        questions=question,
        rounds=rounds,
        timeout=timeout,
        priority=priority,
        force=force,
        key=idempotency_key,
    )
    with opened(session) as workspace:
        outcome, stopped = followed(session, partial(workspace.batches.run, request))
    return finish(session, outcome, as_json=as_json, stopped=stopped)


@app.command("resume", help="help.batch.resume")
def resume(context: typer.Context, batch: BatchOrGroup, *, as_json: AsJson = False) -> int:
    """Go on with a paused or interrupted batch until it is done."""
    session = session_of(context)
    with opened(session) as workspace:
        outcome, stopped = followed(session, partial(workspace.batches.resume, batch))
    return finish(session, outcome, as_json=as_json, stopped=stopped)


@app.command("list", help="help.batch.list")
def list_(context: typer.Context, *, group: Group = None, limit: Limit = SHOWN, as_json: AsJson = False) -> None:
    """List batches, the newest first."""
    session = session_of(context)
    with opened(session) as workspace:
        BATCHES.show(session, workspace.batches.list(group=group, limit=limit), as_json=as_json)


@app.command("show", help="help.batch.show")
def show(context: typer.Context, batch: BatchOrGroup, *, as_json: AsJson = False) -> None:
    """Show one batch with what failed and why."""
    session = session_of(context)
    with opened(session) as workspace:
        if workspace.batches.is_group(batch):
            show_group(session, workspace.batches.group(batch), as_json=as_json)
            return
        detail = workspace.batches.show(batch)
    if as_json:
        session.terminal.json(detail)
    else:
        show_detail(session, detail)


@app.command("status", help="help.batch.status")
def status(context: typer.Context, batch: BatchOrGroup, *, as_json: AsJson = False) -> None:
    """Show how far a batch is."""
    session = session_of(context)
    with opened(session) as workspace:
        if workspace.batches.is_group(batch):
            show_group(session, workspace.batches.group(batch), as_json=as_json)
            return
        progress = workspace.batches.status(batch)
    if as_json:
        session.terminal.json(progress)
    else:
        show_progress(session, progress)


@app.command("watch", help="help.batch.watch")
def watch(context: typer.Context, batch: BatchOrGroup, *, as_json: AsJson = False) -> int:
    """Follow a batch that somebody works on until nothing is left; Ctrl-C ends the watching only."""
    session = session_of(context)
    with opened(session) as workspace, shown_progress(session) as shown, Interrupts() as stop:
        if workspace.batches.is_group(batch):
            group = workspace.batches.watch_group(batch, shown, stop=stop)
            show_group(session, group, as_json=as_json)
        else:
            progress = workspace.batches.watch(batch, shown, stop=stop)
            session.terminal.json(progress) if as_json else show_progress(session, progress)
    return INTERRUPTED if stop.is_set() else DONE


@app.command("pause", help="help.batch.pause")
def pause(context: typer.Context, batch: BatchOrGroup, *, as_json: AsJson = False) -> None:
    """Pause a batch: its clock stops, calls in flight end well."""
    session = session_of(context)
    with opened(session) as workspace:
        workspace.batches.pause(batch)
    session.done("batch.paused", as_json=as_json, batch=batch)


@app.command("cancel", help="help.batch.cancel")
def cancel(context: typer.Context, batch: BatchOrGroup, *, as_json: AsJson = False) -> None:
    """Cancel a batch; what was collected stays."""
    session = session_of(context)
    with opened(session) as workspace:
        workspace.batches.cancel(batch)
    session.done("batch.cancelled", as_json=as_json, batch=batch)


@app.command("recollect", help="help.batch.recollect")
def recollect(
    context: typer.Context,
    batch: BatchOrGroup,
    *,
    dry_run: DryRun = False,
    idempotency_key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Make child batches of what failed."""
    session = session_of(context)
    with opened(session) as workspace:
        if dry_run:
            show_recollections(session, workspace.batches.plan_recollections(batch), as_json=as_json)
            return
        children = workspace.batches.recollect(batch, idempotency_key=idempotency_key)
    if as_json:
        session.terminal.json(children)
        return
    for child in children:
        session.tell("batch.recollected", batch=child.batch_id, calls=child.total, parent=child.parent_batch_id)
    session.tell("batch.recollected_next", batch=children[0].group_id)


def _request(
    brands: list[str] | None,
    platforms: list[str],
    *,
    all_brands: bool,
    split_scenes: bool,
    window: str | None,
    scenes: list[str] | None,
    questions: list[str] | None,
    rounds: int,
    timeout: float | None,
    priority: int = 0,
    force: bool,
    key: str | None,
) -> BatchRequest:
    from answerwatch.workspace.batches.views import BatchRequest  # noqa: PLC0415 - keeps --help quick

    return BatchRequest(
        brands=tuple(brands or ()),
        all_brands=all_brands,
        split_scenes=split_scenes,
        window=None if window is None else _window(window),
        platforms=tuple(platforms),
        scenes=tuple(scenes or ()),
        question_ids=tuple(questions or ()),
        rounds=rounds,
        timeout_s=None if timeout is None else timeout * 60,
        priority=priority,
        force=force,
        idempotency_key=key,
    )


def _window(value: str) -> Window:
    """Read `N/MIN`; raises UsageError for anything else."""
    calls, _, minutes = value.partition("/")
    try:
        return Window(int(calls), float(minutes) * 60)
    except ValueError:
        text = f"The time window {value} cannot be read; write CALLS/MINUTES, such as 200/30."
        raise UsageError("batch_window_unread", text, value=value) from None
