"""Settings of a workspace: explicit values, then the environment, then `answerwatch.toml`, then defaults.

`ANSWERWATCH_HOME` names the workspace folder. Every other setting has the same name in the file (`collect_slots`)
and, with the prefix `ANSWERWATCH_`, in the environment (`ANSWERWATCH_COLLECT_SLOTS`).
"""

from __future__ import annotations

import difflib
import getpass
import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from answerwatch.domain.addresses import hide_password
from answerwatch.domain.failures import LONGEST_WAIT_S
from answerwatch.domain.limits import LimitPolicy
from answerwatch.domain.said import Said
from answerwatch.domain.work import (
    CLEAN,
    CLEAN_POLICY,
    COLLECT,
    COLLECT_POLICY,
    DEFAULT_SLOTS,
    LEASE_S,
    POLL_S,
    SIMILARITY_POLICY,
    SWEEP_S,
)
from answerwatch.errors import ConfigurationError
from answerwatch.messages import LANGUAGES

PREFIX = "ANSWERWATCH_"
FILE_NAME = "answerwatch.toml"
FOLDER_NAME = ".answerwatch"
CLOSE = 0.8
"""A name in the environment at least so like one of ours is taken for a slip of the pen."""

_LIMITS = LimitPolicy()

WITHOUT_BROKER = ("local", "sql")
BROKERS = ("amqp", "amqps", "redis", "rediss")
"""Schemes of `engine_url`."""

MOST_HOURS = 876_000
"""Hours of a setting at most: a hundred years."""
LONGEST_S = 86_400
"""Seconds of a setting at most: a day. Moments are counted in microseconds, and infinity is none."""

Positive = Annotated[float, Field(gt=0, le=LONGEST_S)]


