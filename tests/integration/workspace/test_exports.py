"""Rows handed out as files: the same from every database, safe to open, whole or not there at all."""

import csv
import hashlib
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from answerwatch.errors import ServiceError, UsageError
from answerwatch.messages import catalogue
from answerwatch.store.exports.row_sets import ROW_SETS
from answerwatch.store.sample import samples as stored_samples
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.exports.verbs import PLAIN, ForReaders
from answerwatch.workspace.exports.views import ExportRequest, ExportView
from answerwatch.workspace.exports.writers import xlsx
from answerwatch.workspace.files.workbook_limits import LONGEST_CELL
from tests.databases import on_every_database
from tests.sheets import read_workbook, values

pytestmark = on_every_database

NOON = datetime(2026, 11, 29, 4, 0, tzinfo=UTC)
ENGLISH = ForReaders(title=lambda name: catalogue("en")[f"exported.{name}"])
CHINESE = ForReaders(title=lambda name: catalogue("zh")[f"exported.{name}"])


def sample(number: int, **other: Any) -> stored_samples.NewSample:  # noqa: ANN401 - any field of a sample
    given: dict[str, Any] = {
        "sub_task_id": f"B1_QQ1_kimi_R{number:05}",
        "batch_id": "B1",
        "question_id": "Q1",
        "question_version": 1,
        "brand_name": "华为",
        "platform": "kimi",
        "scene_type": "RECOMMEND",
        "round": number,
        "query_text": "手机哪个好",
        "raw_response": "推荐华为。",
        "response_length": 5,
        "collected_at": NOON,
    }
    return stored_samples.NewSample(**{**given, **other})


def store(ws: Workspace, *samples: stored_samples.NewSample) -> None:
    with ws.store.writing() as tx:
        stored_samples.add(tx, samples)


def export(ws: Workspace, file: Path, what: str = "samples", **other: Any) -> ExportView:  # noqa: ANN401 - any field
    return ws.exports.rows(ExportRequest(what=what, file=file, **other))


def csv_rows(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as text:
        return list(csv.reader(text))


def json_rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


INSTANTS = ("2026-11-29T15:59:59Z", "2026-11-29T16:00:00Z", "2026-11-29T22:11:00+03:00")
LOCAL = ("2026-11-29T23:59:59+08:00", "2026-11-30T00:00:00+08:00", "2026-11-30T03:11:00+08:00")


def test_rep_xlsx_timezone(ws: Workspace, tmp_path: Path) -> None:
    assert ws.settings.time_zone == "Asia/Shanghai"
    store(ws, *(sample(n, collected_at=datetime.fromisoformat(instant)) for n, instant in enumerate(INSTANTS)))
    book, table, lines = (tmp_path / f"rows.{ending}" for ending in ("xlsx", "csv", "jsonl"))
    request = ExportRequest(what="samples", file=book, columns=("round", "collected_at"))

    ws.exports.rows(request, readers=CHINESE)
    for file in (table, lines):
        export(ws, file, columns=("round", "collected_at"))

    head, *rows = read_workbook(book)["samples"]
    assert values([head]) == [["轮次", "采集时间 (Asia/Shanghai)"]]
    expected = [datetime(2026, 11, 29, 23, 59, 59), datetime(2026, 11, 30), datetime(2026, 11, 30, 3, 11)]  # noqa: DTZ001 - cells have no zone
    assert values(rows) == [[float(n), moment] for n, moment in enumerate(expected)]
    assert csv_rows(table) == [["round", "collected_at"], *([str(n), moment] for n, moment in enumerate(LOCAL))]
    assert json_rows(lines) == [{"round": n, "collected_at": moment} for n, moment in enumerate(LOCAL)]


def test_moments_beyond_the_calendar_of_a_zone_or_a_spreadsheet_are_written_all_the_same(
    ws: Workspace, tmp_path: Path
) -> None:
    late, early = datetime(9999, 12, 31, 23, 0, tzinfo=UTC), datetime(1899, 5, 1, 1, 0, tzinfo=UTC)
    store(ws, sample(1, collected_at=late), sample(2, collected_at=early))

    export(ws, tmp_path / "rows.csv", columns=("collected_at",))
    export(ws, tmp_path / "rows.xlsx", columns=("collected_at",))

    texts = [[late.isoformat()], ["1899-05-01T09:05:43+08:05"]]
    assert [
        [datetime.fromisoformat(cell).astimezone(UTC) for cell in row] for row in csv_rows(tmp_path / "rows.csv")[1:]
    ] == [[late], [early]]
    assert csv_rows(tmp_path / "rows.csv")[1] == texts[0]
    assert [
        [str(cell)[:4] for cell in row] for row in values(read_workbook(tmp_path / "rows.xlsx")["samples"])[1:]
    ] == [["9999"], ["1899"]]


HOSTILE = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(1,1)",
    "\t=1",
    "\r=1",
    "＝1+1",
    "  -1",
    "'=1",
    "''+1",
    "- 华为",
]
HARMLESS = ["华为", "1-1", "a=b", "'quoted'", 'a,"b"\r\nc', "x;y"]


