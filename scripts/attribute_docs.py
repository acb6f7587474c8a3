"""Reads the sentences that stand below attributes and members of a class: Python itself keeps none of them."""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise


def attribute_docs(owner: type) -> dict[str, str]:
    """Return the text below every attribute of a class body, on one line; attributes without one are left out."""
    [node] = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    if not isinstance(node, ast.ClassDef):
        raise TypeError(f"{owner!r} is no class")
    return {
        name: " ".join(text.split())
        for statement, following in pairwise(node.body)
        if (name := _target(statement)) and (text := _text(following))
    }


def _target(statement: ast.stmt) -> str | None:
    """Return the name that a statement gives a value to, None for any other statement."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return targets[0].id if isinstance(targets[0], ast.Name) else None


def _text(statement: ast.stmt) -> str | None:
    """Return the text of a statement that is nothing but a text."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
