"""Reads `pytorch_model.bin` without running anything of it: torch's zip format with a pickle of tensors inside.

A pickle is a program. Here it may name nothing but the functions that put tensors together and the kinds of storage,
and it gets our own in their place: tuples that only note what is where. Everything else that it names is refused.
"""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt

from answerwatch.domain.texts import in_short
from answerwatch.errors import ConfigurationError
from answerwatch.similarity.scorer import Floats

LONGEST_PICKLE = 64 << 20
"""Bytes of the pickle: it holds names and shapes, not numbers, so that far fewer do."""
MOST_AXES = 8

BFLOAT16 = "bfloat16"
_TYPES = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "BFloat16Storage": BFLOAT16,
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "?",
}


class _Kind(NamedTuple):
    """A kind of storage. Tuples have nothing that a pickle could change."""

    dtype: str


class _Storage(NamedTuple):
    """Bytes of the archive."""

    key: str
    dtype: str


class _Tensor(NamedTuple):
    """A view of a storage, as the pickle says; looked at when it is read."""

    storage: Any
    offset: Any
    shape: Any
    strides: Any


class _Rebuild(NamedTuple):
    """What stands for `torch._utils._rebuild_tensor_v2` and its elder."""

    name: str

    def __call__(self, storage: object, offset: object, shape: object, strides: object, *rest: object) -> _Tensor:
        del rest  # gradients and hooks
        return _Tensor(storage, offset, shape, strides)


class _Parameter(NamedTuple):
    """What stands for `torch._utils._rebuild_parameter`."""

    name: str

    def __call__(self, data: object, *rest: object) -> object:
        del rest
        return data


_NAMED: Mapping[tuple[str, str], object] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("torch._utils", "_rebuild_tensor"): _Rebuild("_rebuild_tensor"),
    ("torch._utils", "_rebuild_tensor_v2"): _Rebuild("_rebuild_tensor_v2"),
    ("torch._utils", "_rebuild_parameter"): _Parameter("_rebuild_parameter"),
    **{("torch", name): _Kind(dtype) for name, dtype in _TYPES.items()},
}


class _Refused(Exception):
    """The pickle names something that is no part of a tensor."""


class _Reader(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:  # noqa: ANN401 - what the base class returns
        found = _NAMED.get((module_name, global_name))
        if found is None:
            raise _Refused(f"{module_name}.{global_name}")
        return found

    def persistent_load(self, pid: Any) -> _Storage:  # noqa: ANN401 - whatever the pickle says
        if not (isinstance(pid, tuple) and len(pid) >= 3 and pid[0] == "storage" and isinstance(pid[1], _Kind)):
            raise _Refused("a persistent id of another kind")
        return _Storage(str(pid[2]), pid[1].dtype)


class TorchZip:
    """The tensors of one `pytorch_model.bin`; their numbers are read when they are asked for."""

    def __init__(self, path: Path) -> None:
        """Read the names; raises ConfigurationError for a file that is damaged, or does more than name tensors."""
        self._path = path
        try:
            with ZipFile(path) as archive:
                root = self._root(archive)
                data = self._bytes(archive, f"{root}/data.pkl", LONGEST_PICKLE)
                if f"{root}/byteorder" in archive.namelist():
                    self._check_order(self._bytes(archive, f"{root}/byteorder", 64))
        except BadZipFile as error:
            self._bad("it is not in the zip format that torch writes since version 1.6", error)
        except OSError as error:
            self._bad(error.strerror or str(error), error)
        self._root_name = root
        self._tensors = self._unpickled(data)

    def names(self) -> frozenset[str]:
        """Return the names of all tensors."""
        return frozenset(self._tensors)

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a tensor."""
        shape = self._tensors[name].shape
        if not _are_sizes(shape):
            self._bad(f"{name} has no shape")
        return tuple(shape)

    def read(self, name: str) -> Floats:
        """Return a tensor; raises ConfigurationError where it does not lie in the archive as it says."""
        tensor, shape = self._tensors[name], self.shape(name)
        storage, strides, offset = tensor.storage, tensor.strides, tensor.offset
        if not isinstance(storage, _Storage) or not _are_sizes(strides) or not _are_sizes((offset,)):
            self._bad(f"{name} is no view of numbers")
        with ZipFile(self._path) as archive:
            try:
                data = self._bytes(archive, f"{self._root_name}/data/{storage.key}")
            except KeyError as error:
                self._bad(f"the numbers of {name} are missing", error)
        numbers = _numbers(data, storage.dtype)
        last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=False))
        if len(shape) != len(strides) or int(np.prod(shape)) > len(numbers) or last >= max(1, len(numbers)):
            self._bad(f"{name} reaches beyond its numbers")
        wide = [stride * numbers.itemsize for stride in strides]
        return np.ascontiguousarray(np.lib.stride_tricks.as_strided(numbers[offset:], shape, wide), dtype=np.float32)

    def _root(self, archive: ZipFile) -> str:
        found = [name for name in archive.namelist() if name.count("/") == 1 and name.endswith("/data.pkl")]
        if len(found) != 1:
            self._bad("it has no data.pkl")
        return found[0].removesuffix("/data.pkl")

    def _bytes(self, archive: ZipFile, name: str, most: int | None = None) -> bytes:
        entry = archive.getinfo(name)
        if entry.compress_type != ZIP_STORED or (most is not None and entry.file_size > most):
            self._bad(f"{name} is compressed or far too large")
        return archive.read(entry)

    def _check_order(self, order: bytes) -> None:
        if order != b"little":
            self._bad("its numbers are in the byte order of another machine")

    def _unpickled(self, data: bytes) -> dict[str, _Tensor]:
        try:
            found = _Reader(io.BytesIO(data)).load()
        except _Refused as error:
            file, what = str(self._path), in_short(str(error), 100)
            text = (
                f"{file} names {what}, which is no part of a tensor; nothing of it was run. "
                "Where you trust it, convert it to model.safetensors with torch."
            )
            raise ConfigurationError("onnx_pickle_refused", text, file=file, what=what) from error
        except Exception as error:  # noqa: BLE001 - a damaged pickle fails in whatever way
            self._bad("its pickle is damaged", error)
        if not isinstance(found, dict):
            self._bad("it holds no table of tensors")
        return {name: one for name, one in found.items() if isinstance(name, str) and isinstance(one, _Tensor)}

    def _bad(self, why: str, cause: Exception | None = None) -> NoReturn:
        raise unreadable(self._path, why) from cause


def unreadable(path: Path, why: str) -> ConfigurationError:
    """Return the error of a file of weights that cannot be used."""
    text = f"{path} cannot be read as weights: {why}. Copy it again, or convert it to model.safetensors."
    return ConfigurationError("onnx_weights_unreadable", text, file=str(path), why=why)


def _are_sizes(values: object) -> bool:
    return (
        isinstance(values, tuple)
        and len(values) <= MOST_AXES
        and all(type(one) is int and 0 <= one < 1 << 40 for one in values)
    )


def _numbers(data: bytes, dtype: str) -> npt.NDArray[Any]:
    if dtype != BFLOAT16:
        return np.frombuffer(data, dtype=dtype)
    high = np.frombuffer(data, dtype="<u2").astype(np.uint32)
    return (high << 16).view(np.float32)
