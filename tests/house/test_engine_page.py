"""docs/engine.md names tests that exist."""

import ast
import re

import pytest

from tests.house.documents import read, rows
from tests.house.sources import ROOT

NAMED = re.compile(r"`(?P<file>tests/\S+\.py)?::(?P<test>\w+)`")


def named() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for _, cell in rows(read("docs/engine.md"), "## What is guaranteed, and by which test"):
        file = ""
        for match in NAMED.finditer(cell):
            file = match["file"] or file
            found.append((file, match["test"]))
    return found


@pytest.mark.parametrize(("file", "test"), named())
def test_the_test_behind_a_guarantee_exists(file: str, test: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))

    assert test in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_guarantee_names_a_test() -> None:
    guarantees = rows(read("docs/engine.md"), "## What is guaranteed, and by which test")

    assert not [guarantee for guarantee, cell in guarantees if not NAMED.search(cell)]
