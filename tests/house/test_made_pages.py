"""Pages of the documentation that are made from code are as the code is now."""

from pathlib import Path

import pytest
from sqlalchemy import Table

from answerwatch.store.schema import answer_metric, metadata
from scripts.attribute_docs import attribute_docs
from scripts.make_docs import PAGES

TABLES = [*metadata.sorted_tables, answer_metric]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_that_is_made_is_as_the_code_is(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == PAGES[page](), "run `make docs` and look at what changed"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_says_what_it_and_its_columns_mean(table: Table) -> None:
    silent = [column.name for column in table.columns if not column.doc]

    assert table.info["meaning"].endswith(".")
    assert not silent, "give these columns a `doc`"


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.name)
def test_a_column_that_can_be_null_says_what_that_means(table: Table) -> None:
    vague = [column.name for column in table.columns if column.nullable and "NULL" not in str(column.doc)]

    assert not vague


def test_sentences_below_attributes_are_read() -> None:
    class Shown:
        """Not this one."""

        named: int = 1
        """Two
        lines."""
        bare = 2
        other = 3
        """Another."""

    assert attribute_docs(Shown) == {"named": "Two lines.", "other": "Another."}
