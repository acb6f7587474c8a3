"""Examines every configured service and says what to do about what is wrong."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.addresses import hide_password
from answerwatch.domain.said import Said
from answerwatch.errors import AnswerwatchError
from answerwatch.settings import WITHOUT_BROKER
from answerwatch.store.batch import batches, counters
from answerwatch.store.clean import cleaning_tasks
from answerwatch.store.database import Read
from answerwatch.store.ops import alerts, shared_numbers
from answerwatch.workspace.health import servers
from answerwatch.workspace.health.reach import keeps_bytes
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.platforms import PlatformDesk


class Grade(StrEnum):
    """How good a check's result is."""

    OK = "ok"
    WARN = "warn"
    """Works, but somebody should look."""
    FAIL = "fail"
    """Does not work."""
    NOT_MADE = "not_made"
    """Nobody knows: it could not be looked at, because something that comes before does not work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of `doctor`, with the fix."""

    name: str
    """Stable word: `folder`, `database`, `server`, `revision`, `objects`, `disk`, `clock`, `platforms`, `lanes`, ..."""
    grade: Grade
    message: Said
    fix: Said | None
    """What to do; None where nothing is wrong, or nothing was looked at."""


LITTLE_SPACE = 1 << 30
"""Bytes below which somebody should look."""
NO_SPACE = 100 << 20
CLOCK_TOLERANCE_S = 1.0
RECOUNTED = 20
"""Newest batches whose counters are counted again."""


class Look(NamedTuple):
    """How one thing is looked at."""

    name: str
    find: Callable[[Parts], Iterator[Check]]
    needs: tuple[str, ...] = ()
    """Names of earlier looks without which this one would only fail like them, and wait as long."""


def examine(parts: Parts) -> tuple[Check, ...]:
    """Return all checks in the order in which problems are best solved; one that fails stops those that need it."""
    found: list[Check] = []
    causes: dict[str, str] = {}
    for look in LOOKS:
        cause = next((causes[name] for name in look.needs if name in causes), None)
        checks = _made(look, parts) if cause is None else [_not_made(look.name, cause)]
        if cause is not None or any(check.grade is Grade.FAIL for check in checks):
            causes[look.name] = cause or look.name
        found += checks
    return tuple(found)


def _made(look: Look, parts: Parts) -> list[Check]:
    try:
        return list(look.find(parts))
    except AnswerwatchError as error:
        return [Check(name=look.name, grade=Grade.FAIL, message=Said.of_error(error), fix=_fix_of(look.name))]


def _not_made(name: str, cause: str) -> Check:
    message = Said("check_not_made", f"first mend: {cause}", cause=Said.word("check", cause))
    return Check(name=name, grade=Grade.NOT_MADE, message=message, fix=None)


def _fix_of(name: str) -> Said:
    reach = "run `answerwatch init`, or set ANSWERWATCH_DATABASE_URL to a database that can be reached"
    upgrade = "run `answerwatch init` for a new workspace, `answerwatch db upgrade` for an old one"
    return {
        "database": Said("fix_database", reach),
        "revision": Said("fix_revision", upgrade),
        "platforms": Said("fix_platforms", "correct platforms.toml, or secrets.env beside it"),
    }.get(name, Said("fix_told", "see what was found"))


def _ok(name: str, message: Said) -> Check:
    return Check(name=name, grade=Grade.OK, message=message, fix=None)


def _at(place: object) -> Said:
    return Said("check_place", str(place), place=place)


def _folder(parts: Parts) -> Iterator[Check]:
    home = parts.home
    if not home.is_dir():
        gone = Said("folder_gone", f"{home} does not exist", folder=home)
        yield Check(name="folder", grade=Grade.FAIL, message=gone, fix=Said("fix_init", "run `answerwatch init`"))
    elif stat.S_IMODE(home.stat().st_mode) & 0o077:
        message = Said("folder_open", f"{home} can be read by other users of this machine", folder=home)
        fix = Said("fix_folder", f"chmod 700 {home}", folder=home)
        yield Check(name="folder", grade=Grade.WARN, message=message, fix=fix)
    else:
        yield _ok("folder", _at(home))


def _database(parts: Parts) -> Iterator[Check]:
    store = parts.unchecked_store
    with store.reading() as read:
        read.now_us()
    yield _ok("database", _at(hide_password(store.url)))


def _server(parts: Parts) -> Iterator[Check]:
    for message, fix in servers.find(parts):
        yield Check(name="server", grade=Grade.OK if fix is None else Grade.WARN, message=message, fix=fix)


def _revision(parts: Parts) -> Iterator[Check]:
    parts.store()
    yield _ok("revision", Said("revision_right", "the database has the revision that this version needs"))


def _writing(parts: Parts) -> Iterator[Check]:
    with parts.store().writing() as tx:
        shared_numbers.move(tx, "doctor", tx.now_us())
        tx.connection.rollback()
    yield _ok("writing", Said("database_writable", "the database can be written"))


def _broker(parts: Parts) -> Iterator[Check]:
    url = parts.settings.engine_url
    if url not in WITHOUT_BROKER:
        from answerwatch.engine.carriers.brokers import kind_of, refuse_unusable  # noqa: PLC0415 - most have no broker
        from answerwatch.engine.carriers.dramatiq import NAMESPACE  # noqa: PLC0415 - the same

        refuse_unusable(kind_of(url, NAMESPACE))  # not by the carrier, which is made with the database
        yield _ok("broker", _at(hide_password(url)))


