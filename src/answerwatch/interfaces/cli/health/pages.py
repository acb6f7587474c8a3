"""What the two pages of `--health` say."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from answerwatch import __version__
from answerwatch.interfaces.cli.health.server import Answer, Pages
from answerwatch.interfaces.cli.session import Session

if TYPE_CHECKING:
    from answerwatch.workspace.health.readiness import Readiness
    from answerwatch.workspace.running.crew import Member

SILENT_S = 5.0
"""A loop without a sign of life for so long hangs: it gives two a second, and a busy machine may forget some."""


def pages(session: Session, members: Callable[[], tuple[Member, ...]], readiness: Readiness) -> Pages:
    """Return the pages about some processes and what they need."""
    return {"/healthz": lambda: _health(members()), "/readyz": lambda: _ready(session, readiness)}


def _health(members: tuple[Member, ...]) -> Answer:
    states = [_state(member) for member in members]
    return Answer(
        all(state == "alive" for state in states),
        {
            "healthy": all(state == "alive" for state in states),
            "version": __version__,
            "pid": os.getpid(),
            "processes": [_process(member, state) for member, state in zip(members, states, strict=True)],
        },
    )


def _state(member: Member) -> str:
    if member.pid is None:
        return "died"
    if member.silent_s is None:
        return "starting"
    return "alive" if member.silent_s <= SILENT_S else "silent"


def _process(member: Member, state: str) -> dict[str, object]:
    return {
        "number": member.number,
        "state": state,
        "pid": member.pid,
        "since": None if member.since is None else member.since.isoformat(timespec="seconds"),
        "restarts": member.restarts,
        "in_hand": member.in_hand,
        "silent_s": None if member.silent_s is None else round(member.silent_s, 1),
    }


def _ready(session: Session, readiness: Readiness) -> Answer:
    faults = readiness.faults()
    reasons = [f"{session.word('check', fault.check)}: {session.say.translated(fault.why)}" for fault in faults]
    return Answer(not faults, {"ready": not faults, "reasons": reasons})
