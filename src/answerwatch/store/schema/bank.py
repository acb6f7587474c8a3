"""Question bank and lexicon."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, Table, UniqueConstraint

from answerwatch.domain.ids import KEY_LENGTH
from answerwatch.store.schema.base import about, flag, metadata
from answerwatch.store.types import Key, LongText, Serial, Short, UtcDateTime, Word

question_bank = Table(
    "question_bank",
    metadata,
    Column("question_id", Key, primary_key=True, doc="Business key, such as Q20260701_001; an edit keeps it."),
    Column(
        "scene_type",
        Word,
        nullable=False,
        doc="Intent class in capitals: RECOMMEND, COMPARE, EVALUATE, RISK, OTHER, ...; an open set.",
    ),
    Column("query_text", LongText, nullable=False, doc="What is asked, word for word."),
    Column("target_keywords", JSON, nullable=False, doc="JSON list of words of the category."),
    Column(
        "intent_description",
        LongText,
        nullable=False,
        doc="What the question is meant to find out; '' where nobody said.",
    ),
    *flag("is_active", nullable=False, doc="1: batches take it."),
    Column(
        "version",
        Integer,
        nullable=False,
        doc="Number of its newest version, from 1; goes up when text or scene change.",
    ),
    Column("created_at", UtcDateTime, nullable=False, doc="When it was added."),
    Column("updated_at", UtcDateTime, nullable=False, doc="When anything of it changed last."),
    Index(None, "scene_type", "is_active"),
    # Texts are longer than a key of an index may be: MariaDB takes their beginning, PostgreSQL a hash of them.
    Index(None, "query_text", mysql_length={"query_text": KEY_LENGTH}, postgresql_using="hash"),
    **about("Questions as they are now.", written_by="questions"),
)

question_version = Table(
    "question_version",
    metadata,
    Column("question_id", Key, primary_key=True, doc="The question."),
    Column("version", Integer, primary_key=True, autoincrement=False, doc="From 1."),
    Column("query_text", LongText, nullable=False, doc="Its text at that version."),
    Column("scene_type", Word, nullable=False, doc="Its scene at that version."),
    Column("changed_at", UtcDateTime, nullable=False, doc="When the version was made."),
    Column("changed_by", Key, nullable=False, doc="Who made it: the setting `actor`."),
    Column("note", Short, nullable=False, doc="Why, in a line; may be ''."),
    **about("How each question was worded at each version; sub-tasks refer to it.", written_by="questions"),
)

brand = Table(
    "brand",
    metadata,
    Column("brand_id", Key, primary_key=True, doc="Key; the standard name with which the brand was added."),
    Column("standard_name", Key, nullable=False, unique=True, doc="Name under which its figures are shown."),
    Column(
        "name_key",
        Key,
        nullable=False,
        unique=True,
        doc="Standard name folded (case, width, script): two brands cannot differ by that alone.",
    ),
    Column("role", Word, nullable=False, doc="own or competitor."),
    *flag("is_active", nullable=False, doc="1: part of the lexicon."),
    Column("domains", JSON, nullable=False, doc="JSON list of its web domains, for `own_site_cited`."),
    **about("Tracked brands; changes make a new lexicon version.", written_by="brands"),
)

brand_alias = Table(
    "brand_alias",
    metadata,
    Column("brand_id", Key, primary_key=True, doc="The brand."),
    Column("alias", Key, primary_key=True, doc="The name as a person wrote it."),
    Column("kind", Word, nullable=False, doc="name, short, nickname, english, pinyin, ticker or product."),
    Column("match_mode", Word, nullable=False, doc="folded, cased or ambiguous: how it is compared with a text."),
    *flag("is_active", nullable=False, doc="1: part of the lexicon."),
    **about("Names by which brands are recognised.", written_by="brands"),
)

brand_rule = Table(
    "brand_rule",
    metadata,
    Column("rule_id", Serial, primary_key=True, doc="Counted up."),
    Column("brand_id", Key, nullable=False, doc="The brand."),
    Column(
        "alias",
        Key,
        nullable=False,
        doc="The name that the rule is for; '' means every name, since a NULL would not be unique.",
    ),
    Column(
        "kind", Word, nullable=False, doc="exclude: the phrase is not the brand; require: the phrase must stand nearby."
    ),
    Column("pattern", Key, nullable=False, doc="The phrase."),
    Column("window", Integer, doc="Characters on either side in which a required phrase counts; NULL: 30."),
    *flag("is_active", nullable=False, doc="1: part of the lexicon."),
    UniqueConstraint("brand_id", "alias", "kind", "pattern"),
    **about("Phrases that decide whether a name means the brand.", written_by="brands"),
)

lexicon_version = Table(
    "lexicon_version",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False, doc="From 1."),
    Column(
        "content_hash",
        Word,
        nullable=False,
        doc="SHA-256 of the canonical content; equal content makes no new version.",
    ),
    Column("content", JSON, nullable=False, doc="JSON list of brands: what this version recognises."),
    Column("created_at", UtcDateTime, nullable=False, doc="When it was made."),
    Column("changed_by", Key, nullable=False, doc="Who made it: the setting `actor`."),
    Column("note", Short, nullable=False, doc="What was changed."),
    **about("All active brands with names and rules, frozen; every change makes a new version.", written_by="brands"),
)
