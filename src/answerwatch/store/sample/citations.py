"""How the sources of an answer stand in rows, and how a row is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from answerwatch.domain.answers import Citation, CitationKind, CitationOrigin
from answerwatch.domain.texts import shortened


def rows_of(sub_task_id: str, citations: Sequence[Citation]) -> list[dict[str, object]]:
    """Return one row for each source; two of one kind at one position are kept at the next free ones."""
    rows: list[dict[str, object]] = []
    last: dict[CitationKind, int] = {}
    for one in sorted(citations, key=lambda citation: citation.position):
        position = max(one.position, last.get(one.kind, 0) + 1)
        last[one.kind] = position
        rows.append(
            {
                "sub_task_id": sub_task_id,
                "kind": one.kind,
                "position": position,
                "url": shortened(one.url, 8000),
                "canonical_url": shortened(one.canonical_url, 8000),
                "domain": shortened(one.domain, 191),
                "title": shortened(one.title, 2000),
                "origin": one.origin,
            }
        )
    return rows


def of_row(row: Row[Any]) -> Citation:
    """Return the source that a row holds."""
    return Citation(
        position=row.position,
        url=row.url,
        canonical_url=row.canonical_url,
        domain=row.domain,
        title=row.title,
        kind=CitationKind(row.kind),
        origin=CitationOrigin(row.origin),
    )
