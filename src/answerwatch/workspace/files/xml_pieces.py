"""XML as it comes: a stream is parsed piece by piece, and whatever declares a document type is refused.

Without a document type there are no entities of one's own, and with them go all known attacks on readers of XML.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol
from xml.parsers import expat

from answerwatch.errors import UsageError
from answerwatch.workspace.files.kinds import damaged

_BLOCK = 1 << 16


class Reader(Protocol):
    """What looks at the elements of a document, by names without their prefixes."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """See an element begin."""

    def end(self, name: str) -> None:
        """See an element end."""

    def text(self, text: str) -> None:
        """See a piece of text."""


def parse(stream: IO[bytes], reader: Reader, path: Path) -> Iterator[None]:
    """Hand a document to a reader, and yield after each piece; `path` is named in errors.

    Raises UsageError where it is no XML or declares a document type.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: reader.start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: reader.end(name.rpartition(":")[2])
    parser.CharacterDataHandler = reader.text

    def refuse(*_: object) -> None:
        text = f"{path} declares a document type inside, which no workbook needs; it is not read."
        raise UsageError("file_entities", text, file=str(path))

    parser.StartDoctypeDeclHandler = refuse
    try:
        while block := stream.read(_BLOCK):
            parser.Parse(block, False)  # noqa: FBT003 - expat takes it by position alone
            yield
        parser.Parse(b"", True)  # noqa: FBT003 - the same
    except expat.ExpatError as error:
        raise damaged(path, str(error)) from error
    yield


def parse_whole(stream: IO[bytes], reader: Reader, path: Path) -> None:
    """Hand a document to a reader at once."""
    for _ in parse(stream, reader, path):
        pass
