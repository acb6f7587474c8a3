"""Measures modules and functions against the budgets of the house."""

import ast
import re
from collections.abc import Iterator

from tests.house.sources import Module

MODULE_LINES = 400
FUNCTION_LINES = 40
POSITIONAL = 5
NESTING = 3
DRAWERS = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "managers", "base2"}

type_of_function = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)

BANNER = re.compile(r"^\s*#\s*(?:[-=*#_~]{4,}|.*[-=*#~]{4,}\s*$)")
SILENCED = re.compile(r"#\s*(?:noqa|type:\s*ignore)(?P<rest>.*)$")
CODES = re.compile(r"^(?::\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*|\[[a-z0-9, -]+\])")


def size_faults(module: Module) -> Iterator[str]:
    """What is too long, too wide or too deep in the module."""
    if module.lines > MODULE_LINES:
        yield f"{module.where}: {module.lines} lines; a module holds at most {MODULE_LINES}"
    for function in functions(module.tree):
        where = f"{module.where}:{function.lineno} {function.name}"
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > FUNCTION_LINES:
            yield f"{where}: {lines} lines; a function holds at most {FUNCTION_LINES}"
        if (count := positional(function)) > POSITIONAL:
            yield f"{where}: {count} positional parameters; at most {POSITIONAL}, the rest keyword-only or one record"
        if (depth := nesting(function.body)) > NESTING:
            yield f"{where}: {depth} blocks inside each other; at most {NESTING}"


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function and method, wherever it stands."""
    return (node for node in ast.walk(tree) if isinstance(node, type_of_function))


def positional(function: Function) -> int:
    """How many parameters can be given by position, the receiver of a method left out."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return len(names[1:] if names[:1] in (["self"], ["cls"]) else names)


def nesting(body: list[ast.stmt]) -> int:
    """How many blocks lie inside each other; `elif` stays on its level, an inner function starts anew."""
    return max((depth_of(statement) for statement in body), default=0)


def depth_of(statement: ast.stmt) -> int:
    """The depth of one statement: 0 for a plain one, 1 for a block of plain ones."""
    if isinstance(statement, ast.ClassDef) or not isinstance(statement, BLOCKS):
        return 0
    if isinstance(statement, ast.If) and len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If):
        return max(1 + nesting(statement.body), depth_of(statement.orelse[0]))
    return 1 + max(nesting(body) for body in bodies(statement))


def bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Every list of statements directly inside a block."""
    for field in ("body", "orelse", "finalbody"):
        yield getattr(statement, field, [])
    for field in ("handlers", "cases"):
        yield from (inner.body for inner in getattr(statement, field, []))


def docstring_faults(module: Module) -> Iterator[str]:
    """Which public module, class or function has no docstring, or one that does not start with a sentence."""
    if not is_public(module.name):
        return
    for name, line, node in public_things(module):
        text = ast.get_docstring(node)
        if not text:
            yield f"{module.where}:{line} {name}: no docstring"
        elif not text.splitlines()[0].rstrip().endswith((".", "?", "!")):
            yield f"{module.where}:{line} {name}: the first line of the docstring is not a sentence"


def is_public(name: str) -> bool:
    """Whether no part of the dotted name starts with an underscore (`__main__` counts as public)."""
    return not any(part.startswith("_") and not part.startswith("__") for part in name.split("."))


def public_things(module: Module) -> Iterator[tuple[str, int, ast.Module | ast.ClassDef | Function]]:
    """The module itself, its public classes and functions, and the public methods of those classes."""
    yield module.name, 1, module.tree
    yield from public_members(module.tree, "")


def public_members(owner: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, int, ast.ClassDef | Function]]:
    """Public classes and functions directly inside a module or class, and what lies in those classes."""
    for node in owner.body:
        if not isinstance(node, (ast.ClassDef, *type_of_function)):
            continue
        if node.name.startswith("_") or is_variant(node):
            continue
        yield prefix + node.name, node.lineno, node
        if isinstance(node, ast.ClassDef):
            yield from public_members(node, f"{prefix}{node.name}.")


def is_variant(node: ast.ClassDef | Function) -> bool:
    """Whether the definition belongs to another one that carries the docstring: an overload, setter or override."""
    names = {decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
             for decorator in node.decorator_list}  # fmt: skip
    return bool(names & {"overload", "setter", "deleter", "override"})


def comment_faults(module: Module) -> Iterator[str]:
    """Banner comments, and silenced checks that give no code or no reason."""
    for number, line in enumerate(module.path.read_text(encoding="utf-8").splitlines(), start=1):
        if BANNER.match(line):
            yield f"{module.where}:{number}: a banner comment; let the names of things structure the file"
        if (silenced := SILENCED.search(line)) and not has_reason(silenced["rest"]):
            yield f"{module.where}:{number}: a silenced check needs its code and a reason on the same line"


def has_reason(rest: str) -> bool:
    """Whether what follows `noqa` or `type: ignore` names a code and then says why."""
    codes = CODES.match(rest)
    return codes is not None and len(rest[codes.end() :].strip(" #-:")) > len("why")


def name_faults(module: Module) -> Iterator[str]:
    """File and folder names that say nothing about what is inside."""
    for part in module.name.split("."):
        if part.strip("_") in DRAWERS:
            yield f"{module.where}: `{part}` is a drawer without a name; call it by what is inside"
