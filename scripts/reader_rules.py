"""Notes which rules the reader has under which version: what `make reader-rules` runs.

A test compares the note with the code, so that no rule changes unseen under a version that results already name.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from answerwatch.reading import READER_VERSION

ROOT = Path(__file__).resolve().parent.parent
NOTE = ROOT / "tests" / "house" / "reader_rules.json"
READING = ROOT / "src" / "answerwatch" / "reading"
TABLE = ROOT / "src" / "answerwatch" / "domain" / "traditional.py"
"""Which characters are read alike."""
NO_RULES = {"__init__.py", "candidates.py", "difference.py", "generic.py", "namelike.py", "records.py"}
"""Modules of the room by which no answer is read differently."""


def fingerprint(sources: dict[str, str]) -> str:
    """Return the SHA-256 of the code of modules by name; comments, docstrings and empty lines do not count."""
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update("\n".join((name, *_code(sources[name]), "")).encode())
    return digest.hexdigest()


def _code(source: str) -> Iterator[str]:
    """Yield the lines that say what is done; the version itself is not one of them."""
    told = set(_told(ast.parse(source)))
    for number, line in enumerate(source.splitlines(), start=1):
        bare = line.strip()
        if bare and number not in told and not bare.startswith(("#", "READER_VERSION =")):
            yield line.rstrip()


def _told(tree: ast.Module) -> Iterator[int]:
    """Yield the numbers of the lines of docstrings and of sentences below attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def rules() -> dict[str, str]:
    """Return what the note should say now."""
    files = [TABLE, *(file for file in READING.glob("*.py") if file.name not in NO_RULES)]
    return {
        "version": READER_VERSION,
        "sha256": fingerprint({file.name: file.read_text(encoding="utf-8") for file in files}),
    }


def main() -> None:
    """Write the note."""
    NOTE.write_text(json.dumps(rules(), indent=2) + "\n", encoding="utf-8")
    print(f"{NOTE.relative_to(ROOT)}: {READER_VERSION}")


if __name__ == "__main__":
    main()
