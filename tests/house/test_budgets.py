"""Size, depth, docstrings, comments and names stay within the budgets of the house."""

import ast
from collections.abc import Callable, Iterator

import pytest

from tests.house.budgets import (
    comment_faults,
    docstring_faults,
    functions,
    has_reason,
    name_faults,
    nesting,
    size_faults,
)
from tests.house.sources import SRC, Module, modules

# Files that may break a budget of size, each with its reason. Keep it short.
EXCEPTIONS: dict[str, str] = {
    "src/answerwatch/store/migrations/versions/": "a migration is a frozen list of statements, never edited again",
}

Rule = Callable[[Module], Iterator[str]]


def excused(module: Module, rule: Rule) -> bool:
    return rule is size_faults and module.where.startswith(tuple(EXCEPTIONS))


@pytest.mark.parametrize("rule", [size_faults, docstring_faults, comment_faults, name_faults])
def test_every_module_keeps_the(rule: Rule) -> None:
    found = [fault for module in modules() if not excused(module, rule) for fault in rule(module)]

    assert not found, "\n".join(found)


def made_up(source: str, name: str = "answerwatch.made_up") -> Module:
    return Module(name, SRC / "made_up.py", ast.parse(source), lines=source.count("\n"))


CHAIN = """
def f(x):
    if x:
        return 1
    elif x is None:
        return 2
    else:
        return 3
"""
HANDLER = """
def f(x):
    for a in x:
        try:
            a()
        except ValueError:
            a()
"""
PYRAMID = """
def f(x):
    with x:
        for a in x:
            while a:
                if a:
                    a()
"""


@pytest.mark.parametrize(("source", "depth"), [("def f(): ...", 0), (CHAIN, 1), (HANDLER, 2), (PYRAMID, 4)])
def test_nesting_counts_blocks_inside_each_other(source: str, depth: int) -> None:
    (function,) = functions(ast.parse(source))

    assert nesting(function.body) == depth


def test_a_function_that_is_too_wide_or_too_long_is_found() -> None:
    wide = made_up("def f(a, b, c, d, e, g): ...\n")
    receiver = made_up("class C:\n    def f(self, a, b, c, d, e, *, g): ...\n")
    long = made_up("def f():\n" + "    x = 1\n" * 40)

    assert len(list(size_faults(wide))) == 1
    assert not list(size_faults(receiver))
    assert len(list(size_faults(long))) == 1


def test_a_missing_docstring_is_found_on_public_things_only() -> None:
    found = list(docstring_faults(made_up('"""A module."""\nclass C:\n    def f(self): ...\n    def _g(self): ...\n')))

    assert [fault.split(": ")[1] for fault in found] == ["no docstring", "no docstring"]


@pytest.mark.parametrize(
    ("rest", "enough"),
    [
        ("", False),
        (": BLE001", False),
        (": BLE001  # the loop must outlive any plug-in", True),
        ("[arg-type]", False),
        ("[arg-type]  # the stub is older than the library", True),
    ],
)
def test_a_silenced_check_needs_code_and_reason(rest: str, *, enough: bool) -> None:
    assert has_reason(rest) is enough