def _objects(parts: Parts) -> Iterator[Check]:
    if keeps_bytes(parts.objects):
        yield _ok("objects", _at(hide_password(parts.settings.objects_url)))
    else:
        message = Said("objects_changed", "what was put into the object store came back changed")
        fix = Said("fix_objects", "check the store at ANSWERWATCH_OBJECTS_URL")
        yield Check(name="objects", grade=Grade.FAIL, message=message, fix=fix)


def _disk(parts: Parts) -> Iterator[Check]:
    free = shutil.disk_usage(_existing(parts.home)).free
    size = f"{free / (1 << 30):.1f} GiB"
    message = Said("disk_free", f"{size} are free", size=size)
    if free >= LITTLE_SPACE:
        yield _ok("disk", message)
        return
    grade = Grade.FAIL if free < NO_SPACE else Grade.WARN
    fix = Said("fix_disk", f"free some space on the disk of {parts.home}", folder=parts.home)
    yield Check(name="disk", grade=grade, message=message, fix=fix)


def _existing(path: Path) -> Path:
    return path if path.exists() else _existing(path.parent)


def _clock(parts: Parts) -> Iterator[Check]:
    with parts.unchecked_store.reading() as read:
        apart = abs(read.now_us() - round(parts.clock.now().timestamp() * MICROSECONDS)) / MICROSECONDS
    if apart <= CLOCK_TOLERANCE_S:
        yield _ok("clock", Said("clocks_agree", "this machine and the database agree on the time"))
    else:
        text = f"the clocks of this machine and of the database are {apart:.1f} s apart"
        message = Said("clocks_differ", text, seconds=f"{apart:.1f}")
        fix = Said("fix_clock", "let both follow a time server")
        yield Check(name="clock", grade=Grade.WARN, message=message, fix=fix)


def _platforms(parts: Parts) -> Iterator[Check]:
    checks = PlatformDesk(parts).check()
    if not checks:
        message = Said("platforms_none", "no platform is configured; only imported answers can be cleaned")
        fix = Said("fix_platform_none", f"add one to {parts.platforms_file}", file=parts.platforms_file)
        yield Check(name="platforms", grade=Grade.WARN, message=message, fix=fix)
    for one in checks:
        if one.ok:
            yield _ok("platforms", Said("platform_ready", f"{one.platform} can be asked", platform=one.platform))
        else:
            text = f"{one.platform} cannot be asked: {one.problem}"
            message = Said("platform_unready", text, platform=one.platform, problem=one.problem)
            yield Check(name="platforms", grade=Grade.FAIL, message=message, fix=one.fix)


def _cleaning(parts: Parts) -> Iterator[Check]:
    with parts.store().reading() as read:
        stuck = cleaning_tasks.count_stuck(read, parts.clock.now())
    if stuck:
        message = Said("cleaning_stuck", f"{stuck} clean tasks are stuck", count=stuck)
        fix = Said("fix_stuck", "run `answerwatch clean stuck`")
        yield Check(name="cleaning", grade=Grade.WARN, message=message, fix=fix)
    else:
        yield _ok("cleaning", Said("cleaning_moves", "no clean task is stuck"))


def _counters(parts: Parts) -> Iterator[Check]:
    with parts.store().reading() as read:
        wrong = list(_inexact(read))
    for batch_id in wrong:
        message = Said("counters_differ", f"the counters of {batch_id} differ from its rows", batch=batch_id)
        fix = Said("fix_counters", "report this as a fault of answerwatch")
        yield Check(name="counters", grade=Grade.FAIL, message=message, fix=fix)
    if not wrong:
        yield _ok("counters", Said("counters_right", "the counters of the newest batches equal their rows"))


def _inexact(read: Read) -> Iterator[str]:
    for batch in batches.find(read, batches.Wanted(most=RECOUNTED)):
        recount = counters.recount(read, batch.batch_id)
        if recount is not None and not recount.exact:
            yield batch.batch_id


def _alerts(parts: Parts) -> Iterator[Check]:
    with parts.store().reading() as read:
        count = alerts.count_open(read)
        waiting = alerts.every(read, most=1)
    if not waiting:
        yield _ok("alerts", Said("alerts_none", "no alert is open"))
        return
    newest = waiting[0].message
    message = Said("alerts_open", f"{count} alerts are open, the newest: {newest}", count=count, newest=newest)
    fix = Said("fix_alerts", "see `answerwatch alerts list`")
    yield Check(name="alerts", grade=Grade.WARN, message=message, fix=fix)


LOOKS: tuple[Look, ...] = (
    Look("folder", _folder),
    Look("database", _database),
    Look("server", _server, needs=("database",)),
    Look("revision", _revision, needs=("folder", "database")),
    Look("writing", _writing, needs=("revision",)),
    Look("broker", _broker),
    Look("objects", _objects, needs=("folder",)),
    Look("disk", _disk),
    Look("clock", _clock, needs=("database",)),
    Look("platforms", _platforms),
    Look("cleaning", _cleaning, needs=("revision",)),
    Look("counters", _counters, needs=("revision",)),
    Look("alerts", _alerts, needs=("revision",)),
)
"""All looks, in the order in which they are shown."""