def test_a_text_that_looks_like_a_formula_is_none_in_csv_and_comes_back_as_it_was(
    ws: Workspace, tmp_path: Path
) -> None:
    texts = HOSTILE + HARMLESS
    store(ws, *(sample(n, raw_response=text, query_text=f"问{n}") for n, text in enumerate(texts)))
    file = tmp_path / "rows.csv"

    export(ws, file, columns=("platform", "query_text", "raw_response"))

    cells = [row[2] for row in csv_rows(file)[1:]]
    assert len(cells) == len(texts)
    assert all(cell[0] not in "=+-@\t\r＝ " for cell in cells)
    batch = ws.samples.import_file(file).batch_id
    back = [ws.samples.show(one.sub_task_id) for one in ws.samples.list(batch=batch)]
    assert {one.query_text: one.raw_response for one in back} == {f"问{n}": text for n, text in enumerate(texts)}


def test_a_text_that_looks_like_a_formula_is_a_text_in_xlsx_and_a_number_a_number(
    ws: Workspace, tmp_path: Path
) -> None:
    store(ws, *(sample(n, raw_response=text, cost=-0.5) for n, text in enumerate(HOSTILE)))

    export(ws, tmp_path / "rows.xlsx", columns=("raw_response", "cost"))

    rows = read_workbook(tmp_path / "rows.xlsx")["samples"][1:]
    assert [row[0].value for row in rows if row[0]] == [text.replace("\r", "\n") for text in HOSTILE]
    assert all(row[0] and row[0].is_text and row[0].is_quoted for row in rows)
    assert {row[1].value for row in rows if row[1] and not row[1].is_text} == {-0.5}


def test_what_a_workbook_cannot_hold_is_replaced_or_cut_where_everybody_sees_it(ws: Workspace, tmp_path: Path) -> None:
    long = "🙂" * 20_000
    store(
        ws,
        sample(1, raw_response="a\x01b\x1bc"),
        sample(2, raw_response=long),
        sample(3, raw_response="x" * LONGEST_CELL),
        sample(4, raw_response="<r><t>no markup & no entity</t></r>"),
        sample(5, raw_response="_x0041_ \x7f <b> 1\r\n2"),
    )

    view = export(ws, tmp_path / "rows.xlsx", columns=("raw_response",))

    book = read_workbook(tmp_path / "rows.xlsx")
    texts = [str(row[0]) for row in values(book["samples"])[1:]]
    assert texts[0] == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
    assert len(texts[1].encode("utf-16-le")) // 2 <= LONGEST_CELL
    assert texts[1].startswith("🙂" * 16_000)
    assert texts[1].endswith(" … [cut here: 20,000 characters in all]")
    assert texts[2] == "x" * LONGEST_CELL
    assert texts[3] == "<r><t>no markup & no entity</t></r>"
    assert texts[4] == "_x005F_x0041_ \x7f <b> 1\n2"  # the escape that spreadsheet programs read as what it was
    assert (view.altered, view.cut, view.sheets) == (1, 1, 1)
    assert [(cell.sheet, cell.row, cell.column, cell.length) for cell in view.cut_cells] == [
        ("samples", 3, "raw_response", 20_000)
    ]
    notes = [cell for row in values(book["Notes"]) for cell in row]
    assert {"samples, 3", 20_000.0} <= set(notes)


