"""The tests themselves: where they lie, and what they do without."""

import ast
from pathlib import Path

from tests.house.sources import ROOT

KINDS = {"chaos", "contract", "e2e", "house", "integration", "property", "unit"}
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module or ""}
    return names


def marks(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return {node.attr for node in attributes if isinstance(node.value, ast.Attribute) and node.value.attr == "mark"}


def test_every_test_lies_in_the_folder_of_its_kind() -> None:
    folders = {path.relative_to(ROOT / "tests").parts[0] for path in TESTS if path.parent != ROOT / "tests"}

    assert not folders - KINDS


def test_nothing_of_ours_is_mocked() -> None:
    found = [str(path.relative_to(ROOT)) for path in TESTS if imported(path) & {"unittest.mock", "mock", "pytest_mock"}]

    assert not found, "use the shipped fakes: the simulator, a real SQLite file, a clock that is handed in"


def test_no_test_is_switched_off() -> None:
    found = [str(path.relative_to(ROOT)) for path in TESTS if marks(path) & {"skip", "xfail"}]

    assert not found, "mend it or take it out; a test that needs a server carries that server's marker"


def test_marks_are_seen() -> None:
    assert "parametrize" in marks(ROOT / "tests" / "house" / "test_imports.py")
