"""Importing answers by command: what is shown before, what is said after, and exit codes."""

import json
import re
from pathlib import Path

import pytest

from answerwatch.messages import LANGUAGES
from answerwatch.workspace.samples.answer_file import KNOWN_FORMATS
from tests.integration.interfaces.conftest import Cli
from tests.workbooks import cell, text, write_workbook

HEADER = [text("平台"), text("问题"), text("回答")]


def test_a_dry_run_shows_format_columns_and_first_rows(ready: Cli, tmp_path: Path) -> None:
    file = write_workbook(
        tmp_path / "a.xlsx", {"封面": [], "数据": [HEADER, [text("kimi"), text("哪个好"), text("推荐")]]}
    )

    shown = ready("samples", "import", str(file), "--dry-run")

    assert shown.code == 0
    for word in ("xlsx", "数据 (2)", "平台", "platform", "kimi-import", "哪个好"):
        assert word in shown.out
    assert "1 rows can be imported" in shown.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_lists_every_format(cli: Cli, language: str) -> None:
    told = cli("samples", "import", "--help", language=language).out

    assert set(KNOWN_FORMATS) <= set(re.findall(r"[\w-]+", told))


def test_rows_with_errors_stop_everything_unless_they_are_skipped(ready: Cli, tmp_path: Path) -> None:
    rows = [HEADER, [text("kimi"), text("q"), cell("", formula="A1")], [text("kimi"), text("q"), text("a")]]
    file = str(write_workbook(tmp_path / "a.xlsx", {"数据": rows}))

    refused = ready("samples", "import", file)
    taken = ready("samples", "import", file, "--skip-errors")

    assert refused.code == 2
    assert "Line 2, 回答: sheet 数据, cell C2: it holds a formula without its result" in refused.err
    assert "nothing was imported" in refused.err
    assert taken.code == 1
    assert "1 rows with errors were left out" in taken.err
    assert "Imported 1 of 2 rows" in taken.out


def test_places_in_workbooks_are_told_in_chinese(ready: Cli, tmp_path: Path) -> None:
    rows = [HEADER, [text("kimi"), text("q"), cell("#REF!", kind="e")]]
    file = str(write_workbook(tmp_path / "a.xlsx", {"数据": rows}))

    told = ready("samples", "import", file, language="zh")

    assert "第 2 行，回答：工作表 数据 的单元格 C2：显示错误值 #REF!；请用表格软件改正" in told.err


