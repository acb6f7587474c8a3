"""Names that stand in answers and may be a brand's: what was found, in which answers was looked, what is ignored."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, Table

from answerwatch.store.schema.base import about, metadata
from answerwatch.store.types import Key, Short, UtcDateTime

name_candidate = Table(
    "name_candidate",
    metadata,
    Column("name_key", Key, primary_key=True, doc="The name folded, as names are compared."),
    Column("name", Key, nullable=False, doc="As the first answer spells it."),
    Column("answers", Integer, nullable=False, doc="Answers in which it stands as a name."),
    Column(
        "weight",
        Integer,
        nullable=False,
        doc="Sum over these answers of how brand-like each makes it, 1 to 4; names are ranked by it.",
    ),
    Column("platforms", JSON, nullable=False, doc="JSON object: answers by platform."),
    Column(
        "examples",
        JSON,
        nullable=False,
        doc="JSON array: up to three of [sub_task_id, position, length] in code points.",
    ),
    Index(None, "weight", "name_key"),
    **about("Names in answers that may be a brand's, covered by the lexicon or not.", written_by="brands"),
)

name_candidate_answer = Table(
    "name_candidate_answer",
    metadata,
    Column("sub_task_id", Key, primary_key=True, doc="The sample."),
    **about("Samples in which names were looked for already.", written_by="brands"),
)

ignored_name = Table(
    "ignored_name",
    metadata,
    Column("name_key", Key, primary_key=True, doc="The name folded, as names are compared."),
    Column("name", Key, nullable=False, doc="As it was shown."),
    Column("ignored_at", UtcDateTime, nullable=False, doc="When."),
    Column("ignored_by", Key, nullable=False, doc="Who: the setting `actor`."),
    Column("note", Short, nullable=False, doc="Why; '' where nothing was said."),
    **about("Names that are suggested no more.", written_by="brands"),
)
