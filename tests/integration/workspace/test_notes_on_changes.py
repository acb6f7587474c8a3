"""Why something was changed: notes on questions and on the lexicon are kept by one rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from answerwatch.domain.texts import LONGEST_LINE
from answerwatch.workspace import Workspace
from answerwatch.workspace.questions.editing import Edit
from tests.databases import on_every_database

pytestmark = on_every_database

Change = Callable[[Workspace, str], str]
"""Makes a change with a note, and returns the note as it is kept."""


def note_on_a_question(ws: Workspace, note: str) -> str:
    ws.questions.add("手机哪个好", scene="RISK", question_id="Q1")
    ws.questions.edit("Q1", Edit(query_text="哪款手机好"), note=note)
    return ws.questions.history("Q1").versions[-1].version.note


def note_on_the_lexicon(ws: Workspace, note: str) -> str:
    ws.brands.add("华为", note=note)
    return ws.brands.versions()[0].note.removeprefix("add 华为: ")


@pytest.mark.parametrize("change", [note_on_a_question, note_on_the_lexicon])
@pytest.mark.parametrize(
    ("note", "kept"),
    [("换季 ", "换季"), ("half \ud83d, nul \0", "half \ufffd, nul \ufffd")],
)
def test_a_note_is_kept_as_a_database_can_hold_it(ws: Workspace, change: Change, note: str, kept: str) -> None:
    assert change(ws, note) == kept


@pytest.mark.parametrize("change", [note_on_a_question, note_on_the_lexicon])
def test_a_note_that_is_too_long_is_cut_where_it_can_be_seen(ws: Workspace, change: Change) -> None:
    kept = change(ws, "长" * 1_000)

    assert kept.endswith("长…")
    assert LONGEST_LINE - len("add 华为: ") <= len(kept) <= LONGEST_LINE