def test_columns_are_named_by_the_caller(ready: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("who;ask;say\nkimi;q;a\n", encoding="utf-8")
    columns = ("--map", "who=platform", "--map", "ask=question", "--map", "say=answer")

    assert ready("samples", "import", str(file), *columns).code == 0
    assert "COLUMN=FIELD" in ready("samples", "import", str(file), "--map", "who").err
    assert "--map COLUMN=FIELD" in ready("samples", "import", str(file)).err


def test_a_sheet_that_is_not_there_is_refused_with_those_that_are(ready: Cli, tmp_path: Path) -> None:
    file = write_workbook(tmp_path / "a.xlsx", {"数据": [HEADER]})

    refused = ready("samples", "import", str(file), "--sheet", "没有")

    assert refused.code == 2
    assert "it has 数据" in refused.err


def test_what_is_left_out_is_told_for_what_it_is(ready: Cli, tmp_path: Path) -> None:
    file, rest = tmp_path / "a.csv", tmp_path / "b.csv"
    file.write_text("平台,问题,回答\nkimi,q,a\nkimi,,b\nkimi,q,a\n", encoding="utf-8")
    rest.write_text("平台,问题,回答\nkimi,q,a\nkimi,,c\n", encoding="utf-8")
    bad = tmp_path / "c.csv"
    bad.write_text("平台,问题,回答\nkimi,,a\n", encoding="utf-8")

    refused = ready("samples", "import", str(file))
    preview = ready("samples", "import", str(file), "--dry-run", "--skip-errors")
    taken = ready("samples", "import", str(file), "--skip-errors")
    again = ready("samples", "import", str(file))
    stored = ready("samples", "import", str(rest), "--skip-errors")
    none = ready("samples", "import", str(bad), "--skip-errors")

    assert (refused.code, preview.code, taken.code, again.code, stored.code, none.code) == (2, 1, 1, 1, 1, 1)
    assert "import the 2 rows without errors with --skip-errors" in refused.err
    assert "1 rows with errors would be left out" in preview.err
    assert "1 of 3 rows can be imported (1 repeat others" in preview.out
    assert "Imported 1 of 3 rows (1 repeat others" in taken.out
    assert "was imported before" in again.out
    assert "The answers of all 1 rows are stored already" in stored.out
    assert "Every row has an error; nothing was stored" in none.out
    assert not any("nothing was imported" in one.err for one in (preview, taken, again, stored, none))


def test_errors_show_the_beginning_of_a_value_and_speak_chinese(ready: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    row = '{"platform": "kimi", "question": "q", "answer": %s, "asked_at": "%s"}\n'
    file.write_text(row % ('"a"', "9" * 5_000) + row % ('"a"', 46204) + row % ("[1]", ""), encoding="utf-8")

    told = ready("samples", "import", str(file), language="zh")

    assert max(map(len, told.err.splitlines())) < 150
    assert "第 2 行，asked_at：“46204”像是表格软件所计的天数" in told.err
    assert "第 3 行，answer：是列表，不是文字" in told.err


def test_what_stood_in_other_columns_is_shown_with_the_answer(ready: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("平台,问题,回答,题号,门店\nkimi,哪个好,a,Q7,上海\n", encoding="utf-8")
    ready("samples", "import", str(file))
    id_ = json.loads(ready("samples", "list", "--json").out)[0]["sub_task_id"]

    shown = ready("samples", "show", id_)

    for words in (("question id", "Q7"), ("other columns", "门店: 上海"), ("question", "哪个好")):
        assert any(all(word in line for word in words) for line in shown.out.splitlines())


def test_a_kept_file_that_is_gone_is_kept_again(ready: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("平台,问题,回答\nkimi,q,a\n", encoding="utf-8")
    ready("samples", "import", str(file))
    (kept,) = tmp_path.rglob("imports/*.gz")
    before = kept.read_bytes()
    there = ready("samples", "import", str(file))
    kept.unlink()

    dry = ready("samples", "import", str(file), "--dry-run")
    assert not kept.exists()
    again = ready("samples", "import", str(file))

    assert kept.read_bytes() == before
    assert "it is kept again" in again.out
    assert "it is kept again" not in there.out + dry.out


def test_a_list_that_ends_early_says_how_it_goes_on(ready: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("平台,问题,回答\nkimi,q,a\nkimi,q,b\nkimi,q,c\n", encoding="utf-8")
    ready("samples", "import", str(file))

    first = ready("samples", "list", "--limit", "2")
    last = first.err.split("--after ")[1].strip()
    rest = ready("samples", "list", "--limit", "2", "--after", last)

    assert first.out.count("_R") == 2
    assert (rest.out.count("_R"), rest.err) == (1, "")


def test_a_sheet_of_what_is_no_workbook_is_refused(ready: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("平台,问题,回答\nkimi,q,a\n", encoding="utf-8")

    assert "no workbook" in ready("samples", "import", str(file), "--sheet", "一").err


def test_files_of_many_columns_with_long_names_are_told_in_short(ready: Cli, tmp_path: Path) -> None:
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    wide.write_text(",".join(f"列{number}" for number in range(5_000)) + "\n" + "," * 4_999 + "a\n", encoding="utf-8")
    name = "a" * 5_000
    long.write_text(f"平台,问题,回答,{name}\nkimi,q,a,46204\n", encoding="utf-8")

    refused = ready("samples", "import", str(wide))
    mapped = ready("samples", "import", str(long), "--map", f"{name}=asked_at")

    assert "列39, …" in refused.err
    assert max(map(len, (refused.err + mapped.err + mapped.out).splitlines())) < 600
