"""Exports on the command line: where rows go, what is said, what a program finds."""

from __future__ import annotations

import hashlib
import json
import resource
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli
from tests.sheets import read_workbook, values


def test_a_file_for_people_is_written_and_told(ready: Cli, tmp_path: Path) -> None:
    done = ready("export", "questions", "bank.csv", "--columns", "question_id,query_text", "--scene", "recommend")

    assert (done.code, done.out, done.err) == (0, "2 rows of questions are in bank.csv.\n", "")
    text = (tmp_path / "bank.csv").read_bytes().decode("utf-8-sig")
    assert (
        text
        == '"question_id","query_text"\r\n"Q1","哪些连锁咖啡值得推荐？"\r\n"Q2","Which coffee chains are good?"\r\n'
    )


def test_a_workbook_speaks_the_language_of_the_session(ready: Cli, tmp_path: Path) -> None:
    done = ready("export", "questions", "bank.xlsx", language="zh")

    assert (done.code, done.out) == (0, "questions：2 行，已写入 bank.xlsx。\n")
    book = read_workbook(tmp_path / "bank.xlsx")
    assert list(book) == ["questions", "说明"]
    head = values(book["questions"])[0]
    assert head[:3] == ["问题编号", "场景", "问题"]
    assert head[-2:] == ["更新时间 (Asia/Shanghai)", "提到品牌"]
    notes = values(book["说明"])
    assert notes[:2] == [["questions 的每一行是：题库里的一个问题（当前版本）"], ["时间均为 Asia/Shanghai 时间。"]]
    assert ["问题编号", "question_id", "question_bank.question_id"] in notes


def test_standard_output_holds_rows_alone(ready: Cli) -> None:
    done = ready("export", "questions", "-", "--columns", "question_id", "--question", "Q2")

    assert (done.code, done.out, done.err) == (0, '"question_id"\r\n"Q2"\r\n', "1 rows of questions written.\n")
    lines = ready("export", "questions", "-", "--columns", "question_id", "--format", "jsonl").out
    assert [json.loads(line) for line in lines.splitlines()] == [{"question_id": "Q1"}, {"question_id": "Q2"}]


def test_a_program_is_told_rows_file_and_hash(ready: Cli, tmp_path: Path) -> None:
    told = ready("export", "questions", str(tmp_path / "bank.jsonl"), "--no-bom", "--json").json()

    data = (tmp_path / "bank.jsonl").read_bytes()
    assert (told["rows"], told["file"], told["format"]) == (2, str(tmp_path / "bank.jsonl"), "jsonl")
    assert (told["sha256"], told["size"]) == (hashlib.sha256(data).hexdigest(), len(data))
    assert told["time_zone"] == "Asia/Shanghai"


def test_the_mark_can_be_left_out_and_asked_for(ready: Cli, tmp_path: Path) -> None:
    ready("export", "questions", "bank.csv", "--no-bom")
    assert (tmp_path / "bank.csv").read_bytes().startswith(b'"question_id"')

    marked = ready("export", "questions", "-", "--bom").out
    assert marked.startswith("\ufeff")


def test_answers_are_exported_where_people_look_for_them(ready: Cli, tmp_path: Path) -> None:
    done = ready("samples", "export", "answers.csv", "--headers", "words")

    assert (done.code, done.out) == (0, "0 rows of samples are in answers.csv.\n")
    assert (tmp_path / "answers.csv").read_text(encoding="utf-8-sig").startswith('"Sub-task","Batch","Question ID"')


def test_questions_are_exported_where_people_look_for_them_and_come_back_unchanged(ready: Cli) -> None:
    done = ready("questions", "export", "bank.xlsx", "--active", language="zh")
    back = ready("questions", "import", "bank.xlsx", "--json").json()

    assert (done.code, done.out) == (0, "questions：2 行，已写入 bank.xlsx。\n")
    assert (back["rows"], back["unchanged"], back["changes"]) == (2, 2, [])
    assert ready("questions", "export", "-", "--retired", "--columns", "question_id").out == '"question_id"\r\n'


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nothing", "a.csv"), 2, "没有名为“nothing”的导出内容；有：batches, brand-results"),
        (("resutls", "a.csv"), 2, "没有名为“resutls”的导出内容；有：results"),
        (("questions", "a.doc"), 2, "从 a.doc 的名称看不出格式"),
        (
            ("questions", "a.csv", "--batch", "B"),
            2,
            "导出 questions 不能按 batches 筛选；可以按：questions, scenes, active",
        ),
        (("questions", "-", "--json"), 2, "--json 就没有地方了"),
        (("questions", "a.jsonl", "--headers", "words"), 2, "JSONL 的键总是数据字典里的名称"),
        (("questions", "taken.csv"), 2, "taken.csv 已经存在；请换一个名称，或用 --force 替换"),
        (("questions", "nowhere/a.csv"), 3, "无法写入 nowhere/a.csv"),
        (("questions", "folder.csv"), 2, "folder.csv 不是普通文件"),
    ],
)
def test_what_cannot_be_exported_is_told(
    ready: Cli, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "taken.csv").touch()
    (tmp_path / "folder.csv").mkdir()
    there = sorted(tmp_path.iterdir())

    done = ready("export", *arguments, language="zh")

    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert sorted(tmp_path.iterdir()) == there


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx"])
def test_a_full_disk_leaves_nothing_and_is_told(ready: Cli, tmp_path: Path, ending: str) -> None:
    texts = [f"{number} " + "长" * 9_000 for number in range(20)]
    (tmp_path / "long.csv").write_text("\n".join(["question", *texts]), encoding="utf-8")
    assert ready("questions", "import", "long.csv", "--apply").code == 0
    there = sorted(tmp_path.iterdir())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))  # writing fails, as Python ignores the signal
    try:
        done = ready("export", "questions", f"bank.{ending}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert (done.code, done.out) == (3, "")
    assert f"bank.{ending} cannot be written (File too large), and nothing of it was left" in done.err
    assert sorted(tmp_path.iterdir()) == there
