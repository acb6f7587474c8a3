"""What the Markdown parser sees: code, link addresses, HTML tags and footnotes, with positions in code points."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import pyromark

from answerwatch.reading.patterns import has_any
from answerwatch.reading.records import Region

_PARSER = pyromark.Markdown(options=pyromark.Options.ENABLE_FOOTNOTES | pyromark.Options.ENABLE_TABLES)
_SOMETHING_TO_SEE = ("```", "~~~", "](", "][", "]:", "[^", "<")
"""Without one of these a text has no code block, link, HTML or footnote, so the parser has nothing to say."""
_TEXT_FENCES = frozenset({"markdown", "md", "text", "txt", "plain", "plaintext"})
"""Info strings of the fences that models put around ordinary text."""
_TAG = re.compile(r"<[^<>\n]{1,2000}>")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]{1,99}\]:[ \t]*(<[^>\n]*>|\S+).*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Link:
    """A link with its text and target; positions are code points of the whole link."""

    start: int
    end: int
    url: str
    title: str


@dataclass(slots=True)
class Parsed:
    """The findings of one parse; filled once, then only read."""

    silent: list[tuple[int, int, Region]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    footnotes: list[tuple[int, int]] = field(default_factory=list)
    """References to footnotes."""


NOTHING_PARSED = Parsed()
"""Of a text without marks; never changed."""


def parse(text: str) -> Parsed:
    """Parse `text`; a text without any mark of the parsed kinds costs next to nothing."""
    if not has_any(text, _SOMETHING_TO_SEE):
        return NOTHING_PARSED
    walk = _Walk(text.encode("utf-8", "replace"))
    for event, span in _PARSER.events_with_range(walk.data.decode(), merge_text=True):
        walk.see(event, span["start"], span["end"])
    walk.found.silent += [(m.start(), m.end(), Region.ADDRESS) for m in _DEFINITION.finditer(text)]
    return walk.found


class _Walk:
    """One pass over the events of a parse; keeps the open links and how many code points end at each byte."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.found = Parsed()
        self._points = np.cumsum((np.frombuffer(data, np.uint8) & 0xC0) != 0x80)
        self._links: list[tuple[int, str, bool]] = []
        self._child_end = 0
        self._text_from, self._text_to = len(data) - len(data.lstrip()), len(data.rstrip())

    def see(self, event: object, start: int, end: int) -> None:
        """Take up one event with its byte range."""
        if not isinstance(event, dict):
            return
        kind, value = next(iter(event.items()))
        if kind == "Start":
            self._opened(value, start, end)
        elif kind == "End" and value in ("Link", "Image"):
            self._closed(start, end)
        elif kind in {"InlineHtml", "Html"}:
            self._html(start, end)
        elif kind == "FootnoteReference":
            self.found.footnotes.append((self._at(start), self._at(end)))
        if kind != "Start" and self._links:
            self._child_end = end

    def _opened(self, value: object, start: int, end: int) -> None:
        if not isinstance(value, dict):
            return
        kind, about = next(iter(value.items()))
        if kind in {"Link", "Image"}:
            alone = kind == "Image" or about["link_type"] in {"Autolink", "Email"}
            self._links.append((start, about["dest_url"], alone))
            self._child_end = start + 1
        elif kind == "CodeBlock" and isinstance(about, dict) and not self._holds_text(about["Fenced"], start, end):
            self._silence(start, end, Region.CODE)
        elif kind == "FootnoteDefinition":
            self._silence(start, end, Region.SOURCES)

    def _closed(self, start: int, end: int) -> None:
        opened, url, alone = self._links.pop()
        text = "" if alone else self.data[opened : self._child_end].decode("utf-8", "ignore").lstrip("[")
        self.found.links.append(Link(self._at(start), self._at(end), url, text))
        self._silence(start if alone else self._child_end, end, Region.ADDRESS)

    def _html(self, start: int, end: int) -> None:
        text = self.data[start:end].decode("utf-8", "ignore")
        first = self._at(start)
        self.found.silent += [(first + m.start(), first + m.end(), Region.MARKUP) for m in _TAG.finditer(text)]

    def _holds_text(self, info: str, start: int, end: int) -> bool:
        whole = start <= self._text_from and end >= self._text_to
        return info.strip().lower() in _TEXT_FENCES or (whole and not info.strip())

    def _silence(self, start: int, end: int, region: Region) -> None:
        self.found.silent.append((self._at(start), self._at(end), region))

    def _at(self, byte: int) -> int:
        """Return the code point at a byte; links in links ask for bytes far apart in turn."""
        return self._points.item(byte - 1) if byte else 0
