"""Large JSON documents by pieces."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.errors import UsageError
from answerwatch.workspace.files.json_pieces import ITEM, JsonDocument

PATH = Path("a.json")


class Dripping(io.StringIO):
    """Gives few characters at a time, so that every place is cut once."""

    def read(self, _size: int | None = -1) -> str:
        return super().read(7)


def items(text: str, *path: str) -> list[object]:
    return list(JsonDocument(Dripping(text), PATH).items(path))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(values), st.booleans(), values)
def test_every_element_comes_out_as_the_standard_parser_reads_it(
    found: list[object],
    ascii_: bool,  # noqa: FBT001 - given by position
    other: object,
) -> None:
    text = json.dumps({"x": other, "results": {"y": [other], "results": found, "z": 1}}, ensure_ascii=ascii_, indent=1)

    assert items(text, "results", "results", ITEM) == json.loads(text)["results"]["results"]


def test_half_characters_stay_and_nan_is_unknown() -> None:
    assert items(r'[{"a": "\ud83d"}, {"a": NaN}, 12345678901234567890123]', ITEM) == [
        {"a": "\ud83d"},
        {"a": None},
        12345678901234567890123,
    ]


@pytest.mark.parametrize(("path", "found"), [(("a",), [1]), (("b",), []), ((ITEM,), []), ((), [{"a": 1}])])
def test_a_path_that_leads_nowhere_gives_nothing(path: tuple[str, ...], found: list[object]) -> None:
    assert items('\ufeff {"a": 1} ', *path) == found


@pytest.mark.parametrize("text", ['[{"a": 1}', '[{"a": 1} {"b": 2}]', "[1, nul]", '["abc', "[1 2]", "[" * 100_000])
def test_what_is_no_json_is_refused_with_a_place(text: str) -> None:
    with pytest.raises(UsageError, match=r"no JSON document: .* \(character [\d,]+\)"):
        items(text, ITEM)


def test_one_record_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("answerwatch.workspace.files.json_pieces.LONGEST_RECORD", 100)

    with pytest.raises(UsageError, match="one record has more than 100 characters"):
        items('["' + "a" * 10_000 + '"]', ITEM)
