"""How dead letters are shown to people, and what became of replaying them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.listing import Listing
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.dead_letters import DeadStory, Replay
    from answerwatch.workspace.shown_records import AuditEntry, DeadLetter

LONGEST_ERROR = 160


def say_replay(session: Session, outcome: Replay) -> None:
    """Say which tasks went back to work, and why others did not."""
    for dead, why in outcome.skipped:
        session.remark("dead.skipped", dead=dead, why=session.say.translated(why))
    session.tell("dead.replayed", count=len(outcome.replayed))
    if outcome.replayed:
        session.tell("dead.go_on")


def show_history(session: Session, story: DeadStory) -> None:
    """Print other deaths of the same task, and who replayed or dropped its letters, when and why."""
    if story.letters:
        session.terminal.say("")
        session.tell("dead.same_task")
        LETTERS.show(session, story.letters, as_json=False)
    if story.done:
        session.terminal.say("")
        _DONE.show(session, story.done, as_json=False)


def _done_row(session: Session, entry: AuditEntry) -> tuple[object, ...]:
    what = session.say("dead.was_dropped" if entry.action.endswith(".drop") else "dead.was_replayed")
    return entry.at, entry.detail["dead_id"], what, entry.actor, entry.detail["reason"]


_DONE: Listing[AuditEntry] = Listing(columns=("at", "dead", "what", "by", "note"), row=_done_row)


def _letter_row(session: Session, letter: DeadLetter) -> tuple[object, ...]:
    return (
        letter.dead_id,
        letter.queue,
        session.word("error_type", letter.error_type),
        one_line(session.say.stored(letter.error), LONGEST_ERROR),
        letter.attempts,
        letter.task_id,
    )


LETTERS: Listing[DeadLetter] = Listing(
    columns=("dead", "queue", "reason", "error", "attempts", "task"), row=_letter_row
)
"""A letter is shown, replayed and dropped by its own id: that of its task, which is long, may fold, and why it died is
readable on a narrow terminal."""
