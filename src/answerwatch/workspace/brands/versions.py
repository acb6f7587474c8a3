"""One way to change the lexicon: judge the whole state, store what differs, and write down a version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from answerwatch.clock import to_micros
from answerwatch.domain.brands import Brand
from answerwatch.domain.lexicon_changes import LexiconChange, changes_between
from answerwatch.domain.lexicons import NO_BRANDS, content_of, hash_of
from answerwatch.store.bank import brands as stored_brands
from answerwatch.store.bank import lexicons
from answerwatch.store.database import Store, Write
from answerwatch.store.ops import shared_numbers
from answerwatch.workspace.authors import Author
from answerwatch.workspace.brands.edits import Edited
from answerwatch.workspace.brands.names import key
from answerwatch.workspace.brands.refusals import refusals
from answerwatch.workspace.brands.views import BrandWarning
from answerwatch.workspace.brands.warnings import warnings

MARK = "lexicon"

Change: TypeAlias = Callable[[Sequence[Brand]], Edited | Brand]
"""What becomes of the one brand that a change is about; raises UsageError when it cannot be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What came of a change."""

    lexicon_version: int
    changes: tuple[LexiconChange, ...]
    warnings: tuple[BrandWarning, ...]


@contextmanager
def lexicon_writing(store: Store) -> Iterator[tuple[Write, list[Brand]]]:
    """Give a transaction and the brands as they are; of several that change the lexicon at once each waits its turn."""
    with store.writing() as tx:
        shared_numbers.move(tx, MARK, to_micros(store.clock.now()))
        yield tx, stored_brands.every(tx)


def change_brand(store: Store, change: Change, author: Author, *, force: bool) -> tuple[Brand, Stored]:
    """Store what `change` makes of a brand; raises UsageError for the first decision that forbids it.

    With `force` risks are meant.
    """
    with lexicon_writing(store) as (tx, before):
        made = change(before)
        brand, told = (made, ()) if isinstance(made, Brand) else made
        after = [*(one for one in before if one.brand_id != brand.brand_id), brand]
        for refusal in refusals(before, after, force=force):
            raise refusal.error
        stored = store_lexicon(tx, before, after, author=author, now=store.clock.now())
    return brand, Stored(
        lexicon_version=stored.lexicon_version, changes=stored.changes, warnings=(*told, *stored.warnings)
    )


def store_lexicon(
    tx: Write, before: Sequence[Brand], after: Sequence[Brand], *, author: Author, now: datetime
) -> Stored:
    """Store a lexicon that nothing forbids, and a version of it when other things are recognised than before."""
    old = {brand.brand_id: brand for brand in before}
    changed = [brand for brand in after if brand != old.get(brand.brand_id)]
    stored_brands.remove(tx, sorted(old.keys() - {brand.brand_id for brand in after}))
    stored_brands.save(tx, changed, keys={brand.brand_id: key(brand.standard_name) for brand in changed})
    return Stored(
        lexicon_version=_version_of(tx, after, author, now),
        changes=changes_between(before, after),
        warnings=warnings(before, after),
    )


def _version_of(tx: Write, brands: Iterable[Brand], author: Author, now: datetime) -> int:
    """Return the lexicon's version: the same content makes no new one."""
    content = content_of([brand for brand in brands if brand.is_active])
    content_hash = hash_of(content)
    old = lexicons.newest(tx)
    if old is not None and old.content_hash == content_hash:
        return old.version
    new = lexicons.StoredLexicon(
        version=1 + (NO_BRANDS.version if old is None else old.version),
        content_hash=content_hash,
        content=content,
        created_at=now,
        changed_by=author.name,
        note=author.note,
    )
    lexicons.add(tx, new)
    return new.version
