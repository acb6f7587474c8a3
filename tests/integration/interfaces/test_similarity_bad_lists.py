"""Lists as people have them: empty, huge, in other encodings, with what cannot be scored."""

import codecs
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.integration.interfaces.conftest import Cli

LINES = ("怎么退货", "退货流程是什么", "酒店哪家好")


def written(file: Path, data: bytes) -> str:
    file.write_bytes(data)
    return str(file)


def plan_of(ready: Cli, *words: str) -> Any:  # noqa: ANN401 - any JSON document
    return ready("similarity", "submit", *words, "--scorer", "lexical", "--json").json()


def problems_of(plan: dict[str, Any]) -> list[tuple[str, int, str]]:
    return [(one["side"], one["line"], one["reason"]) for one in plan["first_problems"]]


@pytest.mark.parametrize("data", [b"", b"\n\n \n\t\n", "\u200b\n\u3000\n".encode()])
def test_a_list_without_a_text_is_refused(ready: Cli, tmp_path: Path, data: bytes) -> None:
    left, right = written(tmp_path / "l.txt", data), written(tmp_path / "r.txt", "甲\n".encode())

    for words in ((left,), (left, right), (right, left)):
        refused = ready("similarity", "submit", *words, "--yes")
        assert refused.code == 2
        assert "empty" in refused.err
    assert ready("similarity", "list", "--json").json() == []


@pytest.mark.parametrize(
    "data",
    [
        "\n".join(LINES).encode("gb18030"),
        codecs.BOM_UTF8 + "\r\n".join(LINES).encode(),
        "\n".join(LINES).encode("utf-16"),
        codecs.BOM_UTF16_BE + "\r\n".join(LINES).encode("utf-16-be"),
    ],
    ids=["gbk", "bom", "utf-16", "utf-16-be"],
)
def test_lists_in_other_encodings_hold_the_same_texts(ready: Cli, tmp_path: Path, data: bytes) -> None:
    left, right = written(tmp_path / "l.txt", data), written(tmp_path / "r.txt", "\n".join(LINES).encode())

    job = ready("similarity", "submit", left, right, "--scorer", "lexical", "--yes", "--wait", "--json").json()

    found = ready("similarity", "results", job["job_id"], "--top-k", "1").out
    rows = list(csv.DictReader(io.StringIO(found)))
    assert [(row["left_line"], row["right_line"], row["left"], row["score"]) for row in rows] == [
        (str(line), str(line), text, "1.0") for line, text in enumerate(LINES, start=1)
    ]


def test_two_encodings_in_one_list_are_told_and_nothing_is_stored(ready: Cli, tmp_path: Path) -> None:
    data = "怎么退货\n".encode() * 40_000 + "酒店哪家好\n".encode("gb18030")

    refused = ready("similarity", "submit", written(tmp_path / "mixed.txt", data), "--yes")

    assert refused.code == 2
    assert "mixed.txt" in refused.err
    assert "offset 520000" in refused.err
    assert ready("similarity", "list", "--json").json() == []


def test_nul_and_halves_of_characters_are_taken_out(ready: Cli, tmp_path: Path) -> None:
    lines = [{"text": "怎么\x00退货"}, {"text": "怎么 退货"}, {"text": "\ud800"}, {"text": "怎么\udfff 退货"}]
    data = "\n".join(json.dumps(line) for line in lines).encode()

    plan = plan_of(ready, written(tmp_path / "odd.jsonl", data))

    assert (plan["plan"]["left_lines"], plan["plan"]["left_texts"], plan["plan"]["pairs"]) == (3, 1, 3)
    assert problems_of(plan) == [("left", 3, "empty")]


def test_a_line_of_a_million_characters_goes_as_is_said(ready: Cli, tmp_path: Path) -> None:
    left = written(tmp_path / "l.txt", f"甲\n{'长' * 1_000_000}\n乙\n".encode())

    skipped, cut = plan_of(ready, left), plan_of(ready, left, "--too-long", "truncate")
    refused = ready("similarity", "submit", left, "--scorer", "lexical", "--too-long", "refuse", "--yes")

    assert (problems_of(skipped), skipped["plan"]["pairs"]) == ([("left", 2, "too_long")], 1)
    assert (problems_of(cut), cut["plan"]["pairs"], cut["plan"]["encode_chars"]) == ([("left", 2, "cut")], 3, 100_002)
    assert refused.code == 2
    assert "line 2" in refused.err
    assert "1000000" in refused.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("missing.txt",), "missing.txt"),
        (("there.txt", "missing.txt"), "missing.txt"),
        (("there.txt", "."), "folder"),
        (("there.txt", "--scorer", "nobody"), "nobody"),
        (("there.txt", "--too-long", "drop"), "truncate"),
        (("there.txt", "there.txt", "--pairs"), "second file"),
        (("there.txt", "--left-column", "nothing"), "nothing"),
    ],
)
def test_what_is_not_there_is_told_by_its_name(ready: Cli, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    written(tmp_path / "there.txt", "text\n甲\n乙\n".encode())

    refused = ready("similarity", "submit", *words, "--yes")

    assert refused.code == 2
    assert said in refused.err
    assert ready("similarity", "list", "--json").json() == []


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_many_equal_lines_are_one_text(ready: Cli, tmp_path: Path, count: int) -> None:
    left = written(tmp_path / "l.txt", "怎么退货\n".encode() * count)

    job = ready("similarity", "submit", left, "--scorer", "lexical", "--yes", "--wait", "--json").json()

    pairs = count * (count - 1) // 2
    best = ready("similarity", "results", job["job_id"], "--top-k", "1").out.splitlines()
    shown = ready("similarity", "pair", f"{job['job_id']}:1:{count}", "--json").json()
    assert (job["total"], job["processed"], job["failed"]) == (pairs, pairs, 0)
    assert len(best) == count + 1
    assert best[1].startswith("1,2,1.0,")
    assert best[-1].startswith(f"{count},1,1.0,")
    assert shown["score"] == 1.0
    assert sum(ready("similarity", "histogram", job["job_id"], "--json").json()["counts"]) == pairs
