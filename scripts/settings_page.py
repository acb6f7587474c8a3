"""Makes `docs/settings.md`: every setting with its names, its default and what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic.fields import FieldInfo

from answerwatch.messages import LANGUAGES
from answerwatch.settings import FILE_NAME, PREFIX, Settings
from scripts.attribute_docs import attribute_docs

PAGE = Path(__file__).resolve().parent.parent / "docs" / "settings.md"

DEPENDS = {
    "home": "`./.answerwatch`, else the user's data folder",
    "database_url": "`answerwatch.db` in the workspace",
    "objects_url": "`objects/` in the workspace",
    "language": "the terminal's",
    "actor": "the user's name",
}
"""Defaults that are worked out when the workspace is opened."""

CHOICES = {"language": LANGUAGES}
"""Values of settings whose type does not tell them."""

HEAD = f"""\
# Settings

Made by `make docs` from `src/answerwatch/settings.py`; change the text there.

A value comes from the caller or the command line, else from the environment, else from `{FILE_NAME}` in the workspace
folder, else it is the default. `answerwatch config show` tells every value and where it comes from. A name that is not
known, or a value that does not fit, is an error (exit code 3) that says where it stands.

- In the file the key is the name, in the environment it is the name in capitals after `{PREFIX}`: `collect_slots = 100`
  in the file, `{PREFIX}COLLECT_SLOTS=100` in the environment. Lists are `[60, 120]` there and `60, 120` here.
- `home` cannot stand in the file: it says where the file is.
- Keys of platforms are no settings: each platform names the environment variable of its key
  ([platforms.md](platforms.md#keys)).

| setting | environment | default | values | meaning |
|---|---|---|---|---|
"""

EXAMPLE = """
## An example

```toml
# answerwatch.toml
time_zone = "Europe/Berlin"
collect_slots = 200
collect_waits_s = [30, 60, 120, 240]
collect_retries = 4
```
"""


def render() -> str:
    """Return the page; raises LookupError for a setting whose meaning is not told."""
    meanings = attribute_docs(Settings)
    if missing := Settings.model_fields.keys() - meanings.keys():
        raise LookupError(f"say what {sorted(missing)} means in settings.py")
    rows = (_row(name, field, meanings[name]) for name, field in Settings.model_fields.items())
    return HEAD + "".join(rows) + EXAMPLE


def _row(name: str, field: FieldInfo, meaning: str) -> str:
    default = DEPENDS.get(name) or f"`{_plain(field.default)}`"
    return f"| `{name}` | `{PREFIX}{name.upper()}` | {default} | {_values(name, field)} | {meaning} |\n"


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_plain(part) for part in value)}]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _values(name: str, field: FieldInfo) -> str:
    """Return which values there are, in words."""
    if choices := CHOICES.get(name) or _literals(field):
        return ", ".join(f"`{choice}`" for choice in choices)
    kinds: dict[object, str] = {
        Path: "folder",
        str: "text",
        bool: "true or false",
        int: "whole number",
        float: "number",
    }
    kind = kinds.get(field.annotation, "list of numbers")
    return " ".join((kind, *_bounds(field))).strip()


def _literals(field: FieldInfo) -> tuple[str, ...]:
    """Return the values of a choice; none for a field that is free."""
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()


def _bounds(field: FieldInfo) -> Iterable[str]:
    words: tuple[tuple[type, Callable[[object], str]], ...] = (
        (Gt, lambda limit: f"above {getattr(limit, 'gt', '')}"),
        (Ge, lambda limit: f"from {getattr(limit, 'ge', '')}"),
        (Le, lambda limit: f"to {getattr(limit, 'le', '')}"),
    )
    for kind, say in words:
        yield from (say(limit) for limit in field.metadata if isinstance(limit, kind))