def _parts(value: object) -> object:
    """Let a list be written as `60, 120, 240` in the environment."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else value


Wait = Annotated[float, Field(ge=0, le=LONGEST_S)]
Waits = Annotated[tuple[Wait, ...], NoDecode, BeforeValidator(_parts), Field(min_length=1)]


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (OSError, KeyError, ValueError) as error:
        text = "is no known time zone; use a name such as Asia/Shanghai"
        raise ValueError(Said("setting_zone", text)) from error
    return name


def _known_language(name: str) -> str:
    if name and name not in LANGUAGES:
        text = f"is no language of the messages; use {' or '.join(LANGUAGES)}, or leave it empty"
        raise ValueError(Said("setting_language", text, known="、".join(LANGUAGES)))
    return name


_RABBITMQ_PATH = re.compile("/?[^/]*")
_REDIS_PATH = re.compile(r"/?[0-9]*", re.ASCII)


def _known_engine(url: str) -> str:
    if url in WITHOUT_BROKER:
        return url
    parts = urlsplit(url)
    if parts.scheme not in BROKERS or not parts.netloc:
        text = "is no engine; use local, sql, amqp://HOST/VHOST (or amqps) or redis://HOST/NUMBER (or rediss)"
        raise ValueError(Said("setting_engine", text))
    # The libraries would take another database or virtual host than the one that is written, and say nothing.
    if parts.scheme.startswith("redis") and not _REDIS_PATH.fullmatch(parts.path):
        text = "names a database of Redis that is no number; write redis://HOST/0, and / in a password as %2F"
        raise ValueError(Said("setting_redis_database", text))
    if parts.scheme.startswith("amqp") and not _RABBITMQ_PATH.fullmatch(parts.path):
        text = "has a / in the name of the virtual host; write it as %2F, in a password too"
        raise ValueError(Said("setting_vhost", text))
    return url


def _or_none(value: object) -> object:
    """Return None for the word `none`, as files and the environment cannot say it otherwise."""
    return None if isinstance(value, str) and value.strip().lower() == "none" else value


class Settings(BaseSettings):
    """All settings; frozen. Addresses left empty lie inside the workspace folder."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", env_prefix=PREFIX, env_ignore_empty=True)

    home: Path
    """The workspace folder."""
    database_url: str = ""
    """`sqlite:///...`, `postgresql+psycopg://...` or `mysql+pymysql://...`."""
    engine_url: Annotated[str, AfterValidator(_known_engine)] = "local"
    """What wakes workers: `local` and `sql` look at the database every `poll_s`; `amqp://...` (RabbitMQ) and
    `redis://...` are told of new work, and look every `sweep_s` besides."""
    objects_url: str = ""
    """Where raw answers are kept: `file:///...`."""
    language: Annotated[str, AfterValidator(_known_language)] = ""
    """Language of messages; empty: the terminal's."""
    time_zone: Annotated[str, AfterValidator(_known_zone)] = "Asia/Shanghai"
    """For days in reports and for moments that are shown."""
    actor: str = ""
    """Who is named in histories and the audit; empty: the name of the operating system's user."""
    collect_slots: Annotated[int, Field(ge=1, le=5000)] = DEFAULT_SLOTS[COLLECT]
    """Calls in flight at most in one process."""
    clean_slots: Annotated[int, Field(ge=1, le=1000)] = DEFAULT_SLOTS[CLEAN]
    """Answers that are cleaned at a time."""
    relevance_scorer: Annotated[str | None, BeforeValidator(_or_none)] = "lexical"
    """Scorer that tells whether an answer belongs to its question (`similarity scorers`); `none`: nobody asks."""
    similarity_memory_h: Annotated[Annotated[float, Field(ge=0, le=MOST_HOURS)] | None, BeforeValidator(_or_none)] = (
        24.0
    )
    """Hours for which vectors and scores of pairs are used again in other jobs; `none`: for ever."""
    brands_together: Annotated[int, Field(ge=1, le=1000)] = 1
    """Brands whose batches take turns on one platform at the same time; 1: one after another."""
    lease_s: Positive = LEASE_S
    """After so many seconds without a sign of life somebody else takes over the work."""
    poll_s: Positive = POLL_S
    """How often the ledger is looked at when nothing wakes the process."""
    sweep_s: Positive = SWEEP_S
    """How often expired leases, time-outs and stuck tasks are looked for."""
    collect_waits_s: Waits = COLLECT_POLICY.delays_s
    """Waits before the retries of a failed call, unless the platform says how long."""
    collect_retries: Annotated[int, Field(ge=0, le=20)] = COLLECT_POLICY.max_retries
    """Retries of a failed call at most; the last wait holds for those beyond the list."""
    clean_waits_s: Waits = CLEAN_POLICY.delays_s
    """Waits before the retries of a failed cleaning."""
    clean_retries: Annotated[int, Field(ge=0, le=20)] = CLEAN_POLICY.max_retries
    """Retries of a failed cleaning at most."""
    similarity_waits_s: Waits = SIMILARITY_POLICY.delays_s
    """Waits before the retries of a unit or block whose scorer failed, unless its server says how long."""
    similarity_retries: Annotated[int, Field(ge=0, le=5)] = SIMILARITY_POLICY.max_retries
    """Retries of such a unit or block at most; the last wait holds for those beyond the list."""
    longest_wait_s: Annotated[float, Field(gt=0, le=LONGEST_WAIT_S)] = _LIMITS.longest_wait_s
    """What a platform may ask us to wait at most; the rests of a breaker grow up to here too."""
    faults_to_open: Annotated[int, Field(ge=1)] = _LIMITS.faults_to_open
    """Faults of the connection in a row after which a platform rests."""
    open_s: Positive = _LIMITS.open_s
    """How long it rests at first."""
    probe_parked_s: Positive = _LIMITS.probe_parked_s
    """How often a parked platform (key, account, our own set-up) is tried with a single call."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take explicit values only: `load` merges the sources itself, so that each value's origin is known."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


class Origin(StrEnum):
    """Where the value of a setting comes from."""

    EXPLICIT = "explicit"
    """Given by the caller or on the command line."""
    ENVIRONMENT = "environment"
    FILE = "file"
    """`answerwatch.toml` of the workspace."""
    DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Settings with the origin of every value."""

    settings: Settings
    origins: Mapping[str, Origin]
    file: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingView:
    """One setting as it is shown: secrets hidden."""

    key: str
    value: str
    origin: Origin
    variable: str
    """Name of the environment variable that sets it."""


def load(
    home: Path | None = None,
    explicit: Mapping[str, object] = MappingProxyType({}),
    *,
    environ: Mapping[str, str] | None = None,
) -> Loaded:
    """Return the settings of a workspace; values of None in `explicit` count as not given.

    Raises ConfigurationError naming the key and where it stands.
    """
    environ = os.environ if environ is None else environ
    folder, origin = find_home(home, environ)
    file = folder / FILE_NAME
    given = {key: value for key, value in explicit.items() if value is not None}
    from_environ = _from_environ(environ)
    from_file = _from_file(file)
    values: dict[str, Any] = {**from_file, **from_environ, **given, "home": folder}
    origins = {
        **dict.fromkeys(Settings.model_fields, Origin.DEFAULT),
        **dict.fromkeys(from_file, Origin.FILE),
        **dict.fromkeys(from_environ, Origin.ENVIRONMENT),
        **dict.fromkeys(given, Origin.EXPLICIT),
        "home": origin,
    }
    _refuse_unknown(given, _CALL)
    try:
        settings = Settings(**values)
    except ValidationError as error:
        raise _bad_value(error, origins, file) from error
    return Loaded(settings=_filled(settings), origins=origins, file=file)


