"""Importing a lexicon file: what its rows change is shown, or stored together where no row is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from answerwatch.domain.brands import Brand
from answerwatch.store.bank import brands, lexicons
from answerwatch.store.database import Read, Store, Write
from answerwatch.workspace.authors import Author
from answerwatch.workspace.brands.files.plan import make_plan
from answerwatch.workspace.brands.files.read_file import read_lexicon_file
from answerwatch.workspace.brands.versions import lexicon_writing, store_lexicon
from answerwatch.workspace.brands.views import LexiconImport
from answerwatch.workspace.brands.warnings import warnings
from answerwatch.workspace.files.told import by_line


def import_lexicon(
    store: Store, path: Path, author: Author, *, apply: bool, whole: bool, force: bool, encoding: str | None
) -> LexiconImport:
    """Return what a file changes, after storing it with `apply` where no row is wrong."""
    file = read_lexicon_file(path, encoding=encoding)
    with _lexicon(store, apply=apply) as (access, before):
        plan = make_plan(before, file.rows, whole=whole, force=force, refused=file.refused)
        errors = by_line(file.errors, plan.errors)
        applied = isinstance(access, Write) and not errors
        if isinstance(access, Write) and applied:
            store_lexicon(access, before, plan.after, author=author, now=store.clock.now())
        version = lexicons.newest_number(access)
    return LexiconImport(
        file=str(path),
        encoding=file.encoding,
        delimiter=file.delimiter,
        columns=tuple(file.columns),
        rows=len(file.rows) + file.errors.count,
        changes=plan.changes,
        unchanged=plan.unchanged,
        missing=plan.missing,
        warnings=() if errors else (*plan.told, *warnings(before, plan.after)),
        errors=errors,
        notes=by_line(file.notes, plan.notes),
        applied=applied,
        lexicon_version=version,
    )


@contextmanager
def _lexicon(store: Store, *, apply: bool) -> Iterator[tuple[Read, list[Brand]]]:
    """Give the brands to compare with, and a transaction that may change them with `apply`."""
    if apply:
        with lexicon_writing(store) as found:
            yield found
    else:
        with store.reading() as read:
            yield read, brands.every(read)
