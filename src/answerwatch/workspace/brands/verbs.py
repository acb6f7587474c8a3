"""Brands and the lexicon: every change makes a new version, which running workers use for the next sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from answerwatch.domain.brands import AliasKind, Brand, LexiconVersion, MatchMode, Role, RuleKind
from answerwatch.domain.lexicon_changes import changes_between
from answerwatch.domain.lexicons import NO_BRANDS, read_version
from answerwatch.errors import UsageError
from answerwatch.store.bank import brands, lexicons
from answerwatch.store.database import Read, Store
from answerwatch.workspace.authors import author
from answerwatch.workspace.brands.edits import (
    AliasFields,
    BrandFields,
    Edited,
    RuleFields,
    drop_alias,
    drop_rule,
    edit_brand,
    new_brand,
    put_alias,
    put_rule,
)
from answerwatch.workspace.brands.finding import find_brand, the_brand
from answerwatch.workspace.brands.versions import Change, change_brand, lexicon_writing, store_lexicon
from answerwatch.workspace.brands.views import (
    BrandChange,
    LexiconDiff,
    LexiconExport,
    LexiconImport,
    LexiconTest,
    LexiconView,
)

if TYPE_CHECKING:
    from answerwatch.reading import Lexicon


class Brands:
    """Verbs on brands."""

    def __init__(self, store: Callable[[], Store], actor: str) -> None:
        """Work on what `store` opens; `actor` is named in the lexicon's versions."""
        self._open_store = store
        self._actor = actor

    def add(
        self,
        name: str,
        *,
        aliases: Sequence[str] = (),
        role: Role = Role.COMPETITOR,
        exclude: Sequence[str] = (),
        domains: Sequence[str] = (),
        name_is_alias: bool = True,
        force: bool = False,
        note: str = "",
    ) -> BrandChange:
        """Track a brand; its standard name is one of its aliases, out of use when `name_is_alias` is False.

        Raises UsageError when the brand is there with other content, a name is empty or belongs to another brand, or
        is risky and not meant so (`force`).
        """
        wanted = new_brand(name, BrandFields(role=role, domains=tuple(domains)))
        made = put_alias(wanted, wanted.standard_name, AliasFields(is_active=name_is_alias or not aliases))
        told = made.told
        for alias in aliases:
            made = put_alias(made.brand, alias)
            told += made.told
        whole = made.brand
        for phrase in exclude:
            whole = put_rule(whole, phrase, RuleFields(kind=RuleKind.EXCLUDE))

        def change(known: Sequence[Brand]) -> Edited:
            old = find_brand(known, name)
            if old is None or old.brand_id != whole.brand_id:
                return Edited(whole, told)
            if changes_between([old], [whole]):
                text = f"The brand {old.standard_name} is tracked already; add names with `answerwatch brands alias`."
                raise UsageError("brand_known", text, brand=old.standard_name)
            return Edited(old, told)

        return self._change(change, f"add {name}", note=note, force=force)

    def edit(
        self,
        name: str,
        *,
        role: Role | None = None,
        domains: Sequence[str] | None = None,
        is_active: bool | None = None,
        force: bool = False,
        note: str = "",
    ) -> BrandChange:
        """Change a brand's role or all its domains, or take it out of use and back; None leaves a field as it is."""
        wanted = BrandFields(role=role, domains=None if domains is None else tuple(domains), is_active=is_active)

        def change(known: Sequence[Brand]) -> Brand:
            return edit_brand(the_brand(known, name), wanted)

        return self._change(change, f"edit {name}", note=note, force=force)

    def remove(self, name: str, *, note: str = "") -> BrandChange:
        """Forget a brand; raises UsageError when a batch is about it or a result names it."""
        store = self._open_store()
        with lexicon_writing(store) as (tx, before):
            gone = the_brand(before, name)
            if brands.has_history(tx, gone.standard_name):
                text = (
                    f"The brand {gone.standard_name} has batches or results and stays; take it out of use with "
                    f"`answerwatch brands edit {gone.standard_name} --inactive`."
                )
                raise UsageError("brand_used", text, brand=gone.standard_name)
            why = author(self._actor, _noted(f"remove {gone.standard_name}", note))
            after = [one for one in before if one is not gone]
            stored = store_lexicon(tx, before, after, author=why, now=store.clock.now())
        return BrandChange(
            brand=gone, lexicon_version=stored.lexicon_version, changed=True, changes=stored.changes, warnings=()
        )

    def add_alias(
        self,
        name: str,
        alias: str,
        *,
        kind: AliasKind | None = None,
        match_mode: MatchMode | None = None,
        is_active: bool = True,
        force: bool = False,
        note: str = "",
    ) -> BrandChange:
        """Give a brand one more name, or change fields of one that it has; None leaves a field as it is, or as usual.

        Raises UsageError when the name is empty or belongs to another brand, or is risky and not meant so (`force`).
        """
        wanted = AliasFields(kind=kind, match_mode=match_mode, is_active=is_active)

        def change(known: Sequence[Brand]) -> Edited:
            return put_alias(the_brand(known, name), alias, wanted)

        return self._change(change, f"alias {alias} of {name}", note=note, force=force)

    def remove_alias(self, name: str, alias: str, *, force: bool = False, note: str = "") -> BrandChange:
        """Take a name away from a brand, with the rules that are for it alone; raises UsageError for a wrong one."""

        def change(known: Sequence[Brand]) -> Brand:
            return drop_alias(the_brand(known, name), alias)

        return self._change(change, f"remove alias {alias} of {name}", note=note, force=force)

    def add_rule(
        self,
        name: str,
        phrase: str,
        *,
        kind: RuleKind,
        alias: str | None = None,
        window: int | None = None,
        is_active: bool = True,
        force: bool = False,
        note: str = "",
    ) -> BrandChange:
        """Give a brand, or one of its names, a rule, or change fields of one that it has.

        An exclude phrase rejects exactly the names that it covers. Of the require phrases one must stand within its
        window. Raises UsageError for an empty phrase, one that looks like a regular expression and is not meant so
        (`force`), or an alias that the brand has not.
        """
        wanted = RuleFields(kind=kind, alias=alias, window=window, is_active=is_active)

        def change(known: Sequence[Brand]) -> Brand:
            return put_rule(the_brand(known, name), phrase, wanted)

        return self._change(change, f"{kind} {phrase} of {name}", note=note, force=force)

    def exclude(self, name: str, phrase: str, *, alias: str | None = None) -> BrandChange:
        """Add a phrase that is not the brand (`华为云`); it kills exactly the matches that it covers."""
        return self.add_rule(name, phrase, kind=RuleKind.EXCLUDE, alias=alias)

    def remove_rule(
        self, name: str, phrase: str, *, kind: RuleKind, alias: str | None = None, force: bool = False, note: str = ""
    ) -> BrandChange:
        """Take a rule away from a brand; raises UsageError when it has no such rule, or a name becomes risky by it."""

        def change(known: Sequence[Brand]) -> Brand:
            return drop_rule(the_brand(known, name), phrase, kind, alias)

        return self._change(change, f"remove {kind} {phrase} of {name}", note=note, force=force)

    def list(self, *, active: bool | None = None) -> tuple[Brand, ...]:
        """Return all brands by name."""
        with self._open_store().reading() as read:
            return tuple(brand for brand in brands.every(read) if active in (None, brand.is_active))

    def show(self, name: str, *, version: int | None = None) -> Brand:
        """Return one brand by any of its names, as it is or in a version; raises UsageError when it is unknown."""
        if version is not None:
            found = find_brand(self.at(version).brands, name)
            if found is None:
                text = f"Version {version} of the lexicon holds no brand {name!r}; leave --version out, or try another."
                raise UsageError("brand_not_in_version", text, version=version, brand=name)
            return found
        with self._open_store().reading() as read:
            return the_brand(brands.every(read), name)

    def test(
        self, text: str, *, question: str | None = None, scene: str | None = None, version: int | None = None
    ) -> LexiconTest:
        """Return what the lexicon, or a version of it, finds in a text, with the rule behind every rejection."""
        from answerwatch.reading import Lexicon, clean  # noqa: PLC0415 - slow to load, and lists do without the reader

        lexicon = self.lexicon() if version is None else Lexicon.compile(self.at(version))
        cleaned = clean(text, question=question, scene=scene, lexicon=lexicon)
        reading = cleaned.reading
        return LexiconTest(
            lexicon_version=lexicon.version,
            is_valid=cleaned.is_valid,
            invalid_reason=cleaned.invalid_reason,
            mentioned=() if reading is None else tuple(b.standard_name for b in reading.brands if b.is_mentioned),
            matches=() if reading is None else reading.matches,
        )

    def versions(self, *, limit: int = 50) -> tuple[LexiconView, ...]:
        """Return the newest versions of the lexicon first."""
        with self._open_store().reading() as read:
            return tuple(
                LexiconView(
                    version=one.version,
                    content_hash=one.content_hash,
                    brands=len(one.content),
                    created_at=one.created_at,
                    changed_by=one.changed_by,
                    note=one.note,
                )
                for one in lexicons.newest_first(read, most=limit)
            )

    def newest(self) -> LexiconVersion:
        """Return the newest version of the lexicon with its brands; version 0 where none was ever added."""
        with self._open_store().reading() as read:
            return _read(lexicons.newest(read))

    def at(self, version: int) -> LexiconVersion:
        """Return one version of the lexicon with its brands; raises UsageError when there is none."""
        with self._open_store().reading() as read:
            return _version(read, version)

    def diff(self, old: int, new: int) -> LexiconDiff:
        """Return what differs between two versions of the lexicon; raises UsageError when one is not there."""
        with self._open_store().reading() as read:
            before, after = _version(read, old), _version(read, new)
        return LexiconDiff(old=old, new=new, changes=changes_between(before.brands, after.brands))

    def import_file(
        self,
        path: Path,
        *,
        apply: bool = False,
        whole: bool = False,
        force: bool = False,
        encoding: str | None = None,
        note: str = "",
    ) -> LexiconImport:
        """Read CSV, JSONL or XLSX and return what it changes; changes nothing without `apply`, nor on any row error.

        What is in no row stays, unless the file is the `whole` lexicon: then names and rules in no row are removed, and
        brands in no row go out of use. Raises UsageError for a file that cannot be read as a table.
        """
        from answerwatch.workspace.brands.files.importing import import_lexicon  # noqa: PLC0415 - lists read no files

        why = author(self._actor, _noted(f"import {path.name}", note))
        return import_lexicon(self._open_store(), path, why, apply=apply, whole=whole, force=force, encoding=encoding)

    def export(self, path: Path, *, language: str = "en", force: bool = False) -> LexiconExport:
        """Write the lexicon, also what is out of use, into a file that `import_file` reads: .xlsx, .csv or .jsonl.

        Headers and words of XLSX and CSV are English or Chinese (`zh`). Raises UsageError when the name is taken,
        unless it is to be replaced (`force`).
        """
        from answerwatch.workspace.brands.files.write_file import write_lexicon  # noqa: PLC0415 - lists write no files

        return write_lexicon(path, self.list(), language=language, force=force)

    def lexicon(self) -> Lexicon:
        """Return the newest version of the lexicon, compiled."""
        from answerwatch.reading import Lexicon  # noqa: PLC0415 - as in `test`

        return Lexicon.compile(self.newest())

    def _change(self, change: Change, what: str, *, note: str, force: bool) -> BrandChange:
        brand, stored = change_brand(self._open_store(), change, author(self._actor, _noted(what, note)), force=force)
        return BrandChange(
            brand=brand,
            lexicon_version=stored.lexicon_version,
            changed=bool(stored.changes),
            changes=stored.changes,
            warnings=stored.warnings,
        )


def _noted(what: str, why: str) -> str:
    return f"{what}: {why}" if why else what


def _read(stored: lexicons.StoredLexicon | None) -> LexiconVersion:
    return NO_BRANDS if stored is None else read_version(stored.version, stored.content_hash, stored.content)


def _version(read: Read, version: int) -> LexiconVersion:
    stored = lexicons.of_versions(read, [version]).get(version)
    if stored is None and version != NO_BRANDS.version:
        newest = lexicons.newest_number(read)
        text = f"There is no version {version} of the lexicon; versions are 0 to {newest}."
        raise UsageError("lexicon_version_unknown", text, version=version, newest=newest)
    return _read(stored)
