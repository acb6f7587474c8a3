"""All that is said to people stands in every catalogue, with the same places, and nothing stands there in vain."""

import ast
import re
from dataclasses import fields
from importlib.resources import files
from string import Formatter

import pytest

from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.answers import AnswerFacts
from answerwatch.domain.batches import BatchStatus
from answerwatch.domain.brands import AliasKind, MatchMode, Role
from answerwatch.domain.clean_states import CleanState, InvalidReason
from answerwatch.domain.lexicon_changes import Part
from answerwatch.domain.limits import Breaker
from answerwatch.domain.questions import Freshness
from answerwatch.domain.relevance import Fit
from answerwatch.domain.said import Said
from answerwatch.domain.similarity import JobStatus, Warned
from answerwatch.errors import AnswerwatchError
from answerwatch.figures.accuracy.records import Measure
from answerwatch.figures.clusters import Method
from answerwatch.figures.definitions import FIGURES
from answerwatch.figures.records import NaReason
from answerwatch.messages import FALLBACK, LANGUAGES, Messages, catalogue, language_of
from answerwatch.platforms.records import Means
from answerwatch.reading.matching import RULES
from answerwatch.scorers.onnx.preparing import Step
from answerwatch.settings import Origin
from answerwatch.store.exports.row_sets import ROW_SETS
from answerwatch.workspace.batches.views import Difference
from answerwatch.workspace.health.doctor import LOOKS, Grade
from answerwatch.workspace.reports.verbs import Basis
from tests.house.sources import Module, modules

NAME = re.compile(r"[a-z]+(\.[a-z0-9_]+)+")
CODES = ("error.", "said.")
"""Sections of texts whose English stands in the code."""

# Catalogues that must hold what the English one holds, and the texts of errors and of what else code says besides.
TRANSLATIONS = sorted(set(LANGUAGES) - {FALLBACK})

# Sections whose words are looked up by the value of something: an open set in code, every word of it here.
WORDS: dict[str, set[str]] = {
    "status": {str(status) for status in BatchStatus},
    "similarity_status": {str(status) for status in JobStatus},
    "conversion": {str(step) for step in Step},
    "similarity_warning": {str(one) for one in Warned},
    "fit": {str(fit) for fit in Fit},
    "state": {str(state) for state in CleanState},
    "invalid": {str(reason) for reason in InvalidReason},
    "error_type": {str(means) for means in Means},
    "lane": {str(state) for state in Breaker},
    "method": {str(method) for method in Method},
    "figure": set(FIGURES),
    "measure": {str(measure) for measure in Measure},
    "na": {str(reason) for reason in NaReason},
    "match": {*RULES, "accepted"},
    "origin": {str(origin) for origin in Origin},
    "grade": {str(grade) for grade in Grade},
    "basis": {str(basis) for basis in Basis},
    "role": {str(role) for role in Role},
    "alias_kind": {str(kind) for kind in AliasKind},
    "match_mode": {str(mode) for mode in MatchMode},
    "part": {str(part) for part in Part},
    "check": {look.name for look in LOOKS},
    "difference": {str(one) for one in Difference},
    "alert": {str(kind) for kind in AlertKind},
    "freshness": {str(word) for word in Freshness},
    "row_set": set(ROW_SETS),
    "exported": {name for rows in ROW_SETS.values() for name in rows.names},
}

# Sections of words that other code names freely (alerts, checks, columns, ...).
FREE = {
    "api",
    "key_state",
    "change",
    "column",
    "flag",
    "loss",
    "verdict",
    "group",
    "usage",
    "failure",
    "lexicon_note",
    "script_fault",
    *WORDS,
}

# Sections that know texts of our own, which come without a name, by their English wording.
RECOGNISED = {"failure", "lexicon_note", "script_fault"}


