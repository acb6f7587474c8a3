"""Question ids of a file: each stands for one text, or answers to two questions would count as rounds of one."""

from __future__ import annotations

from array import array

from answerwatch.domain.said import Said
from answerwatch.domain.seen import Seen, content_hash
from answerwatch.domain.texts import in_short
from answerwatch.reading.fold import fold
from answerwatch.stages.collect.imported import NO_VERSION, ImportedAnswer
from answerwatch.store.bank import questions
from answerwatch.store.database import Read
from answerwatch.workspace.files.row_notes import RowError, RowNote

_KEPT = 4
"""Bytes of a text's hash that are kept."""


class AskedIds:
    """What the ids of a file stood for so far, in little memory: a file may have a million of them."""

    def __init__(self) -> None:
        """Begin with no id."""
        self._ids = Seen()
        self._rows = array("I")
        self._texts = array("I")
        self._new: dict[str, ImportedAnswer] = {}

    def check(self, answer: ImportedAnswer) -> RowError | None:
        """Return what is wrong with a row whose question id stood for another text before.

        Rows of our exports are taken as they were stored: what is here already must be known again.
        """
        if answer.question_id is None or answer.sample_id is not None:
            return None
        said = int.from_bytes(content_hash(_said(answer.query_text))[:_KEPT], "little")
        id_hash = content_hash(answer.question_id, str(answer.question_version))
        place = self._ids.put(id_hash, len(self._ids) + 1) - 1
        if place == len(self._rows):
            self._rows.append(answer.row)
            self._texts.append(said)
            self._new[answer.question_id] = answer
            return None
        if self._texts[place] == said:
            return None
        first = self._rows[place]
        return RowError(line=answer.row, column="question_id", reason="other_question", message=_other(answer, first))

    def notes(self, read: Read | None) -> list[RowNote]:
        """Return notes on ids that were met since the last time and are those of other questions in the bank.

        Without `read` there are none, and what was met is let go all the same.
        """
        new, self._new = self._new, {}
        texts = questions.wordings(read, list(new)) if new and read is not None else {}
        return [
            _in_bank(answer, texts[id_][-1])
            for id_, answer in new.items()
            if id_ in texts and _said(answer.query_text) not in map(_said, texts[id_])
        ]


def _said(text: str) -> str:
    """Return what a text says, without case, width, script, blanks and punctuation, as tools write it differently."""
    folded = fold(text)
    return "".join(filter(str.isalnum, folded)) or folded


def _in_bank(answer: ImportedAnswer, asked: str) -> RowNote:
    shown = in_short(asked)
    text = f"{answer.question_id} is another question in the bank ({shown}); answers to both stand under one id"
    message = Said("row_in_bank", text, id=answer.question_id, text=shown)
    return RowNote(line=answer.row, reason="other_in_bank", message=message)


def _other(answer: ImportedAnswer, line: int) -> Said:
    if answer.question_version == NO_VERSION:
        text = f"{answer.question_id} stands for another question in line {line}; give each question an id of its own"
        return Said("row_other_question", text, id=answer.question_id, line=line)
    text = f"version {answer.question_version} of {answer.question_id} stands for another question in line {line}"
    return Said("row_other_version", text, id=answer.question_id, version=answer.question_version, line=line)
