"""Reasoning that a model left inside the text of its answer."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning|reflection)\s*>|(◁/?think▷)", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Thinking:
    """Where the reasoning stands."""

    spans: tuple[tuple[int, int], ...] = ()
    """Half-open, tags included, ascending."""
    unclosed: bool = False
    """The last one was never closed: the text ends in thought."""


NO_THINKING = Thinking()


def without_thinking(text: str, thinking: Thinking) -> str:
    """Return `text`, of the same length, with its reasoning made line feeds: what was thought says nothing."""
    pieces, last = [], 0
    for start, end in thinking.spans:
        pieces += [text[last:start], "\n" * (end - start)]
        last = end
    return "".join([*pieces, text[last:]])


def find_thinking(text: str) -> Thinking:
    """Find the reasoning in `text`: closed, nested, without an opening tag or never closed.

    Tags in fenced or inline code are text. An opening tag counts only at the start of a line or right after a block;
    a closing tag without an opening one counts only where it is the first tag of all.
    """
    if ("<" not in text and "◁" not in text) or not _TAG.search(text):
        return NO_THINKING
    fences = _fences(text)
    tags = [t for t in _TAG.finditer(text) if not _in_code(text, fences, t)]
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(tags):
        tag = tags[index]
        if _closes(tag):
            if index == 0:
                spans.append((0, tag.end()))
            index += 1
        elif not _may_open(text, tag.start(), spans[-1][1] if spans else 0):
            index += 1
        else:
            index, end = _block_end(tags, index)
            if end is None:
                return Thinking((*spans, (tag.start(), len(text))), unclosed=True)
            spans.append((tag.start(), end))
    return Thinking(tuple(spans))


def _closes(tag: re.Match[str]) -> bool:
    return bool(tag[1]) or (tag[2] or "").startswith("◁/")


def _may_open(text: str, at: int, after: int) -> bool:
    """Return whether nothing but blanks stands between a tag and the start of its line, or the block before it."""
    while at > after and text[at - 1] != "\n" and text[at - 1].isspace():
        at -= 1
    return at <= after or text[at - 1] == "\n"


def _block_end(tags: list[re.Match[str]], index: int) -> tuple[int, int | None]:
    """Return the index of the next tag and the end of the block that opens at `index`; None where it never closes.

    Openings inside are paired with their closings; where they do not pair up, the last closing tag ends the block.
    """
    depth, last = 0, None
    for here in range(index, len(tags)):
        depth += -1 if _closes(tags[here]) else 1
        if _closes(tags[here]):
            last = here
        if depth == 0:
            break
    return (len(tags), None) if last is None else (last + 1, tags[last].end())


def _fences(text: str) -> list[tuple[int, int]]:
    """Return the spans of fenced code blocks; an unclosed one is no block here."""
    spans, opened = [], None
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark
        elif mark[1][0] == opened[1][0] and len(mark[1]) >= len(opened[1]):
            spans.append((opened.start(), mark.end()))
            opened = None
    return spans


def _in_code(text: str, fences: list[tuple[int, int]], tag: re.Match[str]) -> bool:
    ticked = text[tag.start() - 1 : tag.start()] == "`" and text[tag.end() : tag.end() + 1] == "`"
    before = bisect_right(fences, tag.start(), key=lambda fence: fence[0]) - 1
    return ticked or (before >= 0 and tag.start() < fences[before][1])
