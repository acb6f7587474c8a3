"""Citations: the sources of an answer, those of the platform and those that stand in its text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterable, Iterator

from answerwatch.domain.answers import Citation, CitationKind, CitationOrigin
from answerwatch.domain.urls import canonical_url
from answerwatch.reading.patterns import has_any
from answerwatch.reading.records import Match, Region
from answerwatch.reading.regions import ADDRESS, Regions

_MARKER = re.compile(
    r"[\[【-](?:(?<=\[)(?:(?P<n>\d{1,3})(?:[ ]?[,，、–-][ ]?\d{1,3}){0,9}\](?![(:])|\^[^\]\n\s]{1,40}\]"
    r"|citation:[ ]?\d{1,3}\])|(?<=【)\d{1,3}(?:[†:][^】\n]{0,80})?】|(?<![^\n]-)(?<=-)\n\d{1,3}\n(?:-(?:\n|$)|$))"
)
_INDEX_WORDS = re.compile(r"数组|下标|索引|列表元素|\b(?:array|index|indices)\b", re.IGNORECASE)
_FIRST_ELEMENT = re.compile(r"\[0\]")
_NO_WORD = re.compile(r"[^\w]", re.ASCII)
_ADDRESS_SIGNS = ("://", "ww.", "WW.", "wW.", "Ww.")
"""One of them stands in every bare address."""
_NOT_CITING = frozenset({Region.CODE, Region.THINKING})
_COPIED = r"(?:\n-\n\d{1,3})+(?:\n-)?(?=\n)"
"""Markers of a copied page, each between hyphens on lines of their own."""
_SENTENCE_END = re.compile(
    rf"{_COPIED}(?:\n(?=[。！？!?，,；;]))?|(?P<end>\n|(?:[。！？!?]+[”」』\"'*_)）]*|(?<=[^\W\d_])\.(?=[\s\[【*_]|$)[*_]*)"
    rf"(?:[ ]?(?:\[[^\[\]\n]{{1,40}}\](?![(:])|【[^】\n]{{1,80}}】)|{_COPIED})*)"
)
"""The end of a sentence with the markers that stand right behind it: they belong to what was said."""


def find_citations(text: str, regions: Regions, given: Iterable[Citation]) -> tuple[Citation, ...]:
    """Return the sources: the given ones first, then addresses found in the text, each address once."""
    found = list(given)
    seen = {citation.canonical_url for citation in found}
    for _, url, title in _addresses(text, regions):
        known = canonical_url(url if "://" in url else f"https://{url}")
        if known is None or known[0] in seen:
            continue
        seen.add(known[0])
        found.append(
            Citation(
                position=len(found) + 1,
                url=url,
                canonical_url=known[0],
                domain=known[1],
                title=title or None,
                kind=CitationKind.LINKED,
                origin=CitationOrigin.TEXT,
            )
        )
    return tuple(found)


def cites(text: str, regions: Regions, citations: tuple[Citation, ...]) -> bool:
    """Return whether the answer cites anything: a source, a marker, a footnote or a headed list of sources."""
    has_marker = next(_markers(text, regions), None) is not None
    return bool(citations) or bool(regions.parsed.footnotes) or has_marker or _has_list(regions)


def cited_near(text: str, regions: Regions, mentions: Collection[Match]) -> frozenset[str]:
    """Return the brands that are named in a sentence with a source: a marker, a link or an address.

    A line is a sentence of its own, so that an item of a list or a row of a table speaks for itself.
    """
    places = [start for start, _, _ in _addresses(text, regions)]
    places += _markers(text, regions)
    if not places or not mentions:
        return frozenset()
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if found["end"]]
    sentences = {bisect_right(ends, place) for place in places}
    return frozenset(one.standard_name for one in mentions if bisect_right(ends, one.match_position) in sentences)


def is_own_site(citations: Iterable[Citation], domains: tuple[str, ...]) -> bool | None:
    """Return whether a source is on one of `domains` or below it; None where no domain is known."""
    if not domains:
        return None
    bare = tuple(domain.removeprefix("www.") for domain in domains)
    return any(c.domain == domain or c.domain.endswith(f".{domain}") for c in citations for domain in bare)


def _addresses(text: str, regions: Regions) -> Iterator[tuple[int, str, str]]:
    """Yield (position, address, title) in order: links of Markdown and bare addresses outside of them."""
    found = [(link.start, link.url, link.title) for link in regions.parsed.links if _is_web(link.url)]
    links = deque(sorted((link.start, link.end) for link in regions.parsed.links))
    reach = 0
    for bare in ADDRESS.finditer(text) if has_any(text, _ADDRESS_SIGNS) else ():
        while links and links[0][0] <= bare.start():
            reach = max(reach, links.popleft()[1])
        silent = regions.at(bare.start(), bare.start() + 1)
        if bare.start() >= reach and (silent is None or silent[2] not in _NOT_CITING):
            found.append((bare.start(), bare[0].rstrip(").,;:!?]*_"), ""))
    for start, url, title in sorted(found):
        yield start, url, " ".join(title.split())


def _is_web(url: str) -> bool:
    return url[:7].lower() == "http://" or url[:8].lower() == "https://"


def _markers(text: str, regions: Regions) -> Iterator[int]:
    """Yield the positions of markers: `[1]`, `【3†source】`, `[^1]`, and the form that a copied page has."""
    if "[" not in text and "【" not in text and "-\n" not in text:
        return
    arrays = _arrays(text)
    for marker in _MARKER.finditer(text):
        silent = regions.at(marker.start(), marker.end())
        if silent is not None and silent[2] in _NOT_CITING:
            continue
        if marker["n"] is None or not (_is_index(text, marker, arrays) or _is_code(text, marker)):
            yield marker.start()


def _arrays(text: str) -> frozenset[str]:
    """Return the words of which the text has a first element: `x[0]`."""
    if "[0]" not in text:
        return frozenset()
    return frozenset(_word_before(text, found.start()) for found in _FIRST_ELEMENT.finditer(text))


def _word_before(text: str, position: int) -> str:
    return _NO_WORD.split(text[max(0, position - 24) : position])[-1]


def _is_index(text: str, marker: re.Match[str], arrays: frozenset[str]) -> bool:
    """Return whether `[n]` is the index of something: after an identifier, or where the text speaks of indices."""
    before = text[marker.start() - 1 : marker.start()]
    if not before.isascii() or not (before.isalnum() or before in {"_", ")", "]"}):
        return False
    word = _word_before(text, marker.start())
    after = text[marker.end() : marker.end() + 2].lstrip(" ")[:1]
    return (
        marker["n"].startswith("0")
        or len(word) < 3
        or "_" in word
        or after in {"=", "+"}
        or word in arrays
        or bool(_INDEX_WORDS.search(text[max(0, marker.start() - 60) : marker.end() + 60]))
    )


def _is_code(text: str, marker: re.Match[str]) -> bool:
    """Return whether a marker stands in a span of code in its line."""
    start = text.rfind("\n", 0, marker.start()) + 1
    end = text.find("\n", marker.end())
    after = text[marker.end() : marker.end() + 80 if end < 0 else min(end, marker.end() + 80)]
    return text.count("`", max(start, marker.start() - 200), marker.start()) % 2 == 1 and "`" in after


def _has_list(regions: Regions) -> bool:
    for start, _ in regions.sources:
        silent = regions.at(start, start + 1)
        if silent is None or silent[2] not in _NOT_CITING:
            return True
    return False
