"""What files are that are no text: workbooks and archives are read, others are named by what they are."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.files.archives import BROKEN, checked_members
from answerwatch.workspace.files.records import FileFormat

ARCHIVE = Said("kind_archive", "an archive without anything that can be read here")
TEXT = Said("kind_text", "a text")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_MAGIC = (
    (b"%PDF", Said("kind_pdf", "a PDF document")),
    (b"\x1f\x8b", Said("kind_gzip", "a compressed file (gzip); unpack it first")),
    (b"7z\xbc\xaf\x27\x1c", Said("kind_7z", "an archive (7-Zip); unpack it first")),
    (b"Rar!", Said("kind_rar", "an archive (RAR); unpack it first")),
    (b"\x89PNG", Said("kind_image", "a picture")),
    (b"\xff\xd8\xff", Said("kind_image", "a picture")),
    (b"SQLite format 3", Said("kind_sqlite", "a database (SQLite)")),
    (b"PAR1", Said("kind_parquet", "a table in Parquet")),
)
_UNORDINARY = (
    (stat.S_ISDIR, Said("kind_folder", "a folder")),
    (stat.S_ISFIFO, Said("kind_pipe", "a pipe")),
    (stat.S_ISSOCK, Said("kind_socket", "a socket")),
    (stat.S_ISCHR, Said("kind_device", "a device")),
    (stat.S_ISBLK, Said("kind_device", "a device")),
)
_MEMBERS = (
    ("word/document.xml", Said("kind_docx", "a document of a word processor")),
    ("ppt/presentation.xml", Said("kind_pptx", "a presentation")),
    ("xl/workbook.bin", Said("kind_xlsb", "a binary workbook (.xlsb); save it as .xlsx")),
    ("content.xml", Said("kind_ods", "an OpenDocument file (.ods, .odt); save it as .xlsx")),
)


def other_kind(path: Path, kind: Said) -> UsageError:
    """Return the error of a file that is something else than a table."""
    text = f"{path} is {kind}; CSV, XLSX, JSON and JSONL can be imported."
    return UsageError("file_kind", text, file=str(path), kind=kind)


def refuse_unordinary(path: Path) -> None:
    """Raise UsageError for what is no ordinary file: it may have no end, and can be read only once.

    `-` is no exception: a file is read for its encoding, for its hash and for its rows. Raises OSError where there is
    nothing.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if str(path) != "-":
            raise
        text = "Standard input is not imported: a file is read more than once. Save it, and give the name of the file."
        raise UsageError("file_standard_input", text) from None
    kind = next((kind for is_kind, kind in _UNORDINARY if is_kind(mode)), None)
    if kind is not None:
        text = f"{path} is {kind}, and a file is read more than once; save it to a file, and give its name."
        raise UsageError("file_unordinary", text, file=str(path), kind=kind)


def packed_format(path: Path, head: bytes) -> FileFormat | None:
    """Return the format of a workbook or archive, None of a text; raises UsageError for every other kind."""
    if head.startswith(_OLE):
        raise _old_workbook(path)
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            raise other_kind(path, kind)
    if not head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return None
    try:
        with zipfile.ZipFile(path) as archive:
            names = {name.replace("\\", "/").lower() for name in checked_members(archive, path)}
    except BROKEN as error:
        raise damaged(path, str(error)) from error
    for name, kind in _MEMBERS:
        if name in names:
            raise other_kind(path, kind)
    return FileFormat.XLSX if any(name.startswith("xl/") for name in names) else FileFormat.ZIP


def damaged(path: Path, why: str) -> UsageError:
    """Return the error of a workbook or archive that cannot be read to its end.

    `why` is a text of ours that has its translation, or what a library says.
    """
    if not isinstance(why, Said):
        why = in_short(why, 200)
        return UsageError("file_broken", f"{path} is damaged: {why}. Save or load it again.", file=str(path), why=why)
    return UsageError("file_damaged", f"{path} is damaged: {why}. Save or load it again.", file=str(path), why=why)


def refuse_markup(path: Path, text: str) -> None:
    """Raise UsageError for web pages and XML, which programs like to save under the names of tables."""
    beginning = text[:512].lower()
    if beginning.startswith(("<!doctype html", "<html", "<table", "<meta", "<head", "<div", "<body")):
        raise other_kind(
            path, Said("kind_html", "a web page (HTML); open it in a spreadsheet program, save it as .xlsx")
        )
    if beginning.startswith("<?xml"):
        raise other_kind(path, Said("kind_xml", "an XML file; open it in a spreadsheet program and save it as .xlsx"))


def _old_workbook(path: Path) -> UsageError:
    """Return the error of a file in the container of older office programs, which locked workbooks lie in, too."""
    with path.open("rb") as file:
        tail = b""
        while block := file.read(1 << 20):
            if _ENCRYPTED in tail + block:
                text = f"{path} is locked with a password; open it, remove the password and save it again."
                return UsageError("file_locked", text, file=str(path))
            tail = block[-len(_ENCRYPTED) :]
    return other_kind(path, Said("kind_xls", "a workbook of an old kind (.xls); save it as .xlsx"))
