"""Which scorers there are: those that come with the package, and those that `scorers.toml` of a workspace names.

```toml
[reranker]                        # any name
kind = "tei"
base_url = "http://127.0.0.1:8080"
head = "rerank"

[structbert]
kind = "onnx"
folder = "models/structbert"      # from the workspace folder
```

A kind is a module that is imported when a scorer of it is made: its libraries may be an extra.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, cast

from pydantic import BaseModel, ValidationError

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import ConfigurationError, UsageError
from answerwatch.similarity.scorer import Scorer

FILE_NAME = "scorers.toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Kind(NamedTuple):
    """Where a kind of scorer is made."""

    module: str
    """Has the class of its settings, and `make(name, settings, environ)`."""
    settings: str


class Made(NamedTuple):
    """A scorer by name: its kind and what is set of it."""

    name: str
    kind: str
    table: Mapping[str, Any]


_HTTP = "answerwatch.scorers.http"
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "lexical": Kind("answerwatch.scorers.lexical", "LexicalSettings"),
        "use": Kind("answerwatch.scorers.use", "UseSettings"),
        "e5": Kind("answerwatch.scorers.e5", "E5Settings"),
        "onnx": Kind("answerwatch.scorers.onnx.kind", "OnnxSettings"),
        "tei": Kind(f"{_HTTP}.tei", "TeiSettings"),
        "openai": Kind(f"{_HTTP}.openai", "OpenaiSettings"),
        "rerank": Kind(f"{_HTTP}.rerank", "RerankSettings"),
        "vllm": Kind(f"{_HTTP}.vllm", "VllmSettings"),
        "dashscope": Kind(f"{_HTTP}.dashscope", "DashscopeSettings"),
        "pair": Kind(f"{_HTTP}.pair", "PairSettings"),
    }
)
"""Every kind by its name in `scorers.toml`."""
EMBEDDED = ("use", "e5", "lexical")
"""Scorers that need no line in the file: kinds by their own names."""


class _Module(Protocol):
    """What a module of a kind offers."""

    def make(self, name: str, settings: BaseModel, environ: Mapping[str, str]) -> Scorer:
        """Return a scorer; raises ConfigurationError where it cannot be made here."""


class Registry:
    """The scorers of a workspace by name; nothing is made or imported before somebody asks."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        """Read `scorers.toml` of the folder; keys come from `environ`.

        Raises ConfigurationError naming file and table for a file that cannot be used.
        """
        self._home = home
        self._environ = environ
        self._named = {name: Made(name, name, {}) for name in EMBEDDED} | _read(home / FILE_NAME)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all scorers, those of the file last."""
        return tuple(self._named)

    def kind(self, name: str) -> str:
        """Return the kind of a scorer; raises UsageError for an unknown one."""
        return self._known(name).kind

    def make(self, name: str) -> Scorer:
        """Return a new scorer.

        Raises UsageError for an unknown name, ConfigurationError where it cannot be made: an extra is not installed, a
        setting is wrong, a key or a model is missing, a server does not answer.
        """
        known = self._known(name)
        kind = KINDS[known.kind]
        module = import_module(kind.module)
        table = dict(known.table)
        if isinstance(table.get("folder"), str):
            table["folder"] = str(self._home / table["folder"])
        try:
            settings: BaseModel = getattr(module, kind.settings).model_validate(table)
        except ValidationError as error:
            raise self._wrong(name, error) from None
        return cast("_Module", module).make(name, settings, self._environ)

    def _known(self, name: str) -> Made:
        if name in self._named:
            return self._named[name]
        known = ", ".join(self.names)
        text = f"There is no scorer {in_short(name)!r}; there are: {known}. Others are named in {FILE_NAME}."
        raise UsageError("scorer_unknown", text, scorer=in_short(name), known=known, file=FILE_NAME)

    def _wrong(self, name: str, error: ValidationError) -> ConfigurationError:
        # What was given is not shown: a key may stand where the name of its variable belongs.
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "-"
        return _bad(
            self._home / FILE_NAME,
            name,
            Said("scorer_setting", f"{place}: {first['msg']}", place=place, why=first["msg"]),
        )


def _read(path: Path) -> dict[str, Made]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        why = str(error.strerror)
        raise _bad(path, "-", Said("file_unreadable", f"cannot be read: {why}", why=why)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _bad(path, "-", Said("file_no_toml", f"is not TOML in UTF-8: {error}", why=str(error))) from error
    return {name: _table(path, name, table) for name, table in document.items()}


def _table(path: Path, name: str, table: object) -> Made:
    if not isinstance(table, dict):
        raise _bad(path, name, Said("scorer_no_table", "is a value; scorers stand in tables [NAME]"))
    if name in KINDS or not _NAME.fullmatch(name):
        text = "cannot be a name: take letters, digits, . _ -, and no name of a kind"
        raise _bad(path, name, Said("scorer_name", text))
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        known = ", ".join(KINDS)
        text = f"needs a kind; there are: {known}"
        raise _bad(path, name, Said("scorer_kind", text, known=known))
    return Made(name, kind, MappingProxyType({key: value for key, value in table.items() if key != "kind"}))


def _bad(path: Path, name: str, what: Said) -> ConfigurationError:
    text = f"{path}, scorer {name}: {what}."
    return ConfigurationError("scorers_file", text, file=str(path), scorer=name, what=what)
