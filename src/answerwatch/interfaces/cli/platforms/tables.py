"""How platforms are shown to people: limits, keys, and which could be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.listing import Listing, yes_no
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN

if TYPE_CHECKING:
    from answerwatch.workspace.platforms import PlatformCheck, PlatformView


def _platform_row(session: Session, platform: PlatformView) -> tuple[object, ...]:
    key = NOT_KNOWN if platform.key_env is None else f"{platform.key_env} ({yes_no(session, platform.key_present)})"
    lane = platform.lane
    state = session.word("lane", "none" if lane is None else lane.breaker)
    limit = f"{platform.rate:g}/s, {platform.capacity}, {platform.in_flight}"
    return platform.name, platform.model, limit, key, yes_no(session, platform.collectable), state


PLATFORMS: Listing[PlatformView] = Listing(
    columns=("platform", "model", "limits", "key", "collectable", "lane_state"), row=_platform_row, whole=(0,)
)


def _check_row(session: Session, check: PlatformCheck) -> tuple[object, ...]:
    return check.platform, session.word("grade", "ok" if check.ok else "fail"), check.problem, check.fix


CHECKS: Listing[PlatformCheck] = Listing(columns=("platform", "grade", "problem", "fix"), row=_check_row)
