"""Cleaning: states, attempts, results by generation, every candidate match."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, Table, UniqueConstraint

from answerwatch.store.schema.base import about, flag, metadata
from answerwatch.store.types import Key, LongText, Serial, Short, UtcDateTime, Word

clean_generation = Table(
    "clean_generation",
    metadata,
    Column("generation", Integer, primary_key=True, autoincrement=False, doc="From 1."),
    Column(
        "lexicon_version", Integer, nullable=False, doc="Lexicon that answers are read with; 0: there was no brand yet."
    ),
    Column("cleaner_version", Word, nullable=False, doc="Version of the rules of reading."),
    Column("created_at", UtcDateTime, nullable=False, doc="When the first task of it was made."),
    Column("note", Short, nullable=False, doc="Why it was made; may be ''."),
    *flag("reads_all", nullable=False, doc="1: made by force; answers in which nothing has changed are read anew too."),
    **about(
        "Generations: one lexicon version with one cleaner version; the newest is current.", written_by="clean, samples"
    ),
)

clean_state = Table(
    "clean_state",
    metadata,
    Column("clean_task_id", Key, primary_key=True, doc="{sub_task_id}_G{generation}."),
    Column("source_task_id", Key, nullable=False, doc="The sample (its sub-task id)."),
    Column("batch_id", Key, nullable=False, doc="The batch."),
    Column("generation", Integer, nullable=False, doc="The generation."),
    Column("current_state", Word, nullable=False, doc="State (states.md)."),
    Column("state_history", JSON, nullable=False, doc="JSON list of {from, to, at}; legal moves only."),
    Column("retry_count", Integer, nullable=False, doc="Retries used."),
    Column("last_error", LongText, doc="Error of the last failed attempt; NULL: none."),
    Column(
        "taken_from",
        Key,
        doc="Task of an older generation whose result it took over, for nothing in the answer had changed; NULL: read.",
    ),
    Column("created_at", UtcDateTime, nullable=False, doc="When the task was made."),
    Column("updated_at", UtcDateTime, nullable=False, doc="When its state changed last."),
    Index(None, "current_state"),
    Index(None, "source_task_id"),
    Index(None, "batch_id"),
    **about("Clean tasks: one for each sample and generation.", written_by="clean, samples"),
)

clean_attempt = Table(
    "clean_attempt",
    metadata,
    Column("clean_task_id", Key, primary_key=True, doc="The task."),
    Column("attempt", Integer, primary_key=True, autoincrement=False, doc="From 1; a number is never used twice."),
    Column("worker", Key, nullable=False, doc="Id of the worker that had it."),
    Column("started_at", UtcDateTime, nullable=False, doc="When it was claimed."),
    Column("ended_at", UtcDateTime, doc="When it had an outcome; NULL: running, or its worker went away."),
    Column("error", LongText, doc="Why it failed; NULL: it did not, or never ended."),
    **about("Every attempt at a clean task.", written_by="clean"),
)


def _result_columns() -> list[Column[object]]:
    """Return the columns that the current results and their history share."""
    return [*_whose_columns(), *_verdict_columns(), *_figure_columns(of_any_answer=True), *_made_by_columns()]


def _whose_columns() -> list[Column[object]]:
    """Return the columns that say what a result is about."""
    return [
        Column("clean_task_id", Key, primary_key=True, doc="The clean task."),
        Column("source_task_id", Key, nullable=False, doc="The sample (its sub-task id)."),
        Column("batch_id", Key, nullable=False, doc="The batch."),
        Column("brand_name", Key, nullable=False, doc="Focal brand of the batch; '' where there is none."),
        Column("platform", Key, nullable=False, doc="Platform id."),
        Column("scene_type", Word, nullable=False, doc="Scene of the question."),
    ]


def _verdict_columns() -> list[Column[object]]:
    """Return the columns that say whether it is an answer, and of its sources."""
    return [
        Column("is_valid", Integer, doc="1: it is an answer, 0: it is none; NULL: cleaning failed."),
        Column("invalid_reason", Word, doc="Why it is no answer (states.md); NULL: valid, or cleaning failed."),
        Column("invalid_note", LongText, doc="Phrase or fact that decided; NULL: valid, or cleaning failed."),
        Column(
            "truncated",
            Integer,
            doc="1: the text stops before its end, which a valid answer may; NULL: cleaning failed.",
        ),
        Column("has_citation", Integer, doc="1: the answer has a source; NULL: not valid."),
    ]


def _figure_columns(*, of_any_answer: bool) -> list[Column[object]]:
    """Return the columns of `Figures` (domain/answers.py).

    `of_any_answer`: also of one in which the brand was not looked for, so that every figure may be NULL.
    """
    unread = "; NULL: not valid, or the lexicon did not hold the brand" if of_any_answer else ""
    as_unread = "; NULL as is_mentioned" if of_any_answer else ""
    null = f"{as_unread}, or" if of_any_answer else "; NULL:"
    return [
        Column("is_mentioned", Integer, nullable=of_any_answer, doc=f"1: the brand is named{unread}."),
        Column("mention_count", Integer, nullable=of_any_answer, doc=f"Mentions that count{as_unread}."),
        Column("is_recommended", Integer, doc=f"1: put forward as a candidate{null} the text leaves it open."),
        Column(
            "polarity",
            Word,
            doc="recommended, conditional, neutral, warned or discouraged; NULL: not mentioned or not known.",
        ),
        Column(
            "recommendation_rank", Integer, doc="Place among the candidates, 1 is first; NULL: the answer gives none."
        ),
        Column("rank_basis", Word, doc="What the rank was read from, such as ordered_list; NULL: no rank."),
        Column("is_top_pick", Integer, doc="1: first choice without a condition; NULL as is_recommended."),
        Column(
            "mention_order", Integer, doc="Place among the named brands by first mention, from 1; NULL: not mentioned."
        ),
        Column("own_site_cited", Integer, doc=f"1: a source lies on a domain of the brand{null} no domain is known."),
        Column("cites_near", Integer, doc="1: a sentence that names the brand has a source; NULL: not mentioned."),
    ]


def _made_by_columns() -> list[Column[object]]:
    """Return the columns that say how a result came about."""
    return [
        Column("clean_state", Word, nullable=False, doc="completed or failed."),
        Column("raw_data_url", LongText, doc="As in answer_sample; NULL: nowhere."),
        Column("generation", Integer, nullable=False, doc="Generation of the task."),
        Column(
            "lexicon_version", Integer, nullable=False, doc="Lexicon version that it was read with; 0: no brand yet."
        ),
        Column("cleaner_version", Word, nullable=False, doc="Version of the rules of reading."),
        Column("cleaned_at", UtcDateTime, nullable=False, doc="When the result was stored."),
    ]


clean_result = Table(
    "clean_result",
    metadata,
    *_result_columns(),
    UniqueConstraint("source_task_id"),  # the current generation only: one row a sample
    Index(None, "batch_id"),
    Index(None, "brand_name", "scene_type"),
    Index(None, "cleaned_at", "is_valid"),  # with the verdict: what came of a run is counted without reading a row
    **about("The focal brand in each answer: the current generation, one row a sample.", written_by="clean"),
)

clean_result_history = Table(
    "clean_result_history",
    metadata,
    *_result_columns(),
    Index(None, "source_task_id"),
    **about("Results that a newer generation replaced.", written_by="clean"),
)


def _brand_columns() -> list[Column[object]]:
    """Return the columns of one tracked brand's figures in one answer."""
    return [
        Column("clean_task_id", Key, primary_key=True, doc="The clean task."),
        Column("brand_name", Key, primary_key=True, doc="A tracked brand that the answer names."),
        Column("source_task_id", Key, nullable=False, doc="The sample (its sub-task id)."),
        Column("batch_id", Key, nullable=False, doc="The batch."),
        Column("platform", Key, nullable=False, doc="Platform id."),
        Column("scene_type", Word, nullable=False, doc="Scene of the question."),
        *_figure_columns(of_any_answer=False),
        Column("generation", Integer, nullable=False, doc="Generation of the task."),
        Column("created_at", UtcDateTime, nullable=False, doc="When the result was stored."),
    ]


