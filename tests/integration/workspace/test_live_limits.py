"""Limits that are changed in `platforms.toml` reach the lanes of running work at the next sweep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from answerwatch.domain.work import collect_lane
from answerwatch.platforms.catalogue import catalogue
from answerwatch.platforms.workspace_file import read_platforms
from answerwatch.simulator import SimulatorThread
from answerwatch.stages.collect.duties import MARK, follow_limits
from answerwatch.store.database import Store
from answerwatch.store.ops import shared_numbers
from answerwatch.store.work import lanes
from answerwatch.workspace import Workspace
from answerwatch.workspace.batches.views import BatchRequest
from answerwatch.workspace.live_platforms import LivePlatforms
from tests.databases import on_every_database

pytestmark = on_every_database

LANE = collect_lane("sim")
FACTOR = 0.5


@pytest.fixture
def running(
    ws: Workspace, bank: Workspace, sim: SimulatorThread, add_platform: Callable[..., None], home: Path
) -> Workspace:
    """A workspace with a batch, whose platform has taught its lane to be slower."""
    add_platform("sim", sim, rate=2, capacity=3)
    bank.batches.create(BatchRequest(brands=("华为",), platforms=("sim",)))
    with bank.store.writing() as tx:
        state = lanes.lock(tx, LANE)
        assert state is not None
        lanes.save(tx, replace(state, factor=FACTOR))
    return bank


def live(file: Path) -> LivePlatforms:
    """The platforms as a worker with this file has them."""
    return LivePlatforms(file, lambda: read_platforms(file, catalogue()))


def sweep(store: Store, platforms: LivePlatforms) -> None:
    store.transact(lambda tx: follow_limits(tx, platforms.limits()))


def rate(store: Store) -> float | None:
    with store.reading() as read:
        (state,) = [one for one in lanes.every(read) if one.lane == LANE]
    assert state.factor == FACTOR, "what the lane has learnt is gone"
    return state.rate


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


def test_a_lane_follows_the_file_and_keeps_what_it_has_learnt(running: Workspace, home: Path) -> None:
    file, store = home / "platforms.toml", running.store
    platforms = live(file)
    sweep(store, platforms)
    first = file.with_name("first.toml")
    first.write_bytes(file.read_bytes())

    change(file, "rate = 2", "rate = 7")
    sweep(store, platforms)
    assert rate(store) == 7
    change(file, "rate = 7", "rate = seven")
    sweep(store, platforms)
    assert rate(store) == 7
    first.replace(file)  # its time of writing is the oldest of all
    sweep(store, platforms)
    assert rate(store) == 2


def test_of_two_workers_with_files_of_their_own_the_one_changed_last_wins(running: Workspace, home: Path) -> None:
    store, theirs = running.store, home / "theirs.toml"
    mine = live(home / "platforms.toml")
    sweep(store, mine)
    theirs.write_bytes((home / "platforms.toml").read_bytes())
    change(theirs, "rate = 2", "rate = 9")
    other = live(theirs)

    sweep(store, other)
    sweep(store, mine)
    sweep(store, other)

    assert rate(store) == 9


def test_a_mark_from_a_clock_that_was_ahead_keeps_no_change_out(running: Workspace, home: Path) -> None:
    store, platforms = running.store, live(home / "platforms.toml")
    with store.writing() as tx:
        shared_numbers.move(tx, MARK, tx.now_us() + 10**12)
    change(home / "platforms.toml", "rate = 2", "rate = 4")
    sweep(store, platforms)

    assert rate(store) == 4


def test_no_lane_is_made_for_a_platform_that_nobody_has_asked(
    running: Workspace, sim: SimulatorThread, add_platform: Callable[..., None], home: Path
) -> None:
    add_platform("other", sim)
    sweep(running.store, live(home / "platforms.toml"))

    with running.store.reading() as read:
        assert [one.lane for one in lanes.every(read)] == [LANE]
