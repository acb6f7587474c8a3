"""A program over a workspace of its own."""

from pathlib import Path

import pytest

from tests.e2e.cli.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "workspace")
