"""Scorers by name: those that come along, those of `scorers.toml`, and what is wrong with a file."""

from importlib import import_module
from pathlib import Path

import pytest

from answerwatch.errors import ConfigurationError, UsageError
from answerwatch.scorers.embedded import check_extra
from answerwatch.scorers.registry import EMBEDDED, FILE_NAME, KINDS, Registry


def registry(folder: Path, text: str = "") -> Registry:
    if text:
        (folder / FILE_NAME).write_text(text, encoding="utf-8")
    return Registry(folder, {})


def test_without_a_file_there_are_the_embedded_ones(tmp_path: Path) -> None:
    assert registry(tmp_path).names == EMBEDDED
    assert registry(tmp_path).make("lexical").facts.name == "lexical"


def test_a_file_names_others(tmp_path: Path) -> None:
    found = registry(tmp_path, '[mine]\nkind = "lexical"\n')
    assert found.names == (*EMBEDDED, "mine")
    assert found.kind("mine") == "lexical"


def test_an_unknown_name_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"mine.*scorers\.toml"):
        registry(tmp_path, '[mine]\nkind = "lexical"\n').make("yours")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[mine]\nkind = 'oracle'\n", "scorer mine: needs a kind; there are: lexical"),
        ("[mine]\n", "needs a kind"),
        ("mine = 3\n", "is a value"),
        ("[use]\nkind = 'lexical'\n", "cannot be a name"),
        ("['a b']\nkind = 'lexical'\n", "cannot be a name"),
        ("[mine\n", "is not TOML"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_table(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=said) as told:
        registry(tmp_path, text)
    assert FILE_NAME in told.value.text


def test_a_wrong_setting_is_told_by_its_name_and_never_shown(tmp_path: Path) -> None:
    found = registry(tmp_path, '[mine]\nkind = "lexical"\nkey = "sk-secret"\n')
    with pytest.raises(ConfigurationError, match="scorer mine: key") as told:
        found.make("mine")
    assert "sk-secret" not in told.value.text


def test_a_folder_is_meant_from_the_workspace(tmp_path: Path) -> None:
    found = registry(tmp_path, '[mine]\nkind = "onnx"\nfolder = "models/none"\n')
    with pytest.raises(ConfigurationError) as told:
        found.make("mine")
    assert str(tmp_path / "models" / "none") in told.value.text


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_settings_and_a_maker(kind: str) -> None:
    module = import_module(KINDS[kind].module)
    assert hasattr(module, KINDS[kind].settings)
    assert callable(module.make)


def test_a_package_that_is_missing_is_told_with_the_command_that_brings_it() -> None:
    with pytest.raises(ConfigurationError, match=r"pip install 'answerwatch\[similarity\]'"):
        check_extra("no_such_module_anywhere", "similarity")
