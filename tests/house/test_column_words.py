"""Every name of a column or fact that the command line shows is a word of the catalogues, in every language."""

import ast
from collections.abc import Iterator
from dataclasses import fields

from answerwatch.domain.brands import Alias, Brand, Rule
from answerwatch.domain.lexicon_changes import TOLD_APART_BY
from answerwatch.interfaces.cli.questions.tables import FIELD_WORDS
from answerwatch.messages import LANGUAGES, catalogue
from answerwatch.workspace.cleaning.views import Changed
from tests.house.sources import Module, modules

LISTS = "answerwatch.interfaces.cli.listing"
"""Where tables and facts are printed: the names come from those who call it."""


def calls(module: Module) -> Iterator[tuple[str, ast.Call]]:
    """Calls with the name of what is called, without the type in `Listing[View](...)`."""
    for call in (node for node in ast.walk(module.tree) if isinstance(node, ast.Call)):
        called = call.func.value if isinstance(call.func, ast.Subscript) else call.func
        yield (called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")), call


def shown(name: str, call: ast.Call) -> ast.expr | None:
    """What names the columns or facts of a call; None where it shows none."""
    if name == "Listing":
        return next(one.value for one in call.keywords if one.arg == "columns")
    if name == "show_facts":
        return call.args[1]
    of_columns = name == "words" and isinstance(call.args[0], ast.Constant) and call.args[0].value == "column"
    return call.args[1] if of_columns else None


def bound(module: Module, name: str) -> list[ast.expr]:
    """What a name of the module stands for, wherever it gets a value."""
    return [
        node.value
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign) and name in {one.id for one in node.targets if isinstance(one, ast.Name)}
    ]


def texts(module: Module, node: ast.expr | None) -> list[str]:
    """The names in an expression: of a tuple its texts, of a dictionary its keys, through names and parts of both."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Tuple(elts=inner) | ast.List(elts=inner) | ast.Dict(keys=inner):
            return [text for one in inner for text in texts(module, one)]
        case ast.Name(id=name):
            return [text for one in bound(module, name) for text in texts(module, one)]
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            return texts(module, one) + texts(module, other)
        case ast.Subscript(value=whole):
            return texts(module, whole)
    return []


def named() -> dict[str, list[str]]:
    """Every place that shows columns or facts -> their names."""
    return {
        f"{module.where}:{call.lineno}": texts(module, node)
        for module in modules()
        if ".interfaces.cli." in module.name and module.name != LISTS
        for name, call in calls(module)
        if (node := shown(name, call)) is not None
    }


def without_word(names: set[str]) -> set[str]:
    """Those names that some catalogue has no word for."""
    return {name for name in names for language in LANGUAGES if f"column.{name}" not in catalogue(language)}


def test_the_names_of_every_table_can_be_read_from_the_code() -> None:
    places = named()

    assert len(places) > 50
    assert [place for place, names in places.items() if not names] == []


def test_every_column_and_fact_has_its_word() -> None:
    lacking = {place: without_word(set(names)) for place, names in named().items()}

    assert {place: names for place, names in lacking.items() if names} == {}


def test_every_field_whose_change_is_shown_has_its_word() -> None:
    parts = {one.name for part in (Brand, Alias, Rule) for one in fields(part)} - TOLD_APART_BY - {"is_active"}

    assert without_word(parts | set(FIELD_WORDS.values()) | {str(one) for one in Changed}) == set()
