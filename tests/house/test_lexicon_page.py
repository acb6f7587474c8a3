"""The page about the lexicon names every decision that the code takes, and every column and word of its files."""

import ast

from answerwatch.domain.brands import AliasKind, MatchMode, Role
from answerwatch.domain.lexicon_changes import Part
from answerwatch.workspace.brands.edits import WIDEST_WINDOW
from answerwatch.workspace.brands.files.read_file import MOST_ROWS
from answerwatch.workspace.brands.files.words import SHEETS, header, sheet_name, written
from answerwatch.workspace.files.columns import LEXICON_COLUMNS
from tests.house.documents import read, rows
from tests.house.sources import modules

PAGE = read("docs/lexicon.md")
DECIDING = ("refusals", "edits", "warnings")


def codes() -> set[str]:
    """Stable words of refusals and warnings that the deciding modules make."""
    found: set[str] = set()
    for module in modules():
        if module.name.rpartition(".")[2] in DECIDING and ".workspace.brands." in module.name:
            nodes = ast.walk(module.tree)
            texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
            found |= {text for text in texts if text.startswith(("alias_", "rule_", "brand_", "name_", "domain_"))}
    return found - {"brand_id", "name_key", "rule_unknown"}


def test_every_decision_is_on_the_page() -> None:
    told = {
        code
        for row in rows(PAGE, "## What is refused, and what is told")
        for code in row[-1].replace("`", "").split(", ")
    }

    assert codes() - told == set()
    assert told - codes() == {"name_empty", "name_long", "name_unseen"}


def test_every_column_and_word_of_files_is_on_the_page() -> None:
    table = {row[0].strip("`"): row for row in rows(PAGE, "## As a file")}

    assert set(table) == set(LEXICON_COLUMNS)
    assert [table[field][1] for field in LEXICON_COLUMNS] == header(tuple(LEXICON_COLUMNS), "zh")
    words = {"entry": Part, "kind": AliasKind, "match_mode": MatchMode, "role": Role}
    for field, values in words.items():
        assert table[field][2] == ", ".join(f"`{value}` {written(value, 'zh')}" for value in values)
    assert all(f"`{sheet}`/{sheet_name(sheet, 'zh')}" in PAGE for sheet in SHEETS)


def test_the_limits_on_the_page_are_those_of_the_code() -> None:
    assert f"at most {MOST_ROWS:,} rows" in PAGE
    assert f"1 to {WIDEST_WINDOW}" in PAGE
