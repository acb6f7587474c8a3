"""Importing answers by command: what is shown before, what is said after, and exit codes."""

from pathlib import Path

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
    assert "Imported 1 of 1 rows" in taken.out


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