brand_result = Table(
    "brand_result",
    metadata,
    *_brand_columns(),
    Index(None, "brand_name", "batch_id"),
    Index(None, "source_task_id"),
    **about("Every tracked brand that an answer names: the current generation.", written_by="clean"),
)

brand_result_history = Table(
    "brand_result_history",
    metadata,
    *_brand_columns(),
    Index(None, "source_task_id"),
    **about("Brand results that a newer generation replaced.", written_by="clean"),
)

entity_match_detail = Table(
    "entity_match_detail",
    metadata,
    Column("match_id", Serial, primary_key=True, doc="Counted up."),
    Column("clean_task_id", Key, nullable=False, doc="The clean task."),
    Column("standard_name", Key, nullable=False, doc="The brand."),
    Column("matched_alias", Key, nullable=False, doc="Alias as the lexicon spells it, or the pronoun."),
    Column("match_position", Integer, nullable=False, doc="First code point in raw_response, from 0."),
    Column(
        "match_length",
        Integer,
        nullable=False,
        doc="Code points; raw_response[position:position+length] is what was matched.",
    ),
    *flag("is_valid_match", nullable=False, doc="1: it names the brand; it is counted where via is alias."),
    Column("reason", Key, nullable=False, doc="accepted, stands_for (a pronoun), or the rule that rejected it."),
    Column("covered_by", LongText, doc="Longer name, exclude phrase or word that covers a rejected one; NULL: none."),
    Column("region", Word, nullable=False, doc="Where it stands: prose, heading, item_head, table, code, sources, ..."),
    Column("via", Word, nullable=False, doc="alias, or pronoun: never counted."),
    Column("created_at", UtcDateTime, nullable=False, doc="When it was stored."),
    UniqueConstraint(
        "clean_task_id",
        "standard_name",
        "match_position",
        "matched_alias",
        name="uq_entity_match_detail_place",  # the usual name would be longer than MySQL allows
    ),
    **about("Every candidate match, and every pronoun of a brand, of every generation.", written_by="clean"),
)