def find_home(home: Path | None, environ: Mapping[str, str]) -> tuple[Path, Origin]:
    """Return the folder: given, ANSWERWATCH_HOME, `./.answerwatch` if it is there, else the user's data folder."""
    if home is not None:
        return home.expanduser().absolute(), Origin.EXPLICIT
    if named := environ.get(PREFIX + "HOME", "").strip():
        return Path(named).expanduser().absolute(), Origin.ENVIRONMENT
    here = Path.cwd() / FOLDER_NAME
    return (here if here.is_dir() else user_data_folder(environ)), Origin.DEFAULT


def user_data_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder for a user's data by the customs of the operating system."""
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "answerwatch"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "answerwatch"
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "answerwatch"


def show(loaded: Loaded) -> tuple[SettingView, ...]:
    """Return every setting with its origin; passwords in addresses are hidden."""
    return tuple(
        SettingView(
            key=key,
            value=_shown(key, getattr(loaded.settings, key)),
            origin=loaded.origins[key],
            variable=PREFIX + key.upper(),
        )
        for key in Settings.model_fields
    )


def _filled(settings: Settings) -> Settings:
    """Return the settings with the addresses that depend on the folder."""
    home = settings.home
    return settings.model_copy(
        update={
            "database_url": settings.database_url or f"sqlite:///{home / 'answerwatch.db'}",
            "objects_url": settings.objects_url or (home / "objects").as_uri(),
            "actor": settings.actor or _user(),
        }
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without a name for its user
        return "local"


def _from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    for name in environ:
        key = name.removeprefix(PREFIX).lower()
        if name.startswith(PREFIX) and key not in Settings.model_fields and (near := _nearest(key)):
            text = f"The environment variable {name} is unknown; {PREFIX}{near.upper()} may be meant."
            raise ConfigurationError(
                "setting_unknown", text, key=name, place=Said("place_environment", "the environment"), near=near
            )
    source = EnvSettingsSource(Settings)
    source.env_vars = {name.lower(): value for name, value in environ.items()}
    return {key: value for key, value in source().items() if key != "home"}


def _from_file(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        text = f"{file} cannot be read: {error.strerror}."
        raise ConfigurationError("settings_file", text, file=str(file), why=str(error.strerror)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        text = f"{file} is not TOML in UTF-8: {error}."
        raise ConfigurationError("settings_file", text, file=str(file), why=str(error)) from error
    _refuse_unknown(values, str(file))
    if "home" in values:
        text = f"{file}: home cannot be set in the folder itself; use {PREFIX}HOME."
        raise ConfigurationError("setting_home", text, file=str(file))
    return values


def _refuse_unknown(values: Mapping[str, object], place: str) -> None:
    for key in values:
        if key not in Settings.model_fields:
            near = _nearest(key, cutoff=0.5)
            hint = f"{near} may be meant." if near else f"known are {', '.join(Settings.model_fields)}."
            text = f"The setting {key!r} in {place} is unknown; {hint}"
            raise ConfigurationError("setting_unknown", text, key=key, place=place, near=near)


def _nearest(key: str, cutoff: float = CLOSE) -> str:
    found = difflib.get_close_matches(key, Settings.model_fields, n=1, cutoff=cutoff)
    return found[0] if found else ""


_CALL = Said("place_call", "the call")


def _bad_value(error: ValidationError, origins: Mapping[str, Origin], file: Path) -> ConfigurationError:
    first = error.errors()[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    origin = origins.get(key, Origin.EXPLICIT)
    variable = f"{PREFIX}{key.upper()}"
    place = {
        Origin.FILE: str(file),
        Origin.ENVIRONMENT: Said("place_variable", f"the environment variable {variable}", variable=variable),
    }.get(origin, _CALL)
    why = _why(first)
    text = f"The setting {key} in {place} has an unusable value {_shown(key, first['input'])}: {why}."
    return ConfigurationError("setting_value", text, key=key, place=place, why=why)


def _why(found: ErrorDetails) -> str:
    """Return what is wrong with a value: in the words of our own checks, which can be translated, or in pydantic's."""
    raised = found.get("ctx", {}).get("error")
    ours = raised.args[0] if isinstance(raised, ValueError) and raised.args else None
    return ours if isinstance(ours, Said) else found["msg"].removeprefix("Value error, ")


def _shown(key: str, value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{part:g}" for part in value)
    if isinstance(value, float):
        return f"{value:g}"
    return hide_password(value) if isinstance(value, str) and key.endswith("_url") else str(value)
