"""Makes scorers of what the kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b

from answerwatch.scorers.http.canary import PAIRS, TEXTS
from answerwatch.scorers.http.client import Client, Kind, Told, model_unknown
from answerwatch.scorers.http.dialect import Dialect, Pair
from answerwatch.scorers.http.pairs import HttpPairs, size_of_pair
from answerwatch.scorers.http.settings import ServerSettings
from answerwatch.scorers.http.vectors import HttpVectors, vector_facts
from answerwatch.similarity.scorer import Role

Environ = Mapping[str, str] | None


class VectorSettings(ServerSettings):
    """A server of vectors."""

    query_prefix: str = ""
    """Written before texts that ask, as the model was trained: `query: `."""
    passage_prefix: str = ""
    """Written before texts that answer."""

    def prefix(self, role: Role) -> str:
        """Return what is written before a text; alike texts count as questions, as models of that sort want it."""
        return self.passage_prefix if role is Role.PASSAGE else self.query_prefix


def vectors(
    name: str,
    settings: VectorSettings,
    kind: Kind[str],
    dialect_of: Callable[[Role], Dialect[str]],
    *,
    dimensions: int | None = None,
    has_roles: bool = False,
    environ: Environ = None,
) -> HttpVectors:
    """Return a vector scorer; raises ConfigurationError where the key is missing."""
    client = Client(name, kind, settings, environ)
    roles = has_roles or bool(settings.query_prefix or settings.passage_prefix)
    return HttpVectors(
        client,
        dialect_of,
        lambda known: vector_facts(name, settings, known, about=client.about, dimensions=dimensions, roles=roles),
    )


def vector_kind(model: str, about: str, dialect: Dialect[str]) -> Kind[str]:
    """Return a kind that encodes texts."""
    return Kind(model=model, settings=about, size=len, canary=TEXTS, dialect=dialect)


def pairs(
    name: str, settings: ServerSettings, about: str, dialect: Dialect[Pair], *, model: str, environ: Environ = None
) -> HttpPairs:
    """Return a pair scorer; raises ConfigurationError where the key is missing."""
    return pairs_of(name, settings, pair_kind(model, about, dialect), environ)


def pairs_of(name: str, settings: ServerSettings, kind: Kind[Pair], environ: Environ) -> HttpPairs:
    """Return the pair scorer of a kind; raises ConfigurationError where the key is missing."""
    return HttpPairs(name, Client(name, kind, settings, environ), kind.dialect, settings)


def pair_kind(
    model: str,
    about: str,
    dialect: Dialect[Pair],
    *,
    info_path: str | None = None,
    read_info: Callable[[object], Told] = model_unknown,
) -> Kind[Pair]:
    """Return a kind that scores pairs."""
    return Kind(
        model=model,
        settings=about,
        size=size_of_pair,
        canary=PAIRS,
        dialect=dialect,
        info_path=info_path,
        read_info=read_info,
    )


def about(kind: str, **options: object) -> str:
    """Return what numbers depend on: the kind, and options that are not as usual; long texts by their hash.

    >>> about("tei", truncate=False, dim=256, prefix="")
    'tei;dim=256'
    """
    parts = (f"{key}={_short(str(value))}" for key, value in options.items() if value not in (None, False, ""))
    return ";".join((kind, *parts))


def _short(text: str) -> str:
    is_plain = len(text) <= 40 and text.isprintable() and ";" not in text
    return text if is_plain else blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
