"""What holds for every test against a database: statements keep to what all databases do alike."""

import re
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event

CHANGE = re.compile(r"\s*(?:UPDATE|DELETE)\b", re.IGNORECASE)
SETS = re.compile(r"\s*UPDATE \S+ SET (?P<sets>.*?)(?: WHERE .*)?", re.DOTALL)
VALUE = re.compile(r"%\(\w+\)s(?:::\w+)?|:\w+|'[^']*'")


def faults(sql: str) -> list[str]:
    """What in a statement would be refused, or be understood otherwise, by one of the databases."""
    if not CHANGE.match(sql):
        return []
    found = [f"{word}: {sql}" for word in ("RETURNING", "LIMIT") if re.search(rf"\b{word}\b", sql)]
    sets = SETS.fullmatch(VALUE.sub("?", sql))
    parts = [part.partition("=") for part in _split(sets["sets"])] if sets else []
    names = {name.strip() for name, _, _ in parts}
    for name, _, value in parts:
        if set(re.findall(r"[a-z_]\w*", value)) & (names - {name.strip()}):
            found.append(f"{name.strip()} is computed from a column that the same UPDATE sets: {sql}")
    return found


def _split(sets: str) -> list[str]:
    """The assignments of an UPDATE: parted by the commas outside brackets."""
    parts, depth = [""], 0
    for letter in sets:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


@pytest.fixture(scope="session", autouse=True)
def portable_statements() -> Iterator[None]:
    """Look at every statement of every test.

    MariaDB computes SET from left to right, knows no UPDATE with RETURNING and no sub-select with LIMIT in IN; MySQL
    knows no DELETE with RETURNING.
    """
    seen: set[str] = set()

    def look(_connection: object, _cursor: object, statement: str, *_others: object) -> None:
        seen.add(statement)

    event.listen(Engine, "before_cursor_execute", look)
    yield
    event.remove(Engine, "before_cursor_execute", look)
    assert [fault for statement in sorted(seen) for fault in faults(statement)] == []
