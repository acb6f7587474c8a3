"""The object store: raw payloads as they were received, written once and never changed.

Five verbs behind one protocol. They block and may be called from any thread; a loop calls them in a thread.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar
from urllib.parse import quote, unquote, urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError
from obstore.store import LocalStore

from answerwatch.errors import ConfigurationError, ServiceError, StoreFull, UsageError

T = TypeVar("T")

LONGEST_PART = 200
"""Bytes of one part of a key: file systems take 255, and writing needs room for a suffix."""

_PIECE = 1 << 20
"""Bytes that are copied at a time."""

_SAFE = " !$&'()+,;=@~"
"""Characters beside letters, digits, `_`, `.` and `-` that may stand in a key as they are."""


class ObjectMissing(ServiceError):
    """There is no object under this key."""


class ObjectDiffers(ServiceError):
    """Another object lies under this key already; evidence is never overwritten."""


class ObjectStore(Protocol):
    """Keeps bytes under keys."""

    def put(self, key: str, data: bytes) -> None:
        """Keep `data`; putting the same bytes again does nothing, other bytes raise ObjectDiffers.

        Raises StoreFull when no space is left and ServiceError when the store cannot be used.
        """

    def put_file(self, key: str, file: BinaryIO) -> None:
        """Keep what a file holds from where it stands, as `put` does, without holding it in memory."""

    def get(self, key: str) -> bytes:
        """Return the bytes; raises ObjectMissing or ServiceError."""

    def exists(self, key: str) -> bool:
        """Tell whether there is an object."""

    def delete(self, key: str) -> None:
        """Remove the object if it is there."""

    def below(self, prefix: str) -> list[str]:
        """Return the keys of all objects below a prefix that ends with a slash."""

    def tidy(self, prefix: str) -> None:
        """Remove what writers that died in the middle left below a prefix; nobody may be writing there."""

    def url(self, key: str) -> str:
        """Return the address that `raw_data_url` holds."""


def raw_key(batch_id: str, sub_task_id: str, attempt: int) -> str:
    """Return the key of one attempt's payload; anyone who knows the attempt can work it out."""
    return f"raw/{_part(batch_id)}/{_part(sub_task_id)}/{attempt}.gz"


def raw_folder(batch_id: str) -> str:
    """Return what the keys of a batch's payloads begin with."""
    return f"raw/{_part(batch_id)}/"


def import_key(sha256: str, suffix: str) -> str:
    """Return the key of an imported file."""
    return f"imports/{_part(sha256 + suffix)}.gz"


def _part(name: str) -> str:
    """Return a name as one part of a key: separators escaped, too long ones ended by their hash."""
    safe = "".join(ch if ch.isalnum() or ch in "_.-" else quote(ch, safe=_SAFE) for ch in name)
    if not safe.strip("."):
        safe = safe.replace(".", "%2E")
    if len(safe.encode()) <= LONGEST_PART:
        return safe
    head = safe.encode()[: LONGEST_PART - 33].decode("utf-8", "ignore")
    return f"{head}~{hashlib.sha256(name.encode()).hexdigest()[:32]}"


def key_of(url: str, base: str) -> str:
    """Return the key of an address below `base` (what `url("")` gives); raises UsageError for another address."""
    if not url.startswith(base):
        raise UsageError("object_elsewhere", f"The object {url} is not in the store at {base}.", url=url, base=base)
    return unquote(url[len(base) :].partition("#")[0])