correction = Table(
    "correction",
    metadata,
    Column("correction_id", Serial, primary_key=True, doc="Counted up."),
    Column("sub_task_id", Key, nullable=False, doc="The sample: a correction holds for every reading of its answer."),
    Column("brand_name", Key, nullable=False, doc="The brand; '' where it is about the answer as a whole."),
    Column(
        "field",
        Word,
        nullable=False,
        doc="is_valid, has_citation, mention, is_recommended, ...; docs/correcting.md has all.",
    ),
    Column(
        "value", Word, nullable=False, doc="What is right: yes, no, a number, none; of is_valid valid or the reason."
    ),
    Column("position", Integer, doc="First code point of a mention in raw_response; NULL: no mention."),
    Column("length", Integer, doc="Its code points; NULL: no mention."),
    Column("read_value", Word, doc="What the reader had said when it was corrected; NULL: nothing."),
    Column("generation", Integer, doc="Generation that was looked at; NULL: the answer was not read yet."),
    Column("note", Short, nullable=False, doc="Why; '' where nothing was said."),
    Column("created_at", UtcDateTime, nullable=False, doc="When."),
    Column("created_by", Key, nullable=False, doc="Who: the setting `actor`."),
    Column("withdrawn_at", UtcDateTime, doc="When it was taken back; NULL: it holds."),
    Column("withdrawn_by", Key, doc="Who took it back; NULL: it holds."),
    Index(None, "sub_task_id"),
    **about("What people set right in readings; readings stay as they are.", written_by="clean"),
)
