"""Citations: the sources of an answer, those of the platform and those that stand in its text."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

from answerwatch.domain.answers import Citation, CitationKind, CitationOrigin
from answerwatch.domain.urls import canonical_url
from answerwatch.reading.patterns import has_any
from answerwatch.reading.records import Region
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


def find_citations(text: str, regions: Regions, given: Iterable[Citation]) -> tuple[Citation, ...]:
    """Return the sources: the given ones first, then addresses found in the text, each address once."""
    found = list(given)
    seen = {citation.canonical_url for citation in found}
    for url, title in _addresses(text, regions):
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
    return bool(citations) or bool(regions.parsed.footnotes) or _has_marker(text, regions) or _has_list(regions)


def is_own_site(citations: Iterable[Citation], domains: tuple[str, ...]) -> bool | None:
    """Return whether a source is on one of `domains` or below it; None where no domain is known."""
    if not domains:
        return None
    bare = tuple(domain.removeprefix("www.") for domain in domains)
    return any(c.domain == domain or c.domain.endswith(f".{domain}") for c in citations for domain in bare)


def _addresses(text: str, regions: Regions) -> Iterator[tuple[str, str]]:
    """Yield (address, title) in order: links of Markdown, then bare addresses outside of them."""
    found = [(link.start, link.url, link.title) for link in regions.parsed.links if _is_web(link.url)]
    links = deque(sorted((link.start, link.end) for link in regions.parsed.links))
    reach = 0
    for bare in ADDRESS.finditer(text) if has_any(text, _ADDRESS_SIGNS) else ():
        while links and links[0][0] <= bare.start():
            reach = max(reach, links.popleft()[1])
        silent = regions.at(bare.start(), bare.start() + 1)
        if bare.start() >= reach and (silent is None or silent[2] not in _NOT_CITING):
            found.append((bare.start(), bare[0].rstrip(").,;:!?]*_"), ""))
    for _, url, title in sorted(found):
        yield url, " ".join(title.split())


def _is_web(url: str) -> bool:
    return url[:7].lower() == "http://" or url[:8].lower() == "https://"


def _has_marker(text: str, regions: Regions) -> bool:
    if "[" not in text and "【" not in text and "-\n" not in text:
        return False
    arrays = _arrays(text)
    for marker in _MARKER.finditer(text):
        silent = regions.at(marker.start(), marker.end())
        if silent is not None and silent[2] in _NOT_CITING:
            continue
        if marker["n"] is None or not _is_index(text, marker, arrays):
            return True
    return False


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


def _has_list(regions: Regions) -> bool:
    for start, _ in regions.sources:
        silent = regions.at(start, start + 1)
        if silent is None or silent[2] not in _NOT_CITING:
            return True
    return False
