"""Kind `pair`: any other server that scores pairs; a template says how it is asked, a path where its scores are."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, model_validator

from answerwatch.scorers.http.dialect import Pair
from answerwatch.scorers.http.kinds import Environ, about, pairs
from answerwatch.scorers.http.pairs import HttpPairs
from answerwatch.scorers.http.replies import BadShape, Numbers, as_sent, in_order, rows_at, score
from answerwatch.scorers.http.settings import Model, ServerSettings

LISTS = ("{lefts}", "{rights}", "{pairs}")
"""Stand for lists: texts of the left side, of the right side, and pairs as lists of two."""
_ONE = re.compile(r"\{(left|right)\}")
EACH = "*"
"""Every entry of a list, in a path."""


class PairSettings(ServerSettings):
    """A server that scores pairs in its own way."""

    path: Annotated[str, Field(pattern="^(/.*)?$")] = ""
    """Below base_url."""
    request: Mapping[str, Any]
    """JSON object of a call; texts in it hold {left} and {right}, or a value is {lefts}, {rights} or {pairs}."""
    score: Annotated[str, Field(min_length=1)]
    """Where the score is, `result.score`; of several pairs in a call `results.*.score`."""
    index: str | None = None
    """Name, beside the score, of the number of the pair; None: scores come in the order of the pairs."""
    model: Model = "pair"
    """What is said of the model, in the scorer's id."""

    @model_validator(mode="after")
    def _fits(self) -> PairSettings:
        found = set(_places(self.request))
        if not (found >= {"{left}", "{right}"} or found >= {"{lefts}", "{rights}"} or "{pairs}" in found):
            raise ValueError("request must hold {left} and {right}, or {lefts} and {rights}, or {pairs}")
        if self.takes_lists != (EACH in self.score.split(".")):
            raise ValueError("score must have one * exactly where request takes several pairs: results.*.score")
        return self

    @property
    def takes_lists(self) -> bool:
        """Tell whether a call takes several pairs."""
        return any(place in LISTS for place in _places(self.request))


def _places(value: object) -> Iterator[str]:
    """Yield the places for texts that stand in a template."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from _places(one)
    elif isinstance(value, str):
        yield from ([value] if value in LISTS else (found[0] for found in _ONE.finditer(value)))


def filled(template: object, items: Sequence[Pair]) -> object:
    """Return a template with texts in the places for them; what stands in a text is never a place."""
    if isinstance(template, Mapping):
        return {key: filled(value, items) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [filled(value, items) for value in template]
    if not isinstance(template, str):
        return template
    lists = {
        "{lefts}": [left for left, _ in items],
        "{rights}": [right for _, right in items],
        "{pairs}": [list(pair) for pair in items],
    }
    if template in lists:
        return lists[template]
    first = {"left": items[0][0], "right": items[0][1]}
    return _ONE.sub(lambda found: first[found[1]], template)


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """How the server is asked, and scores are read."""

    path: str
    request: Mapping[str, Any]
    where: tuple[str, ...]
    index: str | None

    def together(self, _: Pair) -> Hashable:
        """Return what all pairs have in common."""
        return None

    def body(self, items: Sequence[Pair]) -> Mapping[str, object]:
        """Return the request."""
        return {key: filled(value, items) for key, value in self.request.items()}

    def read(self, document: object, items: Sequence[Pair]) -> Numbers:
        """Return scores in the order of the pairs."""
        if EACH not in self.where:
            return Numbers(rows=[score(_at(document, self.where))])
        cut = self.where.index(EACH)
        rows, inner = rows_at(document, self.where[:cut]), self.where[cut + 1 :]
        if self.index is None:
            found: Sequence[object] = [_at(row, inner) for row in as_sent(rows, len(items))]
        else:
            numbered = [{**row, "index": row.get(self.index)} for row in rows if isinstance(row, dict)]
            found = in_order(numbered, len(items), lambda row: _at(row, inner))
        return Numbers(rows=[score(one) for one in found])


def _at(document: object, path: tuple[str, ...]) -> object:
    """Return the value at a path of names and numbers of entries; raises BadShape where it ends early."""
    for key in path:
        if isinstance(document, dict) and key in document:
            document = document[key]
        elif isinstance(document, list) and key.isdecimal() and int(key) < len(document):
            document = document[int(key)]
        else:
            raise BadShape(f"there is nothing at {'.'.join(path)} in it.")
    return document


def make(name: str, settings: PairSettings, environ: Environ = None) -> HttpPairs:
    """Return a scorer; raises ConfigurationError where its key is missing."""
    dialect = Template(
        path=settings.path,
        request=settings.request,
        where=tuple(settings.score.split(".")),
        index=settings.index,
    )
    one_each = settings if settings.takes_lists else settings.model_copy(update={"texts": 1})
    template = repr(sorted(settings.request.items()))
    settled = about("pair", template=template, score=settings.score)
    return pairs(name, one_each, settled, dialect, model=settings.model, environ=environ)
