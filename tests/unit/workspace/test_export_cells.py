"""Values as they stand in the cells of exports."""

import json

import pytest

from answerwatch.messages import LANGUAGES, catalogue
from answerwatch.store.exports import ROW_SETS
from answerwatch.workspace.exports.cells import json_cell
from answerwatch.workspace.questions.importing import read_keywords


@pytest.mark.parametrize("words", [["手机"], ["手机", "性价比"], ["two words", "a-b"]])
def test_words_of_a_list_stand_beside_each_other_and_are_read_as_they_were(words: list[str]) -> None:
    assert read_keywords(json_cell(words)) == tuple(words)


@pytest.mark.parametrize("value", [["a;b", "c"], [" a"], [""], [1], {"seed": 1}, {"half": "\ud83d", "long": 2**70}])
def test_everything_else_is_json(value: object) -> None:
    assert json.loads(json_cell(value)) == value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", list(ROW_SETS))
def test_no_two_columns_have_one_header(what: str, language: str) -> None:
    words = [catalogue(language)[f"exported.{name}"] for name in ROW_SETS[what].names]

    assert len(set(words)) == len(words)
