"""Reaching into JSON of others: what is not there, or is of another kind, is nothing, never an error."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said


def reach(value: object, *path: str | int) -> object:
    """Return what lies under names and places, None where there is nothing.

    >>> reach({"a": [{"b": 1}]}, "a", 0, "b"), reach({"a": 3}, "a", "b")
    (1, None)
    """
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and -len(value) <= step < len(value) else None
    return value


def records(value: object, *path: str | int) -> Iterator[dict[str, object]]:
    """Yield the objects of the list under a path."""
    found = reach(value, *path)
    if isinstance(found, list):
        yield from (one for one in found if isinstance(one, dict))


def text(value: object, *path: str | int) -> str:
    """Return the text under a path, '' where there is none."""
    found = reach(value, *path)
    return found if isinstance(found, str) else ""


def texts(value: object, *path: str | int) -> str:
    """Return a text, or the texts of a list of texts and of parts with a `text`, put together."""
    found = reach(value, *path)
    if isinstance(found, list):
        return "".join(one if isinstance(one, str) else text(one, "text") for one in found)
    return found if isinstance(found, str) else ""


def source(record: dict[str, object], *, kind: str = "cited") -> dict[str, object]:
    """Return a source as sources of answers are given."""
    url = next((record[name] for name in ("url", "uri", "link") if record.get(name)), "")
    title = next((record[name] for name in ("title", "label", "name") if record.get(name)), None)
    return {"url": url, "title": title, "kind": kind}


def left_out(why: object) -> Said:
    """Return what is said of a record that holds no answer."""
    told = str(why)[:200] or "?"
    return Said("row_no_answer", f"holds no answer ({told}); left out", why=told)
