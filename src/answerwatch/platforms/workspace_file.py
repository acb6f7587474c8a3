"""The platforms of a workspace: `platforms.toml`, read, checked, resolved against the catalogue, and added to.

```toml
[platforms.deepseek]              # a platform of the catalogue needs no more than its name
rate = 5
capacity = 10

[platforms.my-model]              # anything else: at least an address and a model
base_url = "http://127.0.0.1:8000/v1"
model = "qwen3-8b"
in_flight = 4
```

Keys are the fields of `records.Surface`, plus `based_on`: the platform of the catalogue whose values fill the gaps
(without it the one of the same name, else `openai_compatible`). `key_env = ""` says that no key is needed.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from answerwatch.domain.said import Said
from answerwatch.errors import ConfigurationError, UsageError
from answerwatch.platforms.catalogue import GENERIC, Catalogue
from answerwatch.platforms.fields import NAME, READERS, WrongField, nearest
from answerwatch.platforms.names import LONGEST_NAME, canonical, split
from answerwatch.platforms.reach import is_loopback, is_private
from answerwatch.platforms.records import Surface, SurfaceKind

FILE_NAME = "platforms.toml"
_BASED_ON = "based_on"
_KEYS = (*READERS, _BASED_ON)


@dataclass(frozen=True, slots=True)
class Platforms:
    """The platforms of a workspace, found by any of their names."""

    surfaces: Mapping[str, Surface]
    """By platform id, in the order of the file."""
    catalogue: Catalogue
    aliases: Mapping[str, str]
    """Case-folded other name -> product, or platform id of this workspace."""

    def all(self) -> tuple[Surface, ...]:
        """Return every platform, in the order of the file."""
        return tuple(self.surfaces.values())

    def get(self, name: str) -> Surface:
        """Return the platform that a name leads to.

        Raises UsageError that lists the names of the workspace, and says how to add one that the catalogue knows.
        """
        surface = self.surfaces.get(canonical(name, self.aliases))
        if surface is not None:
            return surface
        known = list(self.surfaces)
        if not known:
            text = (
                f"Platform {name!r} is not in this workspace, which has none yet; add one with `answerwatch platforms "
                f"add NAME`, `answerwatch platforms list --catalogue` shows those that are known."
            )
            raise UsageError("platform_none", text, name=name)
        text = f"Platform {name!r} is not in this workspace; {_offer(name, known)}"
        offered = self.catalogue.find(name)
        if offered is not None:
            text += f" To use the {offered.title_en} of the catalogue, add [platforms.{offered.name}] to {FILE_NAME}."
        raise UsageError("platform_unknown", text, name=name, known=", ".join(known))


def read_platforms(path: Path, catalogue: Catalogue) -> Platforms:
    """Return the platforms of a workspace; a file that is not there means none.

    Raises ConfigurationError naming file, table and key.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        document = {}
    except OSError as error:
        why = str(error.strerror)
        raise _wrong(path, Said("file_unreadable", f"cannot be read: {why}", why=why)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(path, Said("file_no_toml", f"is not TOML in UTF-8: {error}", why=str(error))) from error
    extra = [key for key in document if key != "platforms"]
    if extra:
        text = f"has the unknown table [{extra[0]}]; platforms stand in tables [platforms.NAME]"
        raise _wrong(path, Said("file_table", text, table=extra[0]))
    tables = document.get("platforms", {})
    if not isinstance(tables, dict):
        raise _wrong(path, Said("file_no_table", "has a value named platforms; write tables [platforms.NAME]"))
    return _joined(path, [_surface(path, name, table, catalogue) for name, table in tables.items()], catalogue)


def add_platform(path: Path, name: str, values: Mapping[str, object], catalogue: Catalogue) -> Surface:
    """Append a platform to the file and return it; what stands in the file, comments too, is kept.

    Raises UsageError when the name is taken or the values are wrong, ConfigurationError when the file is; nothing is
    written then.
    """
    try:
        surface = _surface(path, name, dict(values), catalogue)
    except ConfigurationError as error:
        raise _refused(name, error.facts["what"], catalogue) from error
    if surface.name in read_platforms(path, catalogue).surfaces:
        text = f"Platform {surface.name} is already in {path}; change it there, or choose another name."
        raise UsageError("platform_taken", text, name=surface.name, file=str(path))
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    gap = "\n" if before and not before.endswith("\n\n") else ""
    _replace_file(path, before + gap + render(name, values))
    return surface


def _refused(name: str, what: object, catalogue: Catalogue) -> UsageError:
    """Return the error of values with which a platform cannot be added."""
    if catalogue.find(name) is not None:
        return UsageError("platform_values", f"Platform {name!r} cannot be added: {what}.", name=name, what=what)
    known = list(catalogue.surfaces)
    near = ", ".join(get_close_matches(name, known, n=3) or known)
    text = (
        f"Platform {name!r} is not in the catalogue and cannot be added: {what}. "
        f"The catalogue has {near}; any other needs --base-url and --model."
    )
    return UsageError("platform_strange", text, name=name, what=what, near=near)


def render(name: str, values: Mapping[str, object]) -> str:
    """Return one platform as a TOML table.

    >>> print(render("my-model", {"rate": 2, "model": "m"}), end="")
    [platforms.my-model]
    rate = 2
    model = "m"
    """
    quoted = json.dumps(name) if "." in name else name
    return "\n".join((f"[platforms.{quoted}]", *(f"{key} = {_toml(value)}" for key, value in values.items()), ""))


def _offer(name: str, known: list[str]) -> str:
    """Return what to choose instead of an unknown name: the nearest, and all there are."""
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}known are {', '.join(known)}."


