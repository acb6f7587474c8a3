"""docs/operations.md tells every kind of alert, what degrades a platform, and every exit code."""

import ast
import re

from answerwatch import errors
from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.clean_states import InvalidReason
from answerwatch.interfaces.cli.exit_codes import BROKEN_PIPE, INTERRUPTED
from answerwatch.stages.clean.duties import DEGRADES
from tests.house.documents import read, rows
from tests.house.sources import modules

PAGE = "docs/operations.md"


def test_every_kind_of_alert_is_told_and_no_other() -> None:
    told = [cells[0].strip("`") for cells in rows(read(PAGE), "## Alerts")]

    assert sorted(told) == sorted(AlertKind)


def test_every_kind_of_alert_is_raised_somewhere() -> None:
    raised = {
        node.attr
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "AlertKind"
    }

    assert raised == set(AlertKind.__members__)


def test_of_every_reason_it_is_said_whether_it_tells_of_a_platform() -> None:
    assert set(DEGRADES) == set(InvalidReason)


def test_the_reasons_that_tell_of_a_platform_are_told_and_no_other() -> None:
    (cells,) = (cells for cells in rows(read(PAGE), "## Alerts") if cells[0].strip("`") == AlertKind.PLATFORM_DEGRADED)

    assert set(re.findall(r"`(\w+)`", cells[2])) == {reason for reason, tells in DEGRADES.items() if tells}


def test_every_exit_code_is_told() -> None:
    classes = [one for one in vars(errors).values() if isinstance(one, type)]
    codes = {one.exit_code for one in classes if issubclass(one, errors.AnswerwatchError)}

    told = {int(cells[0]) for cells in rows(read(PAGE), "## Exit codes")}
    assert told == {0, *codes, INTERRUPTED, BROKEN_PIPE}