def test_rows_that_one_sheet_cannot_hold_go_on_in_the_next(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx, "MOST_ROWS", 4)  # a million rows would take minutes
    store(ws, *(sample(n) for n in range(7)))

    view = export(ws, tmp_path / "rows.xlsx", columns=("round",))

    book = read_workbook(tmp_path / "rows.xlsx")
    assert view.sheets == 3
    assert [values(book[name]) for name in ("samples", "samples 2", "samples 3")] == [
        [["round"], [0.0], [1.0], [2.0]],
        [["round"], [3.0], [4.0], [5.0]],
        [["round"], [6.0]],
    ]


def test_unknown_is_empty_or_null_and_never_zero(ws: Workspace, tmp_path: Path) -> None:
    store(ws, sample(1), sample(2, cost=0.0, prompt_tokens=0, parameters={}, reasoning=""))
    columns = ("cost", "prompt_tokens", "parameters", "is_valid", "reasoning")

    for ending in ("csv", "jsonl", "xlsx"):
        export(ws, tmp_path / f"rows.{ending}", columns=columns)

    assert csv_rows(tmp_path / "rows.csv")[1:] == [[""] * 5, ["0.0", "0", "{}", "", ""]]
    assert (tmp_path / "rows.csv").read_bytes().endswith(b',,,,\r\n0.0,0,"{}",,""\r\n')
    assert [list(row.values()) for row in json_rows(tmp_path / "rows.jsonl")] == [[None] * 5, [0.0, 0, {}, None, ""]]
    assert values(read_workbook(tmp_path / "rows.xlsx")["samples"])[1:] == [[0.0, 0.0, "{}", None, ""]]


def test_json_that_no_parser_of_ours_writes_is_written_all_the_same(ws: Workspace, tmp_path: Path) -> None:
    odd = {"long": 2**70, "unknown": None}
    store(ws, sample(1, provenance=odd))

    export(ws, tmp_path / "rows.jsonl", columns=("collected_at", "provenance"))
    export(ws, tmp_path / "rows.csv", columns=("provenance",))

    (row,) = json_rows(tmp_path / "rows.jsonl")
    assert row == {"collected_at": "2026-11-29T12:00:00+08:00", "provenance": odd}
    assert json.loads(csv_rows(tmp_path / "rows.csv")[1][0]) == odd


@pytest.mark.parametrize("what", list(ROW_SETS))
def test_everything_can_be_exported_in_every_format(ws: Workspace, tmp_path: Path, what: str, filled: None) -> None:
    counts = {}
    for ending in ("csv", "jsonl", "xlsx"):
        view = export(ws, tmp_path / f"{what}.{ending}", what)
        counts[ending] = view.rows
        assert view.columns == ROW_SETS[what].names

    assert len(set(counts.values())) == 1
    assert counts["csv"] > 0
    assert len(csv_rows(tmp_path / f"{what}.csv")) == counts["csv"] + 1
    rows = json_rows(tmp_path / f"{what}.jsonl")
    assert len(rows) == counts["csv"]
    assert list(rows[0]) == list(ROW_SETS[what].names)


