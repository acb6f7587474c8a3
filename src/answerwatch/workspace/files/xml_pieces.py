"""XML as it comes: a stream is parsed piece by piece, and whatever declares a document type is refused.

Without a document type there are no entities of one's own, and with them go all known attacks on readers of XML.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol
from xml.parsers import expat

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.files.kinds import damaged
from answerwatch.workspace.files.limits import DEEPEST_XML, LONGEST_TAG

_BLOCK = 1 << 16
_ENCODINGS = frozenset({"utf-8", "utf-16", "us-ascii", "iso-8859-1"})
"""What a document may declare; a workbook is in one of the first two. Others would be looked for among Python's."""


class Reader(Protocol):
    """What looks at the elements of a document, by names without their prefixes."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """See an element begin."""

    def end(self, name: str) -> None:
        """See an element end."""

    def text(self, text: str) -> None:
        """See a piece of text."""


def whole(text: str) -> int | None:
    """Return a whole number of an attribute, None for anything else; none there is has ten digits.

    >>> whole("12"), whole("-1"), whole("²"), whole("9" * 5000)
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


class _Guarded:
    """Hands what a parser sees to a reader, and refuses what is made to harm."""

    def __init__(self, reader: Reader, path: Path) -> None:
        self._reader = reader
        self._path = path
        self._depth = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST_XML:
            text = f"it has more than {DEEPEST_XML} elements inside each other"
            raise damaged(self._path, Said("damaged_deep", text, deepest=DEEPEST_XML))
        self._reader.start(name.rpartition(":")[2], attributes)

    def end(self, name: str) -> None:
        self._depth -= 1
        self._reader.end(name.rpartition(":")[2])

    def declaration(self, _: str, encoding: str | None, __: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            text = f"it is in the encoding {in_short(encoding)}"
            raise damaged(self._path, Said("damaged_encoding", text, encoding=in_short(encoding)))

    def doctype(self, *_: object) -> None:
        text = f"{self._path} declares a document type inside, which no workbook needs; it is not read."
        raise UsageError("file_entities", text, file=str(self._path))


def parse(stream: IO[bytes], reader: Reader, path: Path) -> Iterator[None]:
    """Hand a document to a reader, and yield after each piece; `path` is named in errors.

    Raises UsageError where it is no XML, declares a document type, or would fill the memory.
    """
    guarded = _Guarded(reader, path)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = guarded.start
    parser.EndElementHandler = guarded.end
    parser.CharacterDataHandler = reader.text
    parser.XmlDeclHandler = guarded.declaration
    parser.StartDoctypeDeclHandler = guarded.doctype
    fed = 0
    try:
        while block := stream.read(_BLOCK):
            parser.Parse(block, False)  # noqa: FBT003 - expat takes it by position alone
            fed += len(block)
            if fed - parser.CurrentByteIndex > LONGEST_TAG:
                text = f"one of its elements has more than {LONGEST_TAG:,} bytes"
                raise damaged(path, Said("damaged_tag", text, longest=f"{LONGEST_TAG:,}"))
            yield
        parser.Parse(b"", True)  # noqa: FBT003 - the same
    except expat.ExpatError as error:
        raise damaged(path, str(error)) from error
    yield


def parse_whole(stream: IO[bytes], reader: Reader, path: Path) -> None:
    """Hand a document to a reader at once."""
    for _ in parse(stream, reader, path):
        pass
