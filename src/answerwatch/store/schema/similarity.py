"""Similarity jobs: texts, vectors, blocks of scores, what is remembered of scorers."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, Float, Index, Integer, Table

from answerwatch.store.schema.base import about, flag, metadata
from answerwatch.store.types import Blob, Key, LongText, Short, UtcDateTime, Word

_Count = BigInteger()

similarity_job = Table(
    "similarity_job",
    metadata,
    Column("job_id", Key, primary_key=True, doc="SIM_YYYYMMDDHHMMSS_XXXX."),
    Column("idempotency_key", Key, unique=True, doc="Given by the caller; NULL: none."),
    Column(
        "request_hash", Word, nullable=False, doc="Of texts, pairs and options: the same key with another is refused."
    ),
    Column("scorer_name", Key, nullable=False, doc="As it was asked for: use, or a name of scorers.toml."),
    Column("scorer_id", Short, nullable=False, doc="Model, revision and settings: what the numbers depend on."),
    Column("finder_name", Key, doc="Vector scorer that finds candidates; NULL: none is needed."),
    Column("finder_id", Short, doc="Its id; NULL: none is needed."),
    Column("shape", Word, nullable=False, doc="matrix, triangle or pairs."),
    Column("way", Word, nullable=False, doc="vectors, each_pair or rerank."),
    Column("top_k", Integer, doc="Candidates for each text; NULL: not of this way."),
    Column("status", Word, nullable=False, doc="pending, running, completed, partial or cancelled."),
    Column("priority", Integer, nullable=False, doc="0: normal, 1: high."),
    Column("left_lines", Integer, nullable=False, doc="Usable lines of the left list."),
    Column("right_lines", Integer, nullable=False, doc="Usable lines of the right list; of one list: the same number."),
    Column("left_texts", Integer, nullable=False, doc="Distinct texts of the left list."),
    Column("right_texts", Integer, nullable=False, doc="Distinct texts of the right list."),
    Column("total", _Count, nullable=False, doc="Pairs of lines."),
    Column("processed", _Count, nullable=False, doc="Pairs that are at their end, with a score or without."),
    Column("failed", _Count, nullable=False, doc="Pairs at their end without a score."),
    Column("encode_total", _Count, nullable=False, doc="Characters to encode; 0: no vectors are needed."),
    Column("encode_done", _Count, nullable=False, doc="Characters encoded or found in the cache."),
    Column("encode_cached", _Count, nullable=False, doc="Of them those that the cache had."),
    Column("asked_pairs", _Count, nullable=False, doc="Distinct pairs for which a pair scorer was needed so far."),
    Column("cached_pairs", _Count, nullable=False, doc="Of them those whose score was remembered."),
    Column("units_left", Integer, nullable=False, doc="Units of encoding that are not at their end."),
    Column("blocks_left", Integer, nullable=False, doc="Blocks that are not at their end."),
    Column("reranks_left", Integer, nullable=False, doc="Blocks of candidates that are not at their end."),
    Column("roles", Word, nullable=False, doc="same: both lists alike; search: questions and what answers them."),
    Column("work_s", Float, nullable=False, doc="Seconds that workers worked on it; pauses and crashes do not count."),
    Column("encode_s", Float, nullable=False, doc="Of them those of encoding."),
    Column("judge_s", Float, nullable=False, doc="Of them those of a pair scorer."),
    Column("warning", Word, doc="Stable word for what a reader of results must know; NULL: nothing."),
    Column("created_at", UtcDateTime, nullable=False, doc="When it was handed in."),
    Column("created_by", Key, nullable=False, doc="Who: the setting `actor`."),
    Column("started_at", UtcDateTime, doc="When its first task was claimed, or it was taken up again; NULL: not yet."),
    Column("finished_at", UtcDateTime, doc="When it came to its end; NULL: not yet."),
    Column("note", Short, nullable=False, doc="What for; '' where nothing was said."),
    Index(None, "created_at"),
    **about("Similarity jobs.", written_by="similarity"),
)

similarity_text = Table(
    "similarity_text",
    metadata,
    Column("job_id", Key, primary_key=True, doc="The job."),
    Column("side", Word, primary_key=True, doc="List in which it stands first: left or right."),
    Column(
        "text_no", Integer, primary_key=True, autoincrement=False, doc="From 0; distinct texts in the order of lines."
    ),
    Column("line", Integer, nullable=False, doc="First line of the list that holds it, from 1."),
    Column("text_hash", Word, nullable=False, doc="BLAKE2b-128 of the normalised text, in hexadecimal digits."),
    Column("text", LongText, nullable=False, doc="The normalised text, as scorers get it."),
    **about("Distinct texts of jobs.", written_by="similarity"),
)

similarity_lines = Table(
    "similarity_lines",
    metadata,
    Column("job_id", Key, primary_key=True, doc="The job."),
    Column("side", Word, primary_key=True, doc="left, right, or pairs: two numbers for each pair of a file."),
    Column("first", Integer, primary_key=True, autoincrement=False, doc="First line (pair) of this part, from 0."),
    Column("numbers", Blob, nullable=False, doc="text_no of each line, -1 where it was refused; int32, little-endian."),
    **about("Which text each line of a list holds.", written_by="similarity"),
)

similarity_unit = Table(
    "similarity_unit",
    metadata,
    Column("job_id", Key, primary_key=True, doc="The job."),
    Column("first", Integer, primary_key=True, autoincrement=False, doc="First text_no."),
    Column("texts", Integer, nullable=False, doc="How many texts."),
    Column("chars", Integer, nullable=False, doc="Their characters."),
    Column("role", Word, nullable=False, doc="As what they are encoded: same, query or passage."),
    Column("status", Word, nullable=False, doc="pending, success or failed."),
    Column(
        "vectors",
        Blob,
        doc="float16, little-endian, texts x dimensions; a refused text is NaN; NULL: not yet, or done with.",
    ),
    Column("dimensions", Integer, doc="Of each vector; NULL: not yet."),
    **about("Units of encoding: some texts of a job, and their vectors until it is completed.", written_by="score"),
)

similarity_block = Table(
    "similarity_block",
    metadata,
    Column("job_id", Key, primary_key=True, doc="The job."),
    Column("row_start", Integer, primary_key=True, autoincrement=False, doc="First row: place on the left axis."),
    Column("col_start", Integer, primary_key=True, autoincrement=False, doc="First column: place on the right axis."),
    Column("rows", Integer, nullable=False, doc="How many rows; of pairs: how many pairs."),
    Column("cols", Integer, nullable=False, doc="How many columns; 1 for pairs."),
    Column("status", Word, nullable=False, doc="pending, processing, success or failed."),
    Column("retry_count", Integer, nullable=False, doc="Retries used."),
    Column("process_time", Float, doc="Seconds; NULL: not at its end."),
    Column(
        "scores",
        Blob,
        doc="float16 (vectors) or float32 (a pair scorer), little-endian, rows x cols; NaN: none; NULL: not yet.",
    ),
    Column("checksum", Word, doc="BLAKE2b-64 of the scores, in hexadecimal digits; NULL: not yet."),
    Column("histogram", Blob, doc="Pairs of lines by score: 200 bins from -1 to 1, int64; NULL: not yet."),
    Column("finished_at", UtcDateTime, doc="When it came to its end; NULL: not yet."),
    **about("Blocks of scores.", written_by="score"),
)

similarity_rerank = Table(
    "similarity_rerank",
    metadata,
    Column("job_id", Key, primary_key=True, doc="The job."),
    Column("row_start", Integer, primary_key=True, autoincrement=False, doc="First row: place on the left axis."),
    Column("rows", Integer, nullable=False, doc="How many rows."),
    Column("width", Integer, nullable=False, doc="Candidates of each row."),
    Column("status", Word, nullable=False, doc="pending, processing, success or failed."),
    Column("retry_count", Integer, nullable=False, doc="Retries used."),
    Column("process_time", Float, doc="Seconds; NULL: not at its end."),
    Column("places", Blob, doc="int32, little-endian, rows x width, on the right axis; -1: none; NULL: not yet."),
    Column("scores", Blob, doc="float32, little-endian, rows x width: of the pair scorer; NULL: not yet."),
    Column("checksum", Word, doc="BLAKE2b-64 of both, in hexadecimal digits; NULL: not yet."),
    Column("finished_at", UtcDateTime, doc="When it came to its end; NULL: not yet."),
    **about("Candidates that a pair scorer looked at.", written_by="score"),
)

similarity_error = Table(
    "similarity_error",
    metadata,
    Column("job_id", Key, primary_key=True, doc="The job."),
    Column("side", Word, primary_key=True, doc="left, right, or pair."),
    Column(
        "line",
        Integer,
        primary_key=True,
        autoincrement=False,
        doc="Line of the list, from 1; of a pair: its line in the file of pairs.",
    ),
    Column("reason", Word, nullable=False, doc="empty, too_long, cut, refused, not_finite, failed (states.md)."),
    Column("message", LongText, nullable=False, doc="What is to be said of it."),
    **about("Lines and pairs without a score, or cut, and why.", written_by="similarity"),
)

similarity_vector = Table(
    "similarity_vector",
    metadata,
    Column("scorer_key", Word, primary_key=True, doc="BLAKE2b-64 of the scorer id, in hexadecimal digits."),
    Column("role", Word, primary_key=True, doc="same, query or passage."),
    Column("text_hash", Word, primary_key=True, doc="Of the text."),
    Column("vector", Blob, nullable=False, doc="float16, little-endian."),
    Column("made_at", UtcDateTime, nullable=False, doc="When it was computed."),
    Index(None, "made_at"),
    sqlite_with_rowid=False,
    **about("Vectors that are remembered from one job to the next.", written_by="similarity"),
)

similarity_score = Table(
    "similarity_score",
    metadata,
    Column("scorer_key", Word, primary_key=True, doc="BLAKE2b-64 of the scorer id, in hexadecimal digits."),
    Column("pair_hash", Word, primary_key=True, doc="Of both texts; ordered first where the scorer is symmetric."),
    Column("score", Float, nullable=False, doc="The score."),
    Column("made_at", UtcDateTime, nullable=False, doc="When it was computed."),
    Index(None, "made_at"),
    sqlite_with_rowid=False,
    **about("Scores of pair scorers that are remembered.", written_by="similarity"),
)

scorer_memory = Table(
    "scorer_memory",
    metadata,
    Column("scorer_name", Key, primary_key=True, doc="Name of the scorer."),
    Column(
        "facts",
        JSON,
        nullable=False,
        doc="JSON object: what was learnt (texts and characters in one call, speed, canary).",
    ),
    Column("updated_at", UtcDateTime, nullable=False, doc="When something was learnt last."),
    **about("What was learnt of scorers: limits of a call, speed.", written_by="similarity"),
)

similarity_calibration = Table(
    "similarity_calibration",
    metadata,
    Column("scorer_key", Word, primary_key=True, doc="BLAKE2b-64 of the scorer id, in hexadecimal digits."),
    Column("purpose", Word, primary_key=True, doc="relevance (questions and answers) or sameness (sentences)."),
    Column("scorer_name", Key, nullable=False, doc="Name of the scorer."),
    Column("scorer_id", Short, nullable=False, doc="Its id."),
    Column(
        "irrelevant_below", Float, nullable=False, doc="Strict threshold: below it two texts do not belong together."
    ),
    Column("suspect_below", Float, nullable=False, doc="Below it they may not."),
    Column("auc", Float, nullable=False, doc="Chance that an own pair scores above a shuffled one."),
    Column("pairs", Integer, nullable=False, doc="Own pairs that it was taken from."),
    *flag("is_usable", nullable=False, doc="1: own and shuffled pairs are told apart well enough (AUC 0.95 or more)."),
    Column("quantiles", JSON, nullable=False, doc="JSON object: quantiles of own and shuffled scores."),
    Column("created_at", UtcDateTime, nullable=False, doc="When."),
    **about("Thresholds of scorers: each has its own scale.", written_by="similarity"),
)

answer_relevance = Table(
    "answer_relevance",
    metadata,
    Column("sub_task_id", Key, primary_key=True, doc="The sample."),
    Column("scorer_id", Short, nullable=False, doc="The scorer."),
    Column("score", Float, doc="Of question and answer; NULL: could not be scored."),
    Column(
        "rank",
        Integer,
        doc="Place of its own question among those of the batch, from 1; NULL: fewer than 50 questions.",
    ),
    Column("questions", Integer, doc="Questions it was ranked among; NULL: not ranked."),
    Column("verdict", Word, nullable=False, doc="relevant, suspect, irrelevant or unknown."),
    Column("judged_at", UtcDateTime, nullable=False, doc="When."),
    **about(
        "Whether answers belong to their questions, judged after the batch; no result is changed by it.",
        written_by="similarity",
    ),
)
