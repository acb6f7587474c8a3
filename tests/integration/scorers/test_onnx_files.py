"""Files of local models: what is wrong is told by name, nothing of a pickle runs, texts are cut as BERT does."""

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED

import numpy as np
import pytest
from safetensors.numpy import save_file

from answerwatch.errors import AnswerwatchError, ConfigurationError, UsageError
from answerwatch.scorers.onnx.batches import batches
from answerwatch.scorers.onnx.config import Head
from answerwatch.scorers.onnx.converting import Conversion, convert
from answerwatch.scorers.onnx.kind import make
from answerwatch.scorers.onnx.settings import OnnxSettings
from answerwatch.scorers.onnx.tokenizing import read_tokenizer
from answerwatch.scorers.onnx.torch_zip import TorchZip
from tests.checkpoints import VOCABULARY, Layout, random_bert, write_archive, write_checkpoint, write_torch
from tests.integration.scorers.bert_by_hand import encoded

WEIGHTS = random_bert(labels=2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_checkpoint(tmp_path / "model", WEIGHTS, Layout())


class Touch:
    """Makes a file when it is unpickled by somebody who is not careful."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (self.path,)


def test_nothing_of_a_pickle_runs(folder: Path, tmp_path: Path) -> None:
    (folder / "model.safetensors").unlink()
    done = tmp_path / "done"
    write_archive(folder / "pytorch_model.bin", pickle.dumps({"a": Touch(done)}), [])

    with pytest.raises(ConfigurationError, match=r"nothing of it was run.*model\.safetensors") as refused:
        make("tiny", OnnxSettings(folder=folder))

    assert refused.value.code == "onnx_pickle_refused"
    assert not done.exists()


@pytest.mark.parametrize(
    "name",
    ["os\nsystem", "builtins\neval", "torch\nload", "torch._utils\n_rebuild_tensor_v2.__class__", "numpy\nndarray"],
)
def test_a_pickle_names_parts_of_tensors_alone(tmp_path: Path, name: str) -> None:
    write_archive(tmp_path / "x.bin", b"\x80\x02c" + name.encode() + b"\n.", [])

    with pytest.raises(ConfigurationError, match=name.split("\n")[1]):
        TorchZip(tmp_path / "x.bin")


def test_a_pickle_changes_nothing_that_stays(tmp_path: Path) -> None:
    """It may set attributes of what it is given: what it is given has none."""
    setting = b"}X\x08\x00\x00\x00__name__X\x01\x00\x00\x00xsb."
    write_archive(tmp_path / "x.bin", b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n" + setting, [])
    write_archive(tmp_path / "y.bin", b"\x80\x02ctorch\nFloatStorage\n" + setting, [])

    for name in ("x.bin", "y.bin"):
        with pytest.raises(ConfigurationError, match="damaged"):
            TorchZip(tmp_path / name)


def test_tensors_of_torch_come_out_as_they_went_in(tmp_path: Path) -> None:
    write_torch(tmp_path / "x.bin", WEIGHTS)

    read = TorchZip(tmp_path / "x.bin")

    assert read.names() == frozenset(WEIGHTS)
    assert all(np.array_equal(read.read(name), values) for name, values in WEIGHTS.items())


def view(shape: bytes, strides: bytes, offset: int = 0, kind: bytes = b"FloatStorage") -> bytes:
    storage = b"(X\x07\x00\x00\x00storagectorch\n" + kind + b"\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x04tQ"
    tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K" + bytes([offset]) + shape + strides + b"\x89}tR"
    return b"\x80\x02}X\x01\x00\x00\x00a" + tensor + b"s."


@pytest.mark.parametrize(
    "pickled",
    [
        view(b"(K\x05t", b"(K\x01t"),
        view(b"(K\x02t", b"(K\x04t"),
        view(b"(K\x02t", b"(K\x01t", offset=3),
        view(b"(J\xff\xff\xff\x7fJ\xff\xff\xff\x7ft", b"(K\x00K\x00t"),
        view(b"(J\xff\xff\xff\xfft", b"(K\x01t"),
        view(b"(K\x02t", b"(K\x01K\x01t"),
        view(b"K\x02", b"(K\x01t"),
    ],
)
def test_a_view_beyond_its_numbers_is_refused(tmp_path: Path, pickled: bytes) -> None:
    write_archive(tmp_path / "x.bin", pickled, [np.arange(4, dtype="<f4").tobytes()])

    with pytest.raises(ConfigurationError, match="cannot be read as weights"):
        TorchZip(tmp_path / "x.bin").read("a")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (b"HalfStorage", np.array([1, -2], "<f2").tobytes()),
        (b"BFloat16Storage", b"\x80\x3f\x00\xc0"),
        (b"DoubleStorage", np.array([1, -2], "<f8").tobytes()),
    ],
)
def test_short_and_long_floats_are_read(tmp_path: Path, kind: bytes, data: bytes) -> None:
    write_archive(tmp_path / "x.bin", view(b"(K\x02t", b"(K\x01t", kind=kind), [data])

    assert TorchZip(tmp_path / "x.bin").read("a").tolist() == [1.0, -2.0]


def test_damaged_archives_are_told(tmp_path: Path) -> None:
    good = view(b"(K\x02t", b"(K\x01t")
    (tmp_path / "old.bin").write_bytes(b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.")
    write_archive(tmp_path / "squeezed.bin", good, [b"\0" * 16], compression=ZIP_DEFLATED)
    write_archive(tmp_path / "cut.bin", good[:-20], [b"\0" * 16])
    write_archive(tmp_path / "list.bin", b"\x80\x02].", [])

    for name, said in (("old", "1.6"), ("squeezed", "compressed"), ("cut", "damaged"), ("list", "no table")):
        with pytest.raises(ConfigurationError, match=said):
            TorchZip(tmp_path / f"{name}.bin")
    write_archive(tmp_path / "gone.bin", good, [])
    with pytest.raises(ConfigurationError, match="missing"):
        TorchZip(tmp_path / "gone.bin").read("a")


TEXTS = (
    "怎么退货？",
    "How do I return UNWANTED goods...",
    "Café phone电池x-ray，unwanteds",
    "  tabs\tand  blanks ",
    "没有见过的字 zzzz" + "a" * 120,
    "[SEP] 怎么 [MASK]",
    "１２３ ①",
    "",
)


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_cut_into_the_tokens_of_bert(folder: Path, text: str) -> None:
    tokenizer = read_tokenizer(folder)

    alone, pair = tokenizer.encode(text), tokenizer.encode(text, "怎么the")

    assert (alone.ids, alone.type_ids) == encoded(text)
    assert (pair.ids, pair.type_ids) == encoded(text, "怎么the")


def test_capitals_stay_where_the_model_tells_them_apart(folder: Path) -> None:
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}', encoding="utf-8")

    assert read_tokenizer(folder).encode("HOW").ids != read_tokenizer(folder).encode("how").ids


def test_batches_hold_as_many_tokens_as_they_may() -> None:
    lengths = [5, 30, 5, 8, 100, 7, 30]

    found = list(batches(lengths, 60))

    assert sorted(place for batch in found for place in batch) == list(range(7))
    assert [sorted(lengths[place] for place in batch) for batch in found] == [[5, 5, 7, 8], [30, 30], [100]]
    assert list(batches([], 60)) == []


Spoil = Callable[[Path], object]


def config(**values: object) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "config.json"
        raw = json.loads(path.read_text(encoding="utf-8")) | values
        kept = {key: value for key, value in raw.items() if value is not None}
        path.write_text(json.dumps(kept), encoding="utf-8")

    return spoil


def weights(**changed: Any) -> Spoil:  # noqa: ANN401 - an array, or None for one that is left out
    def spoil(folder: Path) -> None:
        tensors: dict[str, Any] = {
            f"bert.{name}" if "classifier" not in name else name: one for name, one in WEIGHTS.items()
        }
        tensors |= changed
        save_file({key: one for key, one in tensors.items() if one is not None}, folder / "model.safetensors")

    return spoil


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (shutil.rmtree, "no folder"),
        (lambda folder: (folder / "config.json").unlink(), r"config\.json"),
        (lambda folder: (folder / "config.json").write_text("{"), r"config\.json cannot be used"),
        (lambda folder: (folder / "config.json").write_text("[]"), "no JSON object"),
        (lambda folder: (folder / "vocab.txt").unlink(), r"tokenizer\.json / vocab\.txt"),
        (lambda folder: (folder / "vocab.txt").write_text("a\nb\n"), r"\[CLS\]"),
        (lambda folder: (folder / "vocab.txt").write_bytes(b"\xff\xfe"), r"vocab\.txt"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), r"tokenizer\.json"),
        (lambda folder: (folder / "vocab.txt").write_text("\n".join((*VOCABULARY, "more"))), "another model"),
        (lambda folder: (folder / "model.safetensors").unlink(), r"pytorch_model\.bin"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"nonsense"), r"model\.safetensors"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"nonsense"), "head = vector or pair"),
        (config(model_type="albert"), "albert"),
        (config(hidden_act="silu"), "silu"),
        (config(position_embedding_type="relative_key"), "relative_key"),
        (config(num_attention_heads=None), "num_attention_heads"),
        (config(num_attention_heads=5), "5 attention heads"),
        (config(id2label={"0": "no", "1": "yes"}, label2id={}), "no, yes"),
        (config(id2label={"0": "1", "1": "0"}), "positive"),
        (config(max_position_embeddings=16), "16 tokens"),
        (weights(**{"bert.pooler.dense.weight": np.zeros((2, 2), np.float32)}), "32 x 32"),
        (weights(**{"bert.encoder.layer.1.output.dense.bias": None}), r"layer\.1\.output\.dense\.bias"),
        (weights(**{"bert.embeddings.word_embeddings.weight": None}), "word_embeddings"),
    ],
)
def test_what_is_wrong_with_a_folder_is_told(folder: Path, spoil: Spoil, said: str) -> None:
    spoil(folder)

    with pytest.raises(ConfigurationError, match=said):
        make("tiny", OnnxSettings(folder=folder, max_tokens=20)).score([("怎", "么")])  # type: ignore[union-attr]  # a pair scorer


def test_a_file_of_the_model_can_be_named(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"onnx/model_int8\.onnx"):
        make("tiny", OnnxSettings(folder=folder, model="onnx/model_int8.onnx"))
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model_int8.onnx").write_bytes(b"nonsense")

    scorer = make("tiny", OnnxSettings(folder=folder, model="onnx/model_int8.onnx", head="vector"))

    with pytest.raises(ConfigurationError, match=r"model_int8\.onnx cannot be used"):
        scorer.encode(["怎"])  # type: ignore[union-attr]  # a vector scorer


@pytest.mark.parametrize(
    ("wanted", "error", "said"),
    [
        ({"out": "taken"}, UsageError, "there already"),
        ({"head": Head.VECTOR, "fold": True}, UsageError, "--fold"),
        ({"folder": "vectors", "head": Head.PAIR}, ConfigurationError, "no classifier"),
        ({"folder": "ready"}, ConfigurationError, "ONNX already"),
        ({"folder": "nowhere"}, ConfigurationError, "nowhere"),
    ],
)
def test_what_cannot_be_converted_is_told_and_leaves_nothing(
    folder: Path, tmp_path: Path, wanted: dict[str, Any], error: type[AnswerwatchError], said: str
) -> None:
    (tmp_path / "taken").mkdir()
    write_checkpoint(tmp_path / "vectors", random_bert(labels=0), Layout())
    shutil.copytree(folder, tmp_path / "ready")
    (tmp_path / "ready" / "model.onnx").touch()
    before = sorted(tmp_path.iterdir())
    paths = {"folder": tmp_path / wanted.pop("folder", "model"), "out": tmp_path / wanted.pop("out", "out")}

    with pytest.raises(error, match=said):
        convert(Conversion(**paths, **wanted))

    assert sorted(tmp_path.iterdir()) == before