@pytest.fixture
def filled(ws: Workspace, tmp_path: Path) -> None:
    """A workspace with answers of two platforms, cleaned."""
    ws.questions.add("手机哪个好", scene="RECOMMEND", question_id="Q1", keywords=["手机", "a;b"])
    ws.brands.add("华为")
    file = tmp_path / "answers.jsonl"
    answers = [
        {
            "platform": "kimi",
            "question": "手机哪个好",
            "answer": "推荐华为。https://a.example/x",
            "asked_at": "2026-11-28",
        },
        {"platform": "deepseek", "question": "手机哪个好", "answer": "推荐小米。", "asked_at": "2026-11-29"},
    ]
    file.write_text("\n".join(json.dumps(answer) for answer in answers), encoding="utf-8")
    ws.samples.import_file(file, brand="华为", scene="RECOMMEND")
    ws.cleaning.run()


def test_results_are_narrowed_as_asked(ws: Workspace, tmp_path: Path, filled: None) -> None:
    (batch,) = {one.batch_id for one in ws.samples.list()}

    def platforms(number: int, **filters: Any) -> list[str]:  # noqa: ANN401 - any filter
        file = tmp_path / f"{number}.jsonl"
        export(ws, file, "results", **filters)
        return [row["platform"] for row in json_rows(file)]

    both = ["deepseek-import", "kimi-import"]
    day = datetime(2026, 11, 28, 16, tzinfo=UTC)
    assert sorted(platforms(1)) == both
    assert sorted(platforms(2, batches=(batch,), brands=("华为",), scenes=("recommend",), valid=True)) == both
    assert platforms(3, platforms=("kimi-import",)) == ["kimi-import"]
    assert platforms(4, since=day) == ["deepseek-import"]
    assert platforms(5, until=day) == ["kimi-import"]
    assert platforms(6, valid=False) == []


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"what": "nothing"}, "export_unknown"),
        ({"columns": ("cost", "prise")}, "export_column"),
        ({"columns": ()}, "export_no_column"),
        ({"active": True}, "export_filter"),
        ({"platforms": ("nobody",)}, "platform_unheard"),
        ({"brands": ("nobody",)}, "brand_none"),
        ({"batches": ("nobody",)}, "batch_unknown"),
        ({"format": "parquet"}, "export_format"),
        ({"format": "xlsx"}, "export_format_other"),
        ({"headers": "both"}, "export_headers"),
        ({"since": NOON, "until": NOON}, "window_empty"),
    ],
)
def test_wrong_use_is_told_and_leaves_nothing(ws: Workspace, tmp_path: Path, given: dict[str, Any], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        export(ws, tmp_path / "rows.csv", **given)

    assert caught.value.code == code
    assert [path.name for path in tmp_path.iterdir()] == ["workspace"]


def test_a_file_that_is_there_is_replaced_only_when_told(ws: Workspace, tmp_path: Path) -> None:
    store(ws, sample(1))
    file = tmp_path / "rows.csv"
    file.write_text("mine")

    with pytest.raises(UsageError, match="--force"):
        export(ws, file)
    assert file.read_text() == "mine"

    view = export(ws, file, force=True, columns=("round",))
    assert file.read_bytes() == b'\xef\xbb\xbf"round"\r\n1\r\n'
    assert (view.size, view.sha256) == (15, hashlib.sha256(file.read_bytes()).hexdigest())


def test_a_folder_that_is_not_there_is_told(ws: Workspace, tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="cannot be written"):
        export(ws, tmp_path / "nowhere" / "rows.csv")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx"])
def test_an_interrupted_export_leaves_nothing(ws: Workspace, tmp_path: Path, ending: str) -> None:
    store(ws, *(sample(n) for n in range(1200)))

    def interrupt(done: int, total: int) -> None:
        assert total == 1200
        if done > 600:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ws.exports.rows(ExportRequest(what="samples", file=tmp_path / f"rows.{ending}"), progress=interrupt)

    assert [path.name for path in tmp_path.iterdir()] == ["workspace"]
    assert export(ws, tmp_path / f"rows.{ending}").rows == 1200


def test_rows_are_those_of_one_moment(ws: Workspace, tmp_path: Path) -> None:
    store(ws, *(sample(n) for n in range(1200)))

    def meanwhile(done: int, _total: int) -> None:
        if done <= 600:
            store(ws, sample(5_000 + done))

    view = ws.exports.rows(ExportRequest(what="samples", file=tmp_path / "rows.csv"), progress=meanwhile)

    assert view.rows == 1200


def test_an_export_leaves_a_connection_as_it_was(ws: Workspace, tmp_path: Path) -> None:
    store(ws, sample(1))
    settings = {
        "sqlite": "PRAGMA cache_size",
        "postgresql": "SHOW idle_in_transaction_session_timeout",
        "mysql": "SELECT @@net_write_timeout",
    }
    with ws.store.reading() as read:
        asked = text(settings[read.dialect])
        before = read.scalar(asked)

    export(ws, tmp_path / "rows.csv")

    with ws.store.reading() as read:
        assert read.scalar(asked) == before


def test_a_stream_has_no_mark_unless_asked_for(ws: Workspace) -> None:
    store(ws, sample(1))

    def streamed(**other: Any) -> bytes:  # noqa: ANN401 - any field
        stream = io.BytesIO()
        ws.exports.rows(ExportRequest(what="samples", file=None, columns=("round",), **other), stream=stream)
        return stream.getvalue()

    assert streamed() == b'"round"\r\n1\r\n'
    assert streamed(bom=True) == b'\xef\xbb\xbf"round"\r\n1\r\n'
    assert streamed(format="jsonl") == b'{"round":1}\n'
    assert streamed(format="xlsx")[:2] == b"PK"


@pytest.mark.parametrize("readers", [PLAIN, ENGLISH, CHINESE], ids=["names", "english", "chinese"])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx"])
def test_exported_samples_can_be_imported_where_the_time_zone_is_another(
    ws: Workspace, tmp_path: Path, ending: str, readers: ForReaders
) -> None:
    at = datetime(2026, 11, 29, 15, 59, 59, tzinfo=UTC)
    given = sample(1, collected_at=at, raw_response="=1\r\n _x0041_ 华为", model_served="k2", finish_reason="stop")
    store(ws, given)
    file = tmp_path / f"rows.{ending}"
    headers = "names" if readers is PLAIN or ending == "jsonl" else "words"

    ws.exports.rows(ExportRequest(what="samples", file=file, headers=headers), readers=readers)
    with open_workspace(tmp_path / "other", time_zone="Europe/Berlin") as other:
        other.init()
        outcome = other.samples.import_file(file)
        (line,) = other.samples.list()
        back = other.samples.show(line.sub_task_id)

    assert outcome.errors == ()
    text = given.raw_response.replace("\r\n", "\n") if ending == "xlsx" else given.raw_response
    assert (back.query_text, back.raw_response) == (given.query_text, text)
    assert (line.platform, line.scene_type, line.collected_at) == ("kimi-import", "RECOMMEND", at)
    assert (line.question_id, line.model_served, line.finish_reason) == ("Q1", "k2", "stop")


@pytest.mark.parametrize("readers", [PLAIN, ENGLISH, CHINESE], ids=["names", "english", "chinese"])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx"])
def test_importing_exported_questions_changes_nothing(
    ws: Workspace, tmp_path: Path, ending: str, readers: ForReaders
) -> None:
    ws.questions.add("手机哪个好", scene="RECOMMEND", keywords=["手机", "性价比"], intent="-看推荐")
    ws.questions.add("=1+1 等于几", scene="OTHER")
    file = tmp_path / f"bank.{ending}"
    headers = "names" if readers is PLAIN or ending == "jsonl" else "words"

    ws.exports.rows(ExportRequest(what="questions", file=file, headers=headers), readers=readers)
    outcome = ws.questions.import_file(file)

    assert (outcome.rows, outcome.unchanged, outcome.changes, outcome.errors) == (2, 2, (), ())
