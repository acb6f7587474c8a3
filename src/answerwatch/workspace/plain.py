"""Views as dictionaries for JSON."""

from __future__ import annotations

from answerwatch.domain.plain import Plain, to_plain


def to_dict(view: object) -> dict[str, Plain]:
    """Return a view as JSON values; raises TypeError for what is no view, UsageError for what JSON cannot hold."""
    plain = to_plain(view)
    if not isinstance(plain, dict):
        raise TypeError(f"{type(view).__name__} is no view")
    return plain
