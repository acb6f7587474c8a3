"""`answerwatch similarity convert`: a published model becomes a folder that is loaded at once."""

from pathlib import Path

import pytest

from answerwatch.scorers.onnx.kind import make
from answerwatch.scorers.onnx.settings import OnnxSettings
from tests.checkpoints import Layout, random_bert, write_checkpoint
from tests.integration.interfaces.conftest import Cli


@pytest.fixture
def published(tmp_path: Path) -> Path:
    return write_checkpoint(tmp_path / "published", random_bert(labels=2), Layout(prefix="encoder.", torch=True))


def test_a_model_is_converted_and_loads(cli: Cli, published: Path, tmp_path: Path) -> None:
    out = tmp_path / "ready"

    done = cli("similarity", "convert", str(published), str(out), "--int8", "--fold")

    assert (done.code, done.err.splitlines()) == (0, ["writing the graph ...", "making it int8 ..."])
    assert "head pair" in done.out
    assert "differ from the exact ones by 0.0" in done.out
    assert {path.name for path in out.iterdir()} >= {"model.onnx", "tokenizer.json", "config.json", "vocab.txt"}
    scorer = make("tiny", OnnxSettings(folder=out))
    assert "head=pair" in scorer.facts.scorer_id
    assert "int8" in scorer.facts.scorer_id


def test_what_was_written_is_told_to_programs(cli: Cli, published: Path, tmp_path: Path) -> None:
    told = cli("similarity", "convert", str(published), str(tmp_path / "ready"), "--json").json()

    facts = {"head": "pair", "int8": False, "labels": 2, "megabytes": 0, "difference": None}
    assert told == {"folder": str(tmp_path / "ready"), **facts}


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [((), 2, "there already"), (("--head", "nose"), 2, "nose"), (("--positive", "alike", "--fold"), 3, "positive")],
)
def test_what_cannot_be_converted_is_told(
    cli: Cli, published: Path, tmp_path: Path, *, more: tuple[str, ...], code: int, said: str
) -> None:
    out = tmp_path / "ready"
    if not more:
        out.mkdir()

    refused = cli("similarity", "convert", str(published), str(out), *more)

    assert (refused.code, said in refused.err) == (code, True)
    assert "没有" in cli("similarity", "convert", str(tmp_path / "no"), str(tmp_path / "x"), language="zh").err
