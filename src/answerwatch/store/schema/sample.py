"""Answers as they were received."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, Index, Integer, Table

from answerwatch.store.schema.base import about, flag, metadata
from answerwatch.store.types import Key, LongText, Short, UtcDateTime, Word

answer_sample = Table(
    "answer_sample",
    metadata,
    Column("sub_task_id", Key, primary_key=True, doc="The sub-task; one sample each."),
    Column("batch_id", Key, nullable=False, doc="The batch."),
    Column("question_id", Key, nullable=False, doc="The question."),
    Column(
        "question_version",
        Integer,
        nullable=False,
        doc="Version that was asked; of an import what its file says, 0 where it says none.",
    ),
    Column("brand_name", Key, nullable=False, doc="Focal brand of the batch; '' where there is none."),
    Column("platform", Key, nullable=False, doc="Platform id; imports end in -import."),
    Column("scene_type", Word, nullable=False, doc="Scene of the question."),
    Column("round", Integer, nullable=False, doc="From 1."),
    Column("query_text", LongText, nullable=False, doc="What was asked, word for word."),
    Column("raw_response", LongText, nullable=False, doc="The answer; positions in it count Unicode code points."),
    Column("response_format", Word, nullable=False, doc="markdown, json or text."),
    Column("response_length", Integer, nullable=False, doc="Code points of raw_response."),
    Column("response_time_ms", Integer, doc="Milliseconds from sending to the last byte; NULL: imported."),
    Column("raw_data_url", LongText, doc="Where the exchange (or the imported file) is kept; NULL: nowhere."),
    Column("raw_sha256", Word, doc="SHA-256 of the reply's body in it, or of the imported file; NULL: not kept."),
    Column("raw_size", Integer, doc="Bytes of the kept object, of an import those of the file; NULL: not kept."),
    Column(
        "altered_characters",
        Integer,
        nullable=False,
        doc="Characters that no database may hold, replaced one for one by U+FFFD.",
    ),
    *flag("is_valid", doc="Verdict of the current generation; NULL: not cleaned yet, or cleaning failed."),
    Column("invalid_reason", Word, doc="Why it is no answer (states.md); NULL: valid or not judged."),
    Column(
        "collected_at",
        UtcDateTime,
        nullable=False,
        doc="When the reply was whole; of an import what the file says, else the import's time.",
    ),
    Column("attempt", Integer, nullable=False, doc="Attempt that it came from."),
    Column("model_asked", Key, doc="Model of the request; NULL: not known."),
    Column("model_served", Key, doc="Model that the reply names; NULL: it names none."),
    Column("parameters", JSON, doc="JSON object of fields added to the request; NULL: not known."),
    *flag("search_asked", doc="1: web search was switched on; NULL: not known."),
    *flag("searched", doc="1: proof that a search ran; NULL: the platform cannot tell."),
    Column("finish_reason", Word, doc="As the platform spells it; NULL: it gave none."),
    *flag("truncated", doc="1: the platform says that it stopped at a limit; NULL: not known."),
    *flag("filtered", doc="1: the platform's content filter answered; NULL: not known."),
    Column("reasoning", LongText, doc="Thinking that the platform keeps apart, never read for mentions; NULL: none."),
    Column("prompt_tokens", Integer, doc="Tokens read, as the platform counts; NULL: not told."),
    Column("completion_tokens", Integer, doc="Tokens written, as the platform counts; NULL: not told."),
    Column("cost", Float, doc="Estimated price in the platform's currency; NULL: price or tokens not known."),
    Column("request_id", Key, doc="The platform's id of the call, for its support; NULL: none."),
    Column("provenance", JSON, doc="JSON object of the other columns of an imported row; NULL: none."),
    Index(None, "batch_id"),
    Index(None, "brand_name", "scene_type"),
    Index(None, "question_id", "round"),
    Index(None, "platform", "sub_task_id"),  # with the id, so that a page of a rare platform is read in order
    **about(
        "Answers as they were received, with everything known about how they were made.",
        written_by="collect, samples, clean",
    ),
)

OF_SAMPLE: tuple[str, ...] = ()
"""Columns of `answer_sample` that figures count, as `Observation` (figures/observations.py) names them."""

late_sample = Table(
    "late_sample",
    metadata,
    Column("sub_task_id", Key, primary_key=True, doc="The sub-task."),
    Column("attempt", Integer, primary_key=True, autoincrement=False, doc="Attempt that it came from."),
    Column("batch_id", Key, nullable=False, doc="The batch."),
    Column("platform", Key, nullable=False, doc="Platform id."),
    Column("raw_response", LongText, nullable=False, doc="The answer."),
    Column("raw_data_url", LongText, doc="Where the exchange is kept; NULL: nowhere."),
    Column("raw_sha256", Word, doc="SHA-256 of the reply's body; NULL: not kept."),
    Column("http_status", Integer, doc="Status of the reply; NULL: not known."),
    Column("received_at", UtcDateTime, nullable=False, doc="When it was stored."),
    Column("why", Short, nullable=False, doc="Why it is late."),
    Index(None, "batch_id"),
    **about("Answers that came after their sub-task had its outcome: evidence, in no figure.", written_by="collect"),
)

citation = Table(
    "citation",
    metadata,
    Column("sub_task_id", Key, primary_key=True, doc="The sample."),
    Column(
        "kind",
        Word,
        primary_key=True,
        doc="cited (attached to the text), retrieved (by the search) or linked (in the text).",
    ),
    Column("position", Integer, primary_key=True, autoincrement=False, doc="Order within its kind, from 1."),
    Column("url", LongText, nullable=False, doc="Address as given."),
    Column(
        "canonical_url", LongText, nullable=False, doc="Address without what only tracks; what sources are counted by."
    ),
    Column("domain", Key, nullable=False, doc="Host of the address, without www."),
    Column("title", LongText, doc="Title as given; NULL: none."),
    Column(
        "origin", Word, nullable=False, doc="platform: it says so; text: found by the reader of the current generation."
    ),
    **about("Sources of samples.", written_by="collect, clean"),
)

imported_answer = Table(
    "imported_answer",
    metadata,
    Column(
        "content_hash",
        Word,
        primary_key=True,
        doc="Of what tells an answer from others (platform, question, text, ...), in hexadecimal digits.",
    ),
    Column("sub_task_id", Key, nullable=False, doc="The sample that holds the answer."),
    **about("Imported answers by what they say: the same one is not stored twice.", written_by="samples"),
)
