"""The sources that a reply of the chat family names, wherever a vendor puts them, and the proof that a search ran."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.answers import Citation, CitationKind, CitationOrigin
from answerwatch.domain.urls import canonical_url
from answerwatch.platforms.bodies import at

MOST_CITATIONS = 500
TITLE_CHARS = 500

_RETRIEVED_PATHS = (
    ("search_results",),
    ("search_info", "search_results"),
    ("web_search",),
    ("references",),
    ("webpages",),
)
"""Lists beside the answer, looked for on the top level and inside the message."""

_COUNTER_PATHS = (
    ("usage", "plugins", "search", "count"),
    ("usage", "tool_usage", "web_search"),
    ("usage", "tool_usage", "web_search_call"),
    ("usage", "server_tool_use", "web_search_requests"),
    ("usage", "server_side_tool_usage_details", "web_search_calls"),
)


def find_citations(document: dict[str, object], message: dict[str, object]) -> tuple[Citation, ...]:
    """Return the sources in order: those attached to the text, then those the search returned.

    One address is listed once per kind. What is no web address is left out.
    """
    seen = set[tuple[CitationKind, str]]()
    found = list[Citation]()
    for kind, url, title in _candidates(document, message):
        known = canonical_url(url)
        if known is None or (kind, known[0]) in seen or len(found) == MOST_CITATIONS:
            continue
        seen.add((kind, known[0]))
        found.append(
            Citation(
                position=len(found) + 1,
                url=url.strip(),
                canonical_url=known[0],
                domain=known[1],
                title=title,
                kind=kind,
                origin=CitationOrigin.PLATFORM,
            )
        )
    return tuple(found)


def has_searched(document: dict[str, object], message: dict[str, object]) -> bool:
    """Tell whether the reply proves that a search ran: a list of sources or a counter above zero."""
    lists = (at(place, *path) for place in (document, message) for path in _RETRIEVED_PATHS)
    counters = (at(document, *path) for path in _COUNTER_PATHS)
    return (
        any(isinstance(entries, list) and entries for entries in lists)
        or any(isinstance(counter, int) and counter > 0 for counter in counters)
        or any(True for _ in _cited(document, message))
    )


def _candidates(
    document: dict[str, object], message: dict[str, object]
) -> Iterator[tuple[CitationKind, str, str | None]]:
    """Yield kind, address and title of everything that looks like a source."""
    for entry in _cited(document, message):
        yield from _named(CitationKind.CITED, entry)
    for place in (document, message):
        for path in _RETRIEVED_PATHS:
            for entry in _entries(at(place, *path)):
                yield from _named(CitationKind.RETRIEVED, entry)


def _cited(document: dict[str, object], message: dict[str, object]) -> Iterator[object]:
    """Yield the entries that are attached to the answer."""
    yield from (at(entry, "url_citation") or entry for entry in _entries(message.get("annotations")))
    yield from _entries(message.get("citations"))
    yield from _entries(document.get("citations"))


def _entries(value: object) -> list[object]:
    """Return a list as it is, and nothing for anything else."""
    return value if isinstance(value, list) else []


def _named(kind: CitationKind, entry: object) -> Iterator[tuple[CitationKind, str, str | None]]:
    """Yield the entry when it has an address: a bare one, `url`, or `link`."""
    url = entry if isinstance(entry, str) else at(entry, "url") or at(entry, "link")
    title = at(entry, "title")
    if isinstance(url, str):
        yield kind, url, title[:TITLE_CHARS] if isinstance(title, str) and title.strip() else None