def _surface(path: Path, name: str, table: object, catalogue: Catalogue) -> Surface:
    """Return one platform of the file."""
    where = f"[platforms.{name}]"
    if not isinstance(table, dict):
        raise _wrong(path, Said("platform_no_table", f"{where} must be a table", where=where))
    own = catalogue.canonical(name)
    kind = _kind(path, where, own)
    values = dict(table)
    base = _base(path, where, own, values.pop(_BASED_ON, None), catalogue)
    fields: dict[str, Any] = {key: _read(path, where, key, value) for key, value in values.items()}
    fields["rules"] = (*fields.get("rules", ()), *base.rules)
    surface = replace(base, **fields, name=own, product=split(own)[0], kind=kind, search_asked=kind.searches)
    _check(path, where, surface)
    return surface


def _kind(path: Path, where: str, name: str) -> SurfaceKind:
    """Return the kind that a name says; the name must be one that can be part of ids."""
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        rule = f"small letters, digits, '.', '_' and '-', at most {LONGEST_NAME}, beginning with a letter or digit"
        raise _wrong(path, Said("platform_name", f"{where}: a name has {rule}", where=where, longest=LONGEST_NAME))
    kind = split(name)[1]
    if kind is SurfaceKind.IMPORT:
        text = f"{where}: names with -import are for answers collected elsewhere and cannot be asked"
        raise _wrong(path, Said("platform_import", text, where=where))
    return kind


def _base(path: Path, where: str, own: str, based_on: object, catalogue: Catalogue) -> Surface:
    """Return the surface of the catalogue that fills the gaps; the generic one has no names of its own to give."""
    generic = replace(catalogue.surfaces[GENERIC], title_zh=own, title_en=own)
    if based_on is None:
        return catalogue.surfaces.get(own, generic)
    found = catalogue.find(based_on) if isinstance(based_on, str) else None
    if found is None:
        near = nearest(str(based_on), list(catalogue.surfaces))
        text = f"{where} {_BASED_ON} = {based_on!r}: {near}"
        raise _wrong(path, Said("platform_based_on", text, where=where, given=str(based_on), near=near))
    if found.kind.searches and not split(own)[1].searches:
        text = f"{where} is based on {found.name}, which searches; its name must end like that one's"
        raise _wrong(path, Said("platform_searches", text, where=where, base=found.name))
    return generic if found.name == GENERIC else replace(found, aliases=())


def _read(path: Path, where: str, key: str, value: object) -> object:
    """Return the value of one key."""
    if key not in READERS:
        near = nearest(key, list(_KEYS))
        text = f"{where} has the unknown key {key!r}; {near}"
        raise _wrong(path, Said("platform_key_name", text, where=where, key=key, near=near))
    try:
        return READERS[key](value)
    except WrongField as error:
        text = f"{where} {key} must be {error}"
        raise _wrong(path, Said("platform_field", text, where=where, key=key, what=error.what)) from error


def _check(path: Path, where: str, surface: Surface) -> None:
    """Refuse what cannot be asked, or not safely."""
    for key, value in (("base_url", surface.base_url), ("model", surface.model)):
        if not value:
            raise _wrong(path, Said("platform_needs", f"{where} needs {key}", where=where, key=key))
    parts = urlsplit(surface.base_url)
    host = parts.hostname or ""
    if is_loopback(host) or surface.allow_private:
        return
    if parts.scheme == "http":
        text = f"{where} base_url sends key and questions in the clear; use https, or allow_private = true"
        raise _wrong(path, Said("platform_in_the_clear", text, where=where))
    if is_private(host):
        text = f"{where} base_url is an address of a private network; say allow_private = true if meant"
        raise _wrong(path, Said("platform_private", text, where=where))


def _joined(path: Path, surfaces: Iterable[Surface], catalogue: Catalogue) -> Platforms:
    """Return the platforms with all names, after making sure that a name leads to one of them only."""
    by_name = dict[str, Surface]()
    aliases = dict(catalogue.aliases)
    for surface in surfaces:
        if surface.name in by_name:
            text = f"names {surface.name} twice: two of its tables are other names of this one platform"
            raise _wrong(path, Said("platform_twice", text, name=surface.name))
        by_name[surface.name] = surface
    for surface in by_name.values():
        for other in surface.aliases:
            taken = aliases.setdefault(other.casefold(), surface.name)
            if taken not in (surface.name, surface.product) or other.casefold() in by_name.keys() - {surface.name}:
                text = f"[platforms.{surface.name}]: the alias {other!r} already leads to {taken}"
                raise _wrong(path, Said("platform_alias", text, name=surface.name, alias=other, taken=taken))
    return Platforms(MappingProxyType(by_name), catalogue, MappingProxyType(aliases))


def _toml(value: object) -> str:
    """Return a value as inline TOML; JSON's texts, numbers and truth values are TOML's too."""
    if isinstance(value, Mapping):
        pairs = (f"{json.dumps(str(key), ensure_ascii=False)} = {_toml(entry)}" for key, entry in value.items())
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(entry) for entry in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _replace_file(path: Path, text: str) -> None:
    """Write the whole file or nothing."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        why = str(error.strerror)
        raise _wrong(path, Said("file_unwritable", f"cannot be written: {why}", why=why)) from error


def _wrong(path: Path, what: Said) -> ConfigurationError:
    """Return the error for something wrong in the file."""
    return ConfigurationError("platforms_file", f"{path}: {what}", file=str(path), what=what)
