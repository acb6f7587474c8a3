"""docs/operations.md tells every kind of alert and every exit code."""

import ast
from collections.abc import Iterator

from answerwatch import errors
from answerwatch.engine.lanes import ALERTS
from answerwatch.interfaces.cli.exit_codes import BROKEN_PIPE, INTERRUPTED
from tests.house.documents import read, rows
from tests.house.sources import modules

PAGE = "docs/operations.md"


def rung(tree: ast.Module) -> Iterator[str]:
    """Kinds of alerts that a module raises by name."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "ring":
            values = (keyword.value for keyword in call.keywords if keyword.arg == "kind")
            yield from (str(value.value) for value in values if isinstance(value, ast.Constant))


def test_every_kind_of_alert_is_told_and_no_other() -> None:
    kinds = {kind for module in modules() for kind in rung(module.tree)} | set(ALERTS.values())

    assert {cells[0].strip("`") for cells in rows(read(PAGE), "## Alerts")} == kinds


def test_every_exit_code_is_told() -> None:
    classes = [one for one in vars(errors).values() if isinstance(one, type)]
    codes = {one.exit_code for one in classes if issubclass(one, errors.AnswerwatchError)}

    told = {int(cells[0]) for cells in rows(read(PAGE), "## Exit codes")}
    assert told == {0, *codes, INTERRUPTED, BROKEN_PIPE}
