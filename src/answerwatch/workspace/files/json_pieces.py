"""Large JSON documents by pieces: the records of a list somewhere inside are read one at a time.

The standard library's parser reads each piece, as it reads lines of JSONL: half characters, NaN and long numbers come
out the same. (ijson, the known library for this, puts `?` for half characters and stops at long numbers.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.workspace.files.cells import BOM
from answerwatch.workspace.files.limits import LONGEST_RECORD

_BLOCK = 1 << 18
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(parse_constant=lambda _: None)
ITEM = "item"
"""In a path: every element of a list."""


class JsonDocument:
    """One document that is read once, from its beginning to its end."""

    def __init__(self, stream: TextIO, path: Path) -> None:
        """Read from `stream`; `path` is named in errors."""
        self._stream = stream
        self._path = path
        self._text = ""
        self._at = 0
        self._before = 0
        """Characters that were read and dropped."""
        self._ended = False

    def items(self, path: Sequence[str]) -> Iterator[object]:
        """Yield what lies under a path such as `("results", "item")`; () is the document itself.

        Raises UsageError where it is no JSON, ends too early, or a piece is too large.
        """
        if path and self._peek() != ("[" if path[0] == ITEM else "{"):
            return
        yield from self._below(tuple(path))
        if not path and self._peek():
            raise self._bad(Said("document_more", "more text follows the end"))

    def _below(self, path: tuple[str, ...]) -> Iterator[object]:
        if not path:
            yield self._value()
        elif path[0] == ITEM:
            if self._peek() != "[":
                self._pass()
                return
            for _ in self._entries("[", "]"):
                yield from self._below(path[1:])
        elif self._peek() != "{":
            self._pass()
        else:
            yield from self._member(path)

    def _member(self, path: tuple[str, ...]) -> Iterator[object]:
        for _ in self._entries("{", "}"):
            name = self._value()
            self._take(":")
            if name == path[0]:
                yield from self._below(path[1:])
            else:
                self._pass()

    def _pass(self) -> None:
        """Pass a value that is not wanted; a list or an object entry by entry, for it may be long."""
        opening = self._peek()
        if opening not in ("[", "{"):
            self._value()
            return
        for _ in self._entries(opening, "]" if opening == "[" else "}"):
            self._value()
            if opening == "{":
                self._take(":")
                self._value()

    def _entries(self, opening: str, closing: str) -> Iterator[None]:
        """Yield once in front of each entry of a list or an object, and pass its end."""
        self._take(opening)
        if self._peek() == closing:
            self._take(closing)
            return
        while True:
            yield
            if self._peek() == closing:
                self._take(closing)
                return
            self._take(",")

    def _peek(self) -> str:
        """Return the next character that is no blank, '' at the end."""
        while True:
            found = _BLANK.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _take(self, wanted: str) -> None:
        found = self._peek()
        if found != wanted:
            raise self._bad(_lacks(wanted) if found else Said("document_short", "it ends too early"))
        self._at += 1

    def _value(self) -> object:
        """Return the next whole value, reading on until it is there."""
        self._peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError as error:
                raise self._bad(Said("document_deep", "lists or records are too deep inside each other")) from error
            except json.JSONDecodeError as error:
                if not self._cut(error) or not self._more(twice=True):
                    raise self._bad(error.msg, error.pos) from error
            except ValueError as error:
                raise self._bad(Said("document_digits", "a number has too many digits")) from error
            else:
                if end < len(self._text) or not self._more():  # a number at the end of a piece may go on
                    self._at = end
                    return value

    def _more(self, *, twice: bool = False) -> bool:
        """Read on; with `twice` as much as waits already, so that a long value is not begun too often."""
        if self._ended:
            return False
        waiting = len(self._text) - self._at
        if waiting > LONGEST_RECORD:
            raise self._bad(_long_record())
        block = self._stream.read(max(_BLOCK, waiting if twice else 0))
        if not block:
            self._ended = True
            return False
        if not self._text and not self._before:
            block = block.removeprefix(BOM)
        self._before += self._at
        self._text, self._at = self._text[self._at :] + block, 0
        return True

    def _cut(self, error: json.JSONDecodeError) -> bool:
        """Tell whether an error may only mean that the value goes on behind what was read."""
        return error.msg.startswith("Unterminated") or error.pos >= len(self._text) - len("\\ud83d\\ude00")

    def _bad(self, why: str, at: int | None = None) -> UsageError:
        place = self._before + (self._at if at is None else at)
        text = f"{self._path} is no JSON document: {why} (character {place:,})."
        return UsageError("json_document", text, file=str(self._path), why=why, place=place)


def _lacks(wanted: str) -> Said:
    return Said("document_lacks", f"{wanted} is missing", wanted=wanted)


def _long_record() -> Said:
    text = f"one record has more than {LONGEST_RECORD:,} characters"
    return Said("document_record", text, longest=f"{LONGEST_RECORD:,}")