class LocalObjects:
    """Objects in a folder of this machine."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`, made with the first object."""
        self.folder = folder.absolute()
        self._opened: LocalStore | None = None

    def _store(self) -> LocalStore:
        if self._opened is None:
            self._make(self.folder)
            self._opened = LocalStore(prefix=self.folder)
        return self._opened

    def _make(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _translated(error, self.folder) from error

    def put(self, key: str, data: bytes) -> None:
        """Keep `data` under `key`."""
        try:
            self._guarded(key, lambda: obstore.put(self._store(), key, data, mode="create", use_multipart=False))
        except FileExistsError:
            if self.get(key) != data:
                text = f"Another object lies at {key} already; it is kept and the new one refused."
                raise ObjectDiffers("object_differs", text, key=key) from None

    def put_file(self, key: str, file: BinaryIO) -> None:
        """Keep what a file holds under `key`: the library would read it whole."""
        path = self.folder / key
        part = path.with_name(f"{path.name}#{os.getpid()}")
        begin = file.tell()
        self._make(path.parent)
        try:
            with part.open("wb") as target:
                shutil.copyfileobj(file, target, _PIECE)
                target.flush()
                os.fsync(target.fileno())
            os.link(part, path)
        except FileExistsError:
            file.seek(begin)
            if not _same(file, path):
                text = f"Another object lies at {key} already; it is kept and the new one refused."
                raise ObjectDiffers("object_differs", text, key=key) from None
        except OSError as error:
            raise _translated(error, self.folder) from error
        finally:
            part.unlink(missing_ok=True)

    def get(self, key: str) -> bytes:
        """Return the bytes under `key`."""
        try:
            found = self._guarded(key, lambda: obstore.get(self._store(), key).bytes())
        except FileNotFoundError:
            raise ObjectMissing("object_missing", f"There is no object {key} in {self.folder}.", key=key) from None
        return bytes(found)

    def exists(self, key: str) -> bool:
        """Tell whether there is an object under `key`."""
        try:
            self._guarded(key, lambda: obstore.head(self._store(), key))
        except FileNotFoundError:
            return False
        return True

    def delete(self, key: str) -> None:
        """Remove the object under `key` if it is there."""
        try:
            self._guarded(key, lambda: obstore.delete(self._store(), key))
        except FileNotFoundError:
            return

    def below(self, prefix: str) -> list[str]:
        """Return the keys of all objects below `prefix`."""
        parts = self._guarded(prefix, lambda: list(obstore.list(self._store(), prefix)))
        return [each["path"] for part in parts for each in part]

    def tidy(self, prefix: str) -> None:
        """Remove half-written files below `prefix`: writing goes to a name of its own, which listings leave out."""
        for path in (self.folder / prefix).rglob("*.gz#*"):
            self._guarded(prefix, partial(path.unlink, missing_ok=True))

    def url(self, key: str) -> str:
        """Return the `file://` address of `key`."""
        return f"{self.folder.as_uri()}/{quote(key, safe='/~')}"

    def _guarded(self, key: str, work: Callable[[], T]) -> T:
        """Run `work` and turn the library's errors into ours; missing and existing objects pass for the caller."""
        try:
            return work()
        except (NotFoundError, FileNotFoundError):
            raise FileNotFoundError(key) from None
        except (AlreadyExistsError, FileExistsError):
            raise FileExistsError(key) from None
        except (BaseError, OSError) as error:
            raise _translated(error, self.folder) from error


def _same(file: BinaryIO, path: Path) -> bool:
    """Tell whether the rest of a file is what lies at a path."""
    with path.open("rb") as other:
        while piece := file.read(_PIECE):
            if other.read(len(piece)) != piece:
                return False
        return not other.read(1)


def _translated(error: Exception, folder: Path) -> ServiceError:
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    full = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    if any(os.strerror(number) in first for number in full) or getattr(error, "errno", None) in full:
        return StoreFull("objects_full", f"No space is left for raw answers in {folder}; free some and start again.")
    text = f"Raw answers cannot be kept in {folder}: {first}. Check that the folder is there and may be written."
    return ServiceError("objects_denied", text, folder=str(folder))


def open_objects(url: str) -> ObjectStore:
    """Return the store at `url`; raises ConfigurationError for a kind that is not supported."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        text = f"Object stores of kind {parts.scheme or url!r} are not supported; use file:///folder."
        raise ConfigurationError("objects_kind", text, kind=parts.scheme)
    return LocalObjects(Path(unquote(parts.path)))
