"""docs/correcting.md names every reason that a person may give, and docs/glossary.md has all."""

import re

from answerwatch.domain.clean_states import InvalidReason
from answerwatch.domain.corrections import REASONS
from tests.house.documents import read, rows


def test_every_reason_that_may_be_given_is_told_and_no_other() -> None:
    fields = rows(read("docs/correcting.md"), "# Setting readings right")
    (cell,) = (cells[1] for cells in fields if cells[0].startswith("`is_valid`"))
    assert set(re.findall(r"`(\w+)`", cell)) - {"valid"} == set(REASONS)


def test_the_glossary_has_every_reason() -> None:
    (line,) = (line for line in read("docs/glossary.md").splitlines() if line.startswith("| invalid reason |"))
    assert not [str(reason) for reason in InvalidReason if str(reason).replace("_", " ") not in line]
