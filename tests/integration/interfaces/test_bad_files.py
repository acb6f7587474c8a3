"""Files as spreadsheets and people spoil them: every import tells the place and the reason, and stores nothing."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli
from tests.workbooks import cell, text, write_workbook


@dataclass(frozen=True)
class Import:
    """One import, and a good row for it; the second and third cells may not be empty."""

    command: tuple[str, ...]
    header: tuple[str, ...]
    row: tuple[str, ...]
    count: tuple[str, ...]
    """The command whose output shows what is stored."""


IMPORTS = {
    "samples": Import(
        ("samples", "import"),
        ("题号", "平台", "问题", "回答"),
        ("Q1", "kimi", "哪个好", "推荐A"),
        ("samples", "list", "--json"),
    ),
    "questions": Import(
        ("questions", "import", "--apply"),
        ("问题编号", "场景", "问题", "意图"),
        ("Q1", "RISK", "哪个好", "x"),
        ("questions", "list", "--json"),
    ),
    "brands": Import(
        ("brands", "import", "--apply"),
        ("窗口", "条目", "品牌", "内容"),
        ("", "品牌", "华为", ""),
        ("brands", "list", "--json"),
    ),
}


@pytest.fixture(params=list(IMPORTS))
def one(request: pytest.FixtureRequest, cli: Cli) -> Import:
    assert cli("init").code == 0
    return IMPORTS[request.param]


Maker = Callable[[Path, Import], Path]


def workbook(*changed: str, place: int = 2, **more: object) -> Maker:
    """Return what writes a workbook with a row for each cell that is put in its place."""

    def write(folder: Path, one: Import) -> Path:
        rows = [[text(value) for value in one.header]]
        for instead in changed:
            row = [text(value) for value in one.row]
            row[place] = instead or row[place]
            rows.append(row)
        return write_workbook(folder / "a.xlsx", {"表": rows}, **more)  # type: ignore[arg-type]

    return write


def table(*lines: tuple[str, ...] | None, encoding: str = "utf-8") -> Maker:
    """Return what writes a CSV file; a cell of None is the good one, a line of None the good row."""

    def write(folder: Path, one: Import) -> Path:
        rows = [one.header, *(one.row if line is None else line for line in lines)]
        filled = [[own or good for own, good in zip(row, one.row, strict=True)] for row in rows[1:]]
        file = folder / "a.csv"
        file.write_bytes("".join(",".join(row) + "\n" for row in [rows[0], *filled]).encode(encoding))
        return file

    return write


def bomb(folder: Path, _: Import) -> Path:
    file = folder / "a.xlsx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("xl/workbook.xml", bytes(50_000_000))
    return file


def pipe(folder: Path, _: Import) -> Path:
    os.mkfifo(folder / "a.csv")
    return folder / "a.csv"


BAD: dict[str, tuple[Maker, str]] = {
    "formula": (workbook(cell("", formula="A1&B1")), "cell C2: it holds a formula without its result"),
    "error": (workbook(cell("#REF!", kind="e")), "cell C2: it shows the error #REF!"),
    "merged": (workbook("", "", merged=["C2:C3"]), "cell C3: it is merged into C2:C3"),
    "rounded": (workbook(cell("2.02607E+16")), "cell C2: it holds 2.02607E+16"),
    "rounded id": (workbook(cell("20260701123456700")), "cell C2: it holds 20260701123456700"),
    "digits": (workbook(cell("9" * 5_000)), "cell C2: it holds '999999999"),
    "open quote": (table(("", "", '"甲', ""), None), "line 2: a quotation mark is never closed"),
    "swallowing quote": (table(("", "", '"甲', ""), ("", "", '乙"', ""), None), "opened in line 2 is closed in line 3"),
    "bomb": (bomb, "unpacks to more than 400 times its size"),
    "pipe": (pipe, "is a pipe"),
    "damaged": (workbook("", merged=["²"]), "is damaged: it merges cells ²"),
}


@pytest.mark.parametrize("name", list(BAD))
def test_a_spoilt_file_is_told_and_nothing_is_stored(cli: Cli, tmp_path: Path, one: Import, name: str) -> None:
    make, told = BAD[name]
    before = cli(*one.count).out

    finished = cli(*one.command, str(make(tmp_path, one)))

    assert finished.code == 2
    assert told in " ".join((finished.out + finished.err).split())
    assert len(finished.out + finished.err) < 4_000
    assert cli(*one.count).out == before


def ghosts(folder: Path, one: Import) -> Path:
    rows = [one.header, one.row]
    data = "".join(f"<row>{''.join(text(value) for value in row)}</row>" for row in rows)
    empty = "".join(f'<row r="{line}"><c r="A{line}" s="1"/></row>' for line in range(3, 20_000))
    return write_workbook(folder / "a.xlsx", {"表": data + empty})


def small(folder: Path, one: Import) -> Path:
    file = table(None, encoding="gbk")(folder, one)
    assert len(file.read_bytes()) <= 60
    return file


ODD: dict[str, Maker] = {"ghost rows": ghosts, "a short file in GBK": small, "1904": workbook("", from_1904=True)}


@pytest.mark.parametrize("name", list(ODD))
def test_an_odd_file_is_read(cli: Cli, tmp_path: Path, one: Import, name: str) -> None:
    before = cli(*one.count).out

    finished = cli(*one.command, str(ODD[name](tmp_path, one)))

    assert finished.code == 0, finished.out + finished.err
    assert cli(*one.count).out != before


def test_a_date_of_a_workbook_from_1904_is_the_one_that_is_shown(cli: Cli, tmp_path: Path) -> None:
    cli("init")
    row = [text("kimi"), text("q"), text("推荐A"), cell("44742.5", style=2)]
    header = [text(name) for name in ("平台", "问题", "回答", "提问时间")]
    file = write_workbook(tmp_path / "a.xlsx", {"s": [header, row]}, from_1904=True)

    assert cli("samples", "import", str(file)).code == 0
    assert "2026-07-01" in cli("samples", "list", "--json").out


@pytest.mark.parametrize("name", ["questions", "brands"])
def test_a_cell_of_400_000_characters_is_told_by_its_length_or_beginning(cli: Cli, tmp_path: Path, name: str) -> None:
    cli("init")
    one = IMPORTS[name]
    finished = cli(*one.command, str(table(("", "", "长" * 400_000, ""))(tmp_path, one)))

    assert finished.code == 2
    assert len(finished.out + finished.err) < 4_000
    assert "400,000 characters" in finished.out + finished.err or "too long" in finished.out + finished.err


def test_an_answer_of_400_000_characters_is_one(cli: Cli, tmp_path: Path) -> None:
    cli("init")
    one = IMPORTS["samples"]

    assert cli(*one.command, str(table(("", "", "", "长" * 400_000))(tmp_path, one))).code == 0
    assert "400000" in cli("samples", "list", "--json").out


@pytest.mark.parametrize("name", list(IMPORTS))
def test_standard_input_is_refused_with_what_to_do(cli: Cli, name: str) -> None:
    cli("init")
    finished = cli(*IMPORTS[name].command, "-", stdin=b"x")

    assert finished.code == 2
    assert "give the name of the file" in finished.err


@pytest.mark.parametrize(
    "row",
    [
        "品牌,华为,,,{long},",
        "品牌,华为,,,,{long}",
        "排除,华为,华为云,{long},,",
        "名称,{long},x,,,",
        "{long},华为,x,,,",
    ],
    ids=["domain", "active", "alias", "brand", "entry"],
)
def test_a_value_of_a_lexicon_that_cannot_be_is_never_printed_whole(cli: Cli, tmp_path: Path, row: str) -> None:
    cli("init")
    assert cli("brands", "add", "华为").code == 0
    file = tmp_path / "a.csv"
    file.write_text("条目,品牌,内容,针对名称,域名,启用\n" + row.format(long="长" * 10_000) + "\n", encoding="utf-8")

    finished = cli("brands", "import", str(file), "--apply")

    assert finished.code == 2
    assert "长" * 30 in finished.err
    assert len(finished.out + finished.err) < 2_000