def constants(module: Module) -> set[str]:
    return {
        node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def used_names() -> set[str]:
    known = set(catalogue("en"))
    sections = {name.split(".")[0] for name in known}
    found = {text for module in modules() if ".interfaces." in module.name for text in constants(module)}
    return {text for text in found if NAME.fullmatch(text) and text.split(".")[0] in sections}


def error_classes() -> set[str]:
    """Names of all classes of errors, read from the source: a class in a room that nobody has imported counts too."""
    classes = [node for module in modules() for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
    above = {node.name: {base.id for base in node.bases if isinstance(base, ast.Name)} for node in classes}
    found = {AnswerwatchError.__name__}
    while new := {name for name, bases in above.items() if bases & found} - found:
        found |= new
    return found


def speaker_of(call: ast.Call) -> str:
    """Name of the class whose text this is; `__init__` of the class above is how an error says its own."""
    if isinstance(call.func, ast.Attribute):
        return AnswerwatchError.__name__ if call.func.attr == "__init__" else ""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def spoken() -> dict[str, list[set[str]]]:
    """Name of every error and other text that is made anywhere -> the facts given at each place."""
    sections = dict.fromkeys(error_classes(), "error.") | {Said.__name__: "said."}
    found: dict[str, list[set[str]]] = {}
    for call in (node for module in modules() for node in ast.walk(module.tree) if isinstance(node, ast.Call)):
        code = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
        if (speaker := speaker_of(call)) in sections and isinstance(code, str):
            name = sections[speaker] + code
            found.setdefault(name, []).append({keyword.arg or "" for keyword in call.keywords})
    return found


def own(language: str) -> dict[str, str]:
    return {name: text for name, text in catalogue(language).items() if not name.startswith(CODES)}


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field}


def test_every_catalogue_is_a_language_and_every_language_has_one() -> None:
    found = {file.name for file in files("answerwatch.messages").iterdir() if file.name.endswith(".toml")}

    assert found == {f"{language}.toml" for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_names_characters_that_a_terminal_must_have(language: str) -> None:
    assert catalogue(language)["cli.sample"]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_all_catalogues_have_the_same_names(language: str) -> None:
    english, other = set(own(FALLBACK)), set(own(language))

    assert (english - other, other - english) == (set(), set())


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_message_has_the_same_places_in_all_languages(language: str) -> None:
    english, other = own(FALLBACK), own(language)

    assert not [name for name in english if places(english[name]) != places(other.get(name, ""))]


def test_every_name_that_code_speaks_is_in_the_catalogues() -> None:
    assert not used_names() - set(catalogue("en"))


def test_no_message_is_left_unused() -> None:
    said = {name for name in own("en") if name.split(".")[0] not in FREE}

    unused = said - used_names()
    assert not unused


def test_free_words_are_used_somewhere() -> None:
    spoken = {text for module in modules() for text in constants(module)}
    spoken |= {field.name for field in fields(AnswerFacts)}
    free = {name for name in own("en") if name.split(".")[0] in FREE - {"group", "usage"} - RECOGNISED - set(WORDS)}

    unused = {name for name in free if name.split(".", 1)[1] not in spoken}
    assert not unused


@pytest.mark.parametrize("section", sorted(WORDS))
def test_every_word_of_an_open_set_has_its_translation(section: str) -> None:
    assert not {f"{section}.{word}" for word in WORDS[section]} - set(own("en"))


def test_every_fact_told_of_an_answer_has_a_word_under_which_it_is_shown() -> None:
    missing = {f"column.{field.name}" for field in fields(AnswerFacts)} - set(own("en"))
    assert not missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_that_lists_what_is_exported_lists_all_of_it(language: str) -> None:
    words = catalogue(language)["option.export_what"]

    assert not [name for name in ROW_SETS if not re.search(rf"(?<![\w-]){name}(?![\w-])", words)]


def texts_of_code(language: str) -> dict[str, str]:
    return {name: text for name, text in catalogue(language).items() if name.startswith(CODES)}


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_text_of_the_code_is_translated(language: str) -> None:
    translated, said = set(texts_of_code(language)), set(spoken())

    untranslated, unsaid = said - translated, translated - said
    assert (untranslated, unsaid) == (set(), set())


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translated_text_of_the_code_speaks_of_facts_that_it_always_has(language: str) -> None:
    texts = texts_of_code(language)
    poor = {
        name: [places(texts.get(name, "")) - facts - {"text"} for facts in given] for name, given in spoken().items()
    }

    lacking = {code: missing for code, missing in poor.items() if any(missing)}
    assert not lacking


@pytest.mark.parametrize("section", sorted(RECOGNISED))
def test_a_text_that_is_recognised_by_its_wording_is_said_so_by_code(section: str) -> None:
    said = "\n".join(text for module in modules() for text in constants(module))
    wordings = {name: text for name, text in own("en").items() if name.split(".")[0] == section}
    parts = {name: [part.strip(" :;") for part, _, _, _ in Formatter().parse(text)] for name, text in wordings.items()}

    assert not {name: part for name, every in parts.items() for part in every if part not in said}


def test_english_texts_of_errors_stand_in_the_code_only() -> None:
    assert not texts_of_code("en")


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
