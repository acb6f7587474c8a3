"""Whatever is broken in a file, it is told by an error of ours or by its row, and never by a traceback."""

import io
import re
import tempfile
import zipfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from answerwatch.errors import UsageError
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import look_through, read_table
from tests.workbooks import cell, text, write_workbook

ATTRIBUTE = re.compile(r"""(?<==)["'][^"']*["']|(?<=<v>)[^<]*""")
NONSENSE = st.sampled_from(
    [
        "",
        "²",
        "٣",
        "-1",
        "0",
        "1e999",
        "nan",
        "9" * 5_000,
        "a1",
        "A0",
        "ZZZ9999999",
        "B2:A1",
        "A:A",
        "_xD800_",
        "\ud7ff",
    ]
) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="<>&\"'"), max_size=8)


def parts() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            [text("平台", "A1"), text("问题", "B1"), text("回答", "C1")],
            [cell("0", kind="s"), cell("46204", style=1), cell("7", formula="1")],
        ]
        file = write_workbook(
            Path(folder) / "a.xlsx", {"s": rows, "t": rows}, merged=["A5:B6"], shared="<si><t>kimi_x000D_</t></si>"
        )
        with zipfile.ZipFile(file) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


PARTS = parts()


def packed(content: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return out.getvalue()


def read_or_refuse(data: bytes, name: str) -> None:
    """Read a file to its end; what is wrong with it must be told."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(data)
        told: list[str] = []
        try:
            told = [str(row.message) for row in read_table(look_through(file)).rows if isinstance(row, RowError)]
        except UsageError as error:
            told = [str(error).replace(str(file), "")]
    assert all(len(one) < 300 for one in told)


@given(data=st.data())
def test_nonsense_in_a_workbook_is_told(data: st.DataObject) -> None:
    content = dict(PARTS)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(content)))
        xml = content[name].decode()
        places = [found.span() for found in ATTRIBUTE.finditer(xml)]
        start, end = data.draw(st.sampled_from(places or [(0, 0)]))
        quote = xml[start : start + 1] if xml[start : start + 1] in ("'", '"') else ""
        content[name] = f"{xml[:start]}{quote}{data.draw(NONSENSE)}{quote}{xml[end:]}".encode()

    read_or_refuse(packed(content), "a.xlsx")


@given(data=st.data())
def test_a_part_that_is_missing_or_broken_is_told(data: st.DataObject) -> None:
    content = dict(PARTS)
    name = data.draw(st.sampled_from(sorted(content)))
    xml = content.pop(name)
    place = data.draw(st.integers(0, len(xml)))
    put = data.draw(st.none() | st.binary(max_size=8))
    if put is not None:
        content[name] = xml[:place] + put + xml[place + data.draw(st.integers(0, 8)) :]

    read_or_refuse(packed(content), "a.xlsx")


@given(data=st.data())
def test_bytes_of_an_archive_that_are_broken_are_told(data: st.DataObject) -> None:
    archive = bytearray(packed(PARTS))
    for place in data.draw(st.lists(st.integers(0, len(archive) - 1), min_size=1, max_size=4)):
        archive[place] = data.draw(st.integers(0, 255))

    read_or_refuse(bytes(archive[: data.draw(st.integers(4, len(archive)))]), "a.xlsx")


PIECES = st.sampled_from(
    [
        '"',
        '""',
        ",",
        ";",
        "\t",
        "|",
        "\n",
        "\r",
        "\r\n",
        "sep=",
        "\ufeff",
        "问题",
        "question",
        "answer",
        "a",
        " ",
        "\0",
        "'=",
    ]
)


@given(pieces=st.lists(PIECES | st.text(max_size=3), min_size=1, max_size=40), tail=st.binary(max_size=3))
def test_any_text_is_a_table_or_is_refused(pieces: list[str], tail: bytes) -> None:
    read_or_refuse("".join(pieces).encode("utf-8", "replace") + tail, "a.csv")


JSON = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"',
        "\\",
        "\\ud800",
        "null",
        "NaN",
        "1e999",
        "9" * 5_000,
        "\n",
        '"a": 1',
        '{"a": 1}\n',
    ]
)


@given(
    pieces=st.lists(JSON | st.text(max_size=3), min_size=1, max_size=40), name=st.sampled_from(["a.jsonl", "a.json"])
)
def test_any_text_is_json_or_is_refused(pieces: list[str], name: str) -> None:
    read_or_refuse("".join(pieces).encode("utf-8", "replace"), name)
