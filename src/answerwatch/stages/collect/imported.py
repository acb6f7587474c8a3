"""Answers that were collected elsewhere become samples of a batch of their own and go the same way from there."""

from __future__ import annotations

import gzip
import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO

from answerwatch.domain.answers import Citation
from answerwatch.domain.ids import check_key, sub_task_id
from answerwatch.domain.questions import OTHER
from answerwatch.domain.said import Said
from answerwatch.domain.seen import Seen, content_hash
from answerwatch.domain.texts import storable, storable_json
from answerwatch.errors import UsageError
from answerwatch.stages.collect.records import LONGEST_ANSWER
from answerwatch.stages.handover import hand_over
from answerwatch.store.batch import sub_tasks
from answerwatch.store.batch.sub_tasks import Answered
from answerwatch.store.database import Write
from answerwatch.store.objects import ObjectStore, import_key, key_of
from answerwatch.store.sample import imported, samples
from answerwatch.store.sample.samples import NewSample
from answerwatch.store.upsert import IN_LIST

CHARACTERS_TOGETHER = 2_000_000
"""Characters of answers that are stored in one go at most: long answers must not add up in memory."""

NO_VERSION = 0
"""Question version of an answer whose file names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFile:
    """The imported file as it lies in the object store: the evidence of all its rows."""

    url: str
    sha256: str
    """Of the file as it was, before compression."""
    size: int
    """Bytes of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedAnswer:
    """One answer as it stands in a file."""

    row: int
    """Line or row of the file, for errors and for ids."""
    query_text: str
    answer: str
    platform: str
    """With the suffix `-import`."""
    question_id: str | None = None
    """None: made of the file's hash and the first row with this question."""
    question_version: int = NO_VERSION
    """What the file says; two versions of a question are two questions."""
    scene_type: str = OTHER
    response_format: str = "markdown"
    asked_at: datetime | None = None
    model: str | None = None
    finish_reason: str | None = None
    reasoning: str | None = None
    """Thinking that the file keeps apart."""
    citations: tuple[Citation, ...] = ()
    provenance: Mapping[str, object] = field(default_factory=dict)
    """Other columns of the row."""
    sample_id: str | None = None
    """The sample that the row names, as our exports do; None: it names none."""
    surface: str = ""
    """What the row tells of the surface, '' for nothing: imports of a product share one platform id."""
    remarks: tuple[Said, ...] = ()
    """What people should know of values that are kept beside the answer, since their columns cannot hold them."""
    content_hash: bytes = b""
    """What answers share that are the same one, by which it is known again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportBatch:
    """The batch that takes the answers; its own row is stored by the caller, in the same transaction."""

    batch_id: str
    brand_name: str
    file: KeptFile
    cleaner_version: str
    now: datetime


@dataclass(slots=True)
class ImportCount:
    """What was stored."""

    samples: int = 0
    altered: int = 0
    """Samples with characters that no store may hold, replaced one for one."""
    questions: int = 0
    rounds: int = 0
    """Of the question that was asked most often on a platform."""


class Numbering:
    """Gives rows their question, round and sub-task id; the same file gets the same numbers."""

    def __init__(self, batch_id: str, file_sha256: str) -> None:
        """Number the rows of one file."""
        self._batch_id = batch_id
        self._prefix = f"I{file_sha256[:10]}"
        self._first_rows = Seen()
        self._rounds = Seen()
        self.rounds = 0
        """Highest round so far."""

    def number(self, answer: ImportedAnswer) -> Answered:
        """Return the sub-task of a row; raises UsageError for an id that cannot be a key."""
        question = self._question_id(answer)
        number = self._rounds.count(content_hash(question, answer.platform))
        self.rounds = max(self.rounds, number)
        return Answered(
            sub_task_id=sub_task_id(self._batch_id, question, answer.platform, number),
            batch_id=self._batch_id,
            question_id=question,
            question_version=answer.question_version,
            platform=answer.platform,
            scene_type=answer.scene_type,
            round=number,
        )

    def _question_id(self, answer: ImportedAnswer) -> str:
        if answer.question_id is not None:
            return check_key("question_id", answer.question_id)
        first = self._first_rows.put(content_hash(storable(answer.query_text).text), answer.row)
        return f"{self._prefix}_{first}"


def check_length(answer: ImportedAnswer) -> None:
    """Raise UsageError when an answer is too long to be stored."""
    if len(answer.answer) > LONGEST_ANSWER:
        text = (
            f"The answer in row {answer.row} has {len(answer.answer):,} characters; "
            f"at most {LONGEST_ANSWER:,} are stored. Shorten it or leave the row out."
        )
        raise UsageError("import_too_large", text, row=answer.row, length=len(answer.answer))


def place_of(objects: ObjectStore, path: Path, sha256: str) -> KeptFile:
    """Return where a file with this hash is kept, so that rows can name it before it is."""
    return KeptFile(url=objects.url(_key(path, sha256)), sha256=sha256, size=path.stat().st_size)


def keep_file(objects: ObjectStore, path: Path) -> KeptFile:
    """Put the file as it is into the object store, compressed; the same file again changes nothing."""
    with tempfile.TemporaryFile() as packed:
        sha256 = _pack(path, packed)
        objects.put_file(_key(path, sha256), packed)
    return place_of(objects, path, sha256)


def restore_file(objects: ObjectStore, path: Path, sha256: str, url: str) -> bool:
    """Put an imported file back where its samples name it, when it is gone from there; tell whether it was put back.

    An address in another store is left alone, and so is a file that is no longer the one of the hash.
    """
    if not url.startswith(base := objects.url("")) or objects.exists(key := key_of(url, base)):
        return False
    with tempfile.TemporaryFile() as packed:
        if _pack(path, packed) != sha256:
            return False
        objects.put_file(key, packed)
    return True


def _pack(path: Path, packed: IO[bytes]) -> str:
    """Write a file compressed, and return its hash; what was written is read from its beginning next."""
    digest = hashlib.sha256()
    with (
        path.open("rb") as source,
        gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0, filename="") as target,
    ):
        while piece := source.read(1 << 20):
            digest.update(piece)
            target.write(piece)
    packed.seek(0)
    return digest.hexdigest()


def _key(path: Path, sha256: str) -> str:
    suffix = path.suffix.lower()
    return import_key(sha256, suffix if suffix[1:].isascii() and suffix[1:].isalnum() else "")


def store_imported(tx: Write, batch: ImportBatch, answers: Iterable[ImportedAnswer]) -> ImportCount:
    """Store answers as samples with their sub-tasks and clean tasks, in pieces: the file is never held whole.

    Raises UsageError naming the row that cannot be stored; the caller's transaction then stores nothing.
    """
    numbering = Numbering(batch.batch_id, batch.file.sha256)
    count = ImportCount()
    for part in parts_of(answers):
        rows = [numbering.number(answer) for answer in part]
        new = [_sample(batch, row, answer) for row, answer in zip(rows, part, strict=True)]
        sub_tasks.add_answered(tx, rows, batch.now)
        samples.add(tx, new)
        pairs = zip(rows, part, strict=True)
        imported.add(tx, {answer.content_hash: row.sub_task_id for row, answer in pairs if answer.content_hash})
        ids = {batch.batch_id: [row.sub_task_id for row in rows]}
        hand_over(tx, ids, cleaner_version=batch.cleaner_version, now=batch.now)
        count.samples += len(new)
        count.altered += sum(1 for sample in new if sample.altered_characters)
    count.questions, count.rounds = sub_tasks.count_questions(tx, batch.batch_id), numbering.rounds
    return count


def parts_of(answers: Iterable[ImportedAnswer]) -> Iterator[list[ImportedAnswer]]:
    """Yield answers in lists that hold neither too many of them nor too many characters."""
    part: list[ImportedAnswer] = []
    characters = 0
    for answer in answers:
        part.append(answer)
        characters += len(answer.answer)
        if len(part) >= IN_LIST or characters >= CHARACTERS_TOGETHER:
            yield part
            part, characters = [], 0
    if part:
        yield part


def _sample(batch: ImportBatch, row: Answered, answer: ImportedAnswer) -> NewSample:
    check_length(answer)
    text = storable(answer.answer)
    return NewSample(
        sub_task_id=row.sub_task_id,
        batch_id=batch.batch_id,
        question_id=row.question_id,
        question_version=row.question_version,
        brand_name=batch.brand_name,
        platform=row.platform,
        scene_type=row.scene_type,
        round=row.round,
        query_text=storable(answer.query_text).text,
        raw_response=text.text,
        response_format=answer.response_format,
        response_length=len(text.text),
        raw_data_url=f"{batch.file.url}#row={answer.row}",
        raw_sha256=batch.file.sha256,
        raw_size=batch.file.size,
        altered_characters=text.altered,
        collected_at=answer.asked_at or batch.now,
        model_served=answer.model,
        finish_reason=answer.finish_reason,
        reasoning=None if answer.reasoning is None else storable(answer.reasoning).text,
        provenance=storable_json(dict(answer.provenance)) if answer.provenance else None,
        citations=answer.citations,
    )
