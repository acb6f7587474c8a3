"""The encoding of a text file: its mark, strict UTF-8, UTF-16 without a mark, GB18030 (which holds GBK).

A file that is none of them is refused with the place of the first bad byte. Nothing is ever decoded with replacement.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from answerwatch.errors import UsageError

_MARKS = (
    (codecs.BOM_UTF8, "UTF-8"),
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
KNOWN = (
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be",
    "gb18030", "gbk", "gb2312", "big5", "big5hkscs", "cp950",
    "shift_jis", "cp932", "euc_jp", "euc_kr", "cp949",
    "ascii", "iso8859-1", "iso8859-2", "iso8859-15", "koi8-r",
    *(f"cp{number}" for number in (437, 850, 874, *range(1250, 1259))),
)  # fmt: skip
"""Encodings that files of texts come in, by Python's names; it has others, for names of hosts and parts of programs."""
_BLOCK = 1 << 20


def find_encoding(path: Path, head: bytes, forced: str | None) -> tuple[str, str]:
    """Return the encoding as shown and as Python calls it; `head` are the first bytes.

    Raises UsageError for a file that is in none, or not in the one that is `forced`, which is one of KNOWN.
    """
    if forced is not None:
        return _forced(path, forced)
    for mark, name in _MARKS:
        if head.startswith(mark):
            codec = "utf-8-sig" if name == "UTF-8" else name
            _refuse_bad_bytes(path, codec, name)
            return name, codec
    if unmarked := _without_mark(head):
        _refuse_bad_bytes(path, unmarked, "UTF-16")
        return "UTF-16", unmarked
    utf8 = _first_bad_byte(path, "utf-8")
    if utf8 is None:
        return "UTF-8", "utf-8"
    gb18030 = _first_bad_byte(path, "gb18030")
    if gb18030 is None:
        return "GB18030", "gb18030"
    text = (
        f"{path} is neither UTF-8 (bad byte at offset {utf8}) nor GB18030 (bad byte at offset {gb18030}); "
        "save it as UTF-8, or name its encoding."
    )
    raise UsageError("file_encoding", text, file=str(path), utf8=utf8, gb18030=gb18030)


def _without_mark(head: bytes) -> str | None:
    """Return the codec of UTF-16 that has lost its mark: every line of its head ends in two bytes, one of them zero.

    Without this look such a file passes for GB18030, where nearly all pairs of bytes mean something.
    """
    ends = [place for place, byte in enumerate(head[:-1]) if byte == 0x0A]
    if ends and all(place % 2 == 0 and head[place + 1] == 0 for place in ends):
        return "utf-16-le"
    if ends and all(place % 2 == 1 and head[place - 1] == 0 for place in ends):
        return "utf-16-be"
    return None


def _forced(path: Path, name: str) -> tuple[str, str]:
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = ""
    if codec not in KNOWN:
        text = f"There is no encoding {name[:40]!r} of texts; use utf-8, gb18030, big5 or utf-16."
        raise UsageError("encoding_unknown", text, encoding=name[:40])
    codec = "utf-8-sig" if codec == "utf-8" else codec
    _refuse_bad_bytes(path, codec, name)
    return name.upper(), codec


def _refuse_bad_bytes(path: Path, codec: str, name: str) -> None:
    offset = _first_bad_byte(path, codec)
    if offset is not None:
        text = f"{path} is not {name}: bad byte at offset {offset}; save it as UTF-8."
        raise UsageError("file_bad_byte", text, file=str(path), encoding=name, offset=offset)


def _first_bad_byte(path: Path, codec: str) -> int | None:
    """Return the offset of the first byte that cannot be decoded, None when the whole file can."""
    decoder = codecs.getincrementaldecoder(codec)("strict")
    offset = 0
    with path.open("rb") as file:
        while True:
            block = file.read(_BLOCK)
            waiting = len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                return offset - waiting + error.start
            except UnicodeError:  # UTF-16 without the mark that tells its byte order
                return offset
            offset += len(block)
            if not block:
                return None
