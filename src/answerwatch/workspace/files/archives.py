"""Archives are looked at before anything is unpacked: nothing may grow far beyond what came in."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.files.limits import HIGHEST_RATIO, LARGEST_UNPACKED, MOST_MEMBERS, RATIO_FROM

BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, OverflowError
)  # fmt: skip
"""What the standard library raises while it unpacks something that is damaged."""


def checked_members(archive: zipfile.ZipFile, path: Path) -> list[str]:
    """Return the names of all files inside; raises UsageError when they are too many, too large or locked.

    What is declared holds: reading stops at the declared size, and then the checksum is wrong.
    """
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        text = f"it holds {len(members):,} files, at most {MOST_MEMBERS:,} are read"
        raise _refused(path, Said("packed_members", text, count=f"{len(members):,}", most=f"{MOST_MEMBERS:,}"))
    unpacked = sum(member.file_size for member in members)
    if unpacked > LARGEST_UNPACKED:
        text = f"it unpacks to {unpacked:,} bytes, at most {LARGEST_UNPACKED:,} are read"
        raise _refused(path, Said("packed_size", text, size=f"{unpacked:,}", most=f"{LARGEST_UNPACKED:,}"))
    for member in members:
        if member.flag_bits & 1:
            raise _refused(path, Said("packed_locked", "it is locked with a password; remove it first"))
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            name = in_short(member.filename, 100)
            text = f"{name} is packed in a way that workbooks and archives do not use; save it anew"
            raise _refused(path, Said("packed_method", text, member=name))
        if member.file_size > max(RATIO_FROM, HIGHEST_RATIO * member.compress_size):
            name = in_short(member.filename, 100)
            text = f"{name} unpacks to more than {HIGHEST_RATIO} times its size"
            raise _refused(path, Said("packed_ratio", text, member=name, ratio=HIGHEST_RATIO))
    if sum(member.compress_size for member in members) > path.stat().st_size:
        raise _refused(path, Said("packed_overlap", "the files inside lie over each other"))
    return [member.filename for member in members]


def _refused(path: Path, why: Said) -> UsageError:
    return UsageError("file_packed", f"{path} is not unpacked: {why}.", file=str(path), why=why)
