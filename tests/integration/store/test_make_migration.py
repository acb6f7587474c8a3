"""Migrations are written from the schema: what `make migration` makes is ready to be read and kept."""

import ast
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command

from answerwatch.store import migrations
from answerwatch.store.database import Store
from scripts.make_migration import ROOT, VERSIONS, config_in, make

BY_HAND = """\
    from alembic import op

    with op.batch_alter_table("answer_sample") as batch_op:
        batch_op.create_check_constraint(op.f("ck_answer_sample_filtered"), "filtered IN (0, 1)")
"""


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    """The migrations, in a folder of their own."""
    return Path(shutil.copytree(VERSIONS, tmp_path / "versions", ignore=shutil.ignore_patterns("__pycache__")))


def statements(file: Path) -> dict[str, int]:
    """How many statements each function of a migration has after its docstring."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name: len(node.body) - 1 for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_an_unchanged_schema_gives_an_empty_migration_with_the_next_number(versions: Path) -> None:
    newest = max(versions.glob("*.py")).name[:4]

    file = make("do_nothing", versions)

    assert file == versions / f"{int(newest) + 1:04d}_do_nothing.py"
    assert statements(file) == {"upgrade": 0, "downgrade": 0}
    made = runpy.run_path(str(file))
    assert (made["revision"], made["down_revision"]) == (file.name[:4], newest)
    checked = [sys.executable, "-m", "ruff", "format", "--check", "--config", str(ROOT / "pyproject.toml"), str(file)]
    assert subprocess.run(checked, check=False, capture_output=True).returncode == 0


def test_columns_that_the_migrations_lack_are_added_with_the_types_of_the_schema(versions: Path) -> None:
    first = versions / "0001_main_line.py"
    lacking = (
        'sa.Column("acknowledged_at", UtcDateTime(), nullable=True),',
        'sa.Column("request_id", Key, nullable=True),',
    )
    text = first.read_text(encoding="utf-8")
    assert [text.count(column) for column in lacking] == [1, 1]
    for column in lacking:
        text = text.replace(column, "")
    first.write_text(text, encoding="utf-8")

    written = make("add_what_lacks", versions).read_text(encoding="utf-8")

    assert all(column.removesuffix(",") in written for column in lacking)
    assert "from answerwatch.store.types import Key, UtcDateTime\n" in written
    assert "# ###" not in written


def test_a_check_written_by_hand_is_added_to_a_table_that_a_view_reads(versions: Path, tmp_path: Path) -> None:
    first = versions / "0001_main_line.py"
    check = 'sa.CheckConstraint("filtered IN (0, 1)", name=op.f("ck_answer_sample_filtered")),'
    text = first.read_text(encoding="utf-8")
    assert text.count(check) == 1
    first.write_text(text.replace(check, ""), encoding="utf-8")
    second = make("add_check", versions)
    lines = second.read_text(encoding="utf-8").replace('revision."""\n', f'revision."""\n{BY_HAND}', 1)
    second.write_text(lines, encoding="utf-8")
    store = Store(f"sqlite:///{tmp_path / 'answerwatch.db'}")

    with store.writing() as tx:
        command.upgrade(config_in(versions, tx.connection), f"{int(second.name[:4]) - 1:04d}")
    assert migrations.differences(store) == ["check ck_answer_sample_filtered is missing"]
    with store.writing() as tx:
        command.upgrade(config_in(versions, tx.connection), "head")

    assert migrations.differences(store) == []
    store.close()


@pytest.mark.parametrize("name", ["", "Add Cost", "../x"])
def test_a_name_that_makes_no_file_name_is_refused(versions: Path, name: str) -> None:
    before = sorted(versions.iterdir())

    with pytest.raises(ValueError, match="NAME="):
        make(name, versions)

    assert sorted(versions.iterdir()) == before
