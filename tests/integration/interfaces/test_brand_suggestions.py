"""`answerwatch brands suggest`, as an operator types it."""

import json
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

ANSWER = (
    "推荐这几个品牌：\n1. **极石咖啡**：豆子新鲜，极石咖啡的门店也多。\n"
    "2. **北岭咖啡**：价格实在，适合每天喝。\n3. **砚山咖啡**：烘焙稳定。"
)


@pytest.fixture
def answered(ready: Cli, tmp_path: Path) -> Cli:
    """A workspace with one cleaned answer."""
    file = tmp_path / "answers.jsonl"
    row = {"question": "哪个咖啡品牌好", "answer": ANSWER, "platform": "kimi"}
    file.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    assert ready("samples", "import", str(file)).code == 0
    assert ready("clean", "run").code == 0
    return ready


def test_names_are_listed_and_one_after_the_other_decided_about(answered: Cli) -> None:
    listed = answered("brands", "suggest")

    assert listed.code == 0
    assert "极石咖啡" in listed.out
    assert "Looked for names in 1 answers that are new." in listed.out
    (first, second) = answered("brands", "suggest", "--json").json()["names"]
    assert (first["name"], first["answers"], first["platforms"]) == ("极石咖啡", 1, {"kimi-import": 1})
    example = first["examples"][0]
    assert ANSWER[example["position"] : example["position"] + example["length"]] == "极石咖啡"
    assert second["name"] == "北岭咖啡"

    assert answered("brands", "suggest", "--promote", "极石咖啡", "--brand-name", "极石").code == 0
    assert answered("brands", "suggest", "--ignore", "北岭咖啡", "--note", "a shop").code == 0

    assert answered("brands", "suggest", "--json").json()["names"] == []
    assert "No answer has a name that no brand covers." in answered("brands", "suggest").out
    assert "a shop" in answered("brands", "suggest", "--ignored").out
    assert answered("brands", "suggest", "--restore", "北岭咖啡").code == 0
    merged = answered("brands", "suggest", "--merge", "北岭咖啡", "--into", "极石", "--json").json()
    assert {alias["text"] for alias in merged["brand"]["aliases"]} == {"极石", "极石咖啡", "北岭咖啡"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--promote", "甲乙", "--ignore", "甲乙"), "one thing at a time"),
        (("--merge", "甲乙"), "--into"),
        (("--into", "砚山咖啡"), "--merge"),
        (("--brand-name", "甲乙"), "--promote"),
        (("--promote", "甲乙"), "甲乙"),
        (("--restore", "甲乙"), "--ignored"),
    ],
)
def test_what_is_not_whole_is_refused_with_the_way_out(ready: Cli, options: tuple[str, ...], said: str) -> None:
    refused = ready("brands", "suggest", *options)

    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err
