"""All that is said to people stands in both catalogues, with the same places, and nothing stands there in vain."""

import ast
import re
from string import Formatter

import pytest

from answerwatch.domain.batches import BatchStatus
from answerwatch.domain.clean_states import CleanState, InvalidReason
from answerwatch.domain.limits import Breaker
from answerwatch.figures.clusters import Method
from answerwatch.figures.definitions import FIGURES
from answerwatch.figures.records import NaReason
from answerwatch.messages import LANGUAGES, Messages, catalogue, language_of
from answerwatch.platforms.records import Means
from answerwatch.reading.matching import RULES
from answerwatch.settings import Origin
from answerwatch.workspace.doctor import Grade
from answerwatch.workspace.reports import Basis
from tests.house.sources import Module, modules

NAME = re.compile(r"[a-z]+(\.[a-z0-9_]+)+")
RAISED = re.compile(r"(?:Usage|Configuration|Service|Work)Error|Store(?:Busy|Full)")
ERRORS = "error."

# Sections whose words are looked up by the value of something: an open set in code, every word of it here.
WORDS: dict[str, set[str]] = {
    "status": {str(status) for status in BatchStatus},
    "state": {str(state) for state in CleanState},
    "invalid": {str(reason) for reason in InvalidReason},
    "error_type": {str(means) for means in Means},
    "lane": {str(state) for state in Breaker},
    "method": {str(method) for method in Method},
    "figure": set(FIGURES),
    "na": {str(reason) for reason in NaReason},
    "match": {*RULES, "accepted"},
    "origin": {str(origin) for origin in Origin},
    "grade": {str(grade) for grade in Grade},
    "basis": {str(basis) for basis in Basis},
}

# Sections of words that other code names freely (alerts, checks, columns, ...).
FREE = {"alert", "change", "check", "column", "flag", "loss", "role", "verdict", "warning", "group", *WORDS}


def constants(module: Module) -> set[str]:
    return {
        node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def used_names() -> set[str]:
    known = set(catalogue("en"))
    sections = {name.split(".")[0] for name in known}
    found = {text for module in modules() if ".interfaces." in module.name for text in constants(module)}
    return {text for text in found if NAME.fullmatch(text) and text.split(".")[0] in sections}


def raised_codes() -> set[str]:
    calls = (node for module in modules() for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name)
        and RAISED.fullmatch(call.func.id)
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    }


def own(language: str) -> dict[str, str]:
    return {name: text for name, text in catalogue(language).items() if not name.startswith(ERRORS)}


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field}


def test_both_catalogues_have_the_same_names() -> None:
    assert sorted(own("en")) == sorted(own("zh"))


def test_a_message_has_the_same_places_in_both_languages() -> None:
    english, chinese = own("en"), own("zh")

    assert not [name for name in english if places(english[name]) != places(chinese[name])]


def test_every_name_that_code_speaks_is_in_the_catalogues() -> None:
    assert not used_names() - set(catalogue("en"))


def test_no_message_is_left_unused() -> None:
    said = {name for name in own("en") if name.split(".")[0] not in FREE}

    unused = said - used_names()
    assert not unused


def test_free_words_are_used_somewhere() -> None:
    spoken = {text for module in modules() for text in constants(module)}
    free = {name for name in own("en") if name.split(".")[0] in FREE - {"group"} - set(WORDS)}

    unused = {name for name in free if name.split(".", 1)[1] not in spoken}
    assert not unused


@pytest.mark.parametrize("section", sorted(WORDS))
def test_every_word_of_an_open_set_has_its_translation(section: str) -> None:
    assert not {f"{section}.{word}" for word in WORDS[section]} - set(own("en"))


def test_every_error_has_its_chinese_text() -> None:
    translated = {name.removeprefix(ERRORS) for name in catalogue("zh") if name.startswith(ERRORS)}

    assert raised_codes() == translated


def test_english_texts_of_errors_stand_in_the_code_only() -> None:
    assert not [name for name in catalogue("en") if name.startswith(ERRORS)]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"ANSWERWATCH_LANGUAGE": "zh", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_follows_the_setting_then_the_locale(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_an_unknown_language_speaks_english() -> None:
    assert Messages("fr").language in LANGUAGES
