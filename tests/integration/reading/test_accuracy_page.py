"""The tables of docs/accuracy.md are what is measured now."""

import re
from pathlib import Path

import pytest

from scripts.accuracy_page import OPEN, OWN, PAGE, Rows, table


def shown(name: str) -> str:
    """Return the table that the page has for a file."""
    found = re.search(rf"<!-- {re.escape(name)} -->\n(.*?)<!-- end", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("name", OPEN)
def test_the_open_rows_are_measured_as_the_page_says(name: str, shared_data: Path) -> None:
    assert shown(name) == table(Rows(shared_data / name)), "run `make accuracy` and look at what changed"


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_our_own_cases_are_measured_as_the_page_says(path: Path) -> None:
    assert shown(path.name) == table(Rows(path)), "run `make accuracy` and look at what changed"
