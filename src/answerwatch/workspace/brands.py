"""Brands and the lexicon: every change makes a new version, which running workers use for the next sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from answerwatch.domain.brands import Alias, AliasKind, Brand, LexiconVersion, MatchMode, Role, Rule, RuleKind
from answerwatch.domain.ids import KEY_LENGTH
from answerwatch.domain.lexicons import NO_BRANDS, content_of, hash_of, read_version
from answerwatch.errors import UsageError
from answerwatch.store import brands as shelf
from answerwatch.store import lexicons
from answerwatch.store.database import Read, Store, Write

if TYPE_CHECKING:
    from answerwatch.reading import Lexicon, Match


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandWarning:
    """Something about a name that will probably surprise."""

    code: str
    """`alias_one_character`."""
    alias: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandChange:
    """A brand after a change."""

    brand: Brand
    lexicon_version: int
    changed: bool
    """False: everything was there already, and the lexicon version is the old one."""
    warnings: tuple[BrandWarning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconView:
    """One version of the lexicon."""

    version: int
    """0: no brand was ever added."""
    content_hash: str
    brands: int
    created_at: datetime | None
    changed_by: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconTest:
    """What the lexicon finds in a text, with reasons."""

    lexicon_version: int
    is_valid: bool
    invalid_reason: str | None
    mentioned: tuple[str, ...]
    """Brands in order of mention."""
    matches: tuple[Match, ...]
    """Every candidate, accepted or rejected; empty where the text is no valid answer."""


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
    ) -> BrandChange:
        """Track a brand; its standard name is one of its aliases unless `name_is_alias` is False.

        Raises UsageError when the brand is there with other content, a name is empty, or another brand has a name.
        """
        name = checked_name("standard name", name)
        names = [name, *aliases] if name_is_alias or not aliases else list(aliases)
        wanted = Brand(
            brand_id=name,
            standard_name=name,
            role=role,
            aliases=_aliases(names),
            rules=_excludes(exclude),
            domains=tuple(dict.fromkeys(checked_domain(domain) for domain in domains)),
        )

        def change(known: Sequence[Brand]) -> Brand:
            old = next((brand for brand in known if key(brand.standard_name) == key(name)), None)
            if old is not None and content_of([old]) != content_of([wanted]):
                text = f"The brand {old.standard_name} is tracked already; add names with `answerwatch brands alias`."
                raise UsageError("brand_known", text, brand=old.standard_name)
            return wanted if old is None else old

        return self._change(change, f"add {name}")

    def add_alias(
        self,
        name: str,
        alias: str,
        *,
        kind: AliasKind = AliasKind.NAME,
        match_mode: MatchMode = MatchMode.FOLDED,
    ) -> BrandChange:
        """Give a brand one more name; raises UsageError when it is empty or belongs to another brand."""
        new = Alias(text=checked_name("alias", alias), kind=kind, match_mode=match_mode)

        def change(known: Sequence[Brand]) -> Brand:
            brand = _pick(known, name)
            others = tuple(old for old in brand.aliases if key(old.text) != key(new.text))
            same = next((old for old in brand.aliases if key(old.text) == key(new.text)), new)
            kept = replace(same, kind=kind, match_mode=match_mode)
            return replace(brand, aliases=(*others, kept))

        return self._change(change, f"alias {alias} of {name}")

    def exclude(self, name: str, phrase: str, *, alias: str | None = None) -> BrandChange:
        """Add a phrase that is not the brand (`华为云`); it kills exactly the matches that it covers."""
        rule = Rule(kind=RuleKind.EXCLUDE, pattern=checked_name("phrase", phrase), alias=alias)

        def change(known: Sequence[Brand]) -> Brand:
            brand = _pick(known, name)
            if alias is not None and key(alias) not in {key(one.text) for one in brand.aliases}:
                text = f"{brand.standard_name} has no alias {alias}; its names are {_listed(brand)}."
                raise UsageError("alias_unknown", text, brand=brand.standard_name, alias=alias)
            return brand if rule in brand.rules else replace(brand, rules=(*brand.rules, rule))

        return self._change(change, f"exclude {phrase} of {name}")

    def list(self, *, active: bool | None = None) -> tuple[Brand, ...]:
        """Return all brands by name."""
        with self._open_store().reading() as read:
            return tuple(brand for brand in shelf.every(read) if active in (None, brand.is_active))

    def show(self, name: str) -> Brand:
        """Return one brand by its standard name or any of its aliases; raises UsageError when it is unknown."""
        with self._open_store().reading() as read:
            return _pick(shelf.every(read), name)

    def test(self, text: str, *, question: str | None = None, scene: str | None = None) -> LexiconTest:
        """Return what the lexicon finds in a text, with the rule behind every rejection."""
        from answerwatch.reading import clean  # noqa: PLC0415 - the reader is slow to load, and lists do without it

        lexicon = self.lexicon()
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
            stored = lexicons.newest(read)
        if stored is None:
            return NO_BRANDS
        return read_version(stored.version, stored.content_hash, stored.content)

    def lexicon(self) -> Lexicon:
        """Return the newest version of the lexicon, compiled."""
        from answerwatch.reading import Lexicon  # noqa: PLC0415 - as in `test`

        return Lexicon.compile(self.newest())

    def _change(self, change: Callable[[Sequence[Brand]], Brand], note: str) -> BrandChange:
        """Store what `change` makes of the brands, and a new version of the lexicon when its content is new."""
        store = self._open_store()
        now = store.clock.now()
        with store.writing() as tx:
            known = shelf.every(tx)
            brand = change(known)
            others = [one for one in known if one.brand_id != brand.brand_id]
            _refuse_shared_names(brand, others)
            shelf.save(tx, brand, name_key=key(brand.standard_name))
            version, changed = _new_version(tx, [*others, brand], by=self._actor, now=now, note=note)
        return BrandChange(brand=brand, lexicon_version=version, changed=changed, warnings=_warnings(brand))


def _new_version(tx: Write, brands: Iterable[Brand], *, by: str, now: datetime, note: str) -> tuple[int, bool]:
    """Return the lexicon's version and whether it is new: the same content makes none."""
    content = content_of([brand for brand in brands if brand.is_active])
    content_hash = hash_of(content)
    old = lexicons.newest(tx)
    if old is not None and old.content_hash == content_hash:
        return old.version, False
    new = lexicons.StoredLexicon(
        version=1 + (NO_BRANDS.version if old is None else old.version),
        content_hash=content_hash,
        content=content,
        created_at=now,
        changed_by=by,
        note=note[:LONGEST_NOTE],
    )
    lexicons.add(tx, new)
    return new.version, True


LONGEST_NOTE = 400


def key(text: str) -> str:
    """Return a name in the form in which names are compared, as the reader folds it."""
    from answerwatch.reading import fold  # noqa: PLC0415 - as in `Brands.test`

    return fold.key(text)


def checked_name(what: str, name: str) -> str:
    """Return a name without blanks around it; raises UsageError when nothing or too much is left."""
    stripped = name.strip()
    if not key(stripped) or not any(letter.isalnum() for letter in stripped):
        text = f"The {what} {name!r} is empty: it holds no letter or digit."
        raise UsageError("name_empty", text, what=what, name=name)
    if len(stripped) > KEY_LENGTH or not stripped.isprintable():
        text = f"The {what} {stripped[:40]!r} is too long or holds control characters; at most {KEY_LENGTH} letters."
        raise UsageError("name_bad", text, what=what, name=stripped[:40])
    return stripped


def checked_domain(domain: str) -> str:
    """Return a domain in lower case without address parts; raises UsageError when it is none."""
    host = domain.strip().casefold().removeprefix("https://").removeprefix("http://").split("/")[0].rstrip(".")
    if "." not in host or any(ch.isspace() for ch in host):
        raise UsageError("domain_bad", f"{domain!r} is no domain; write one like huawei.com.", domain=domain)
    return host.removeprefix("www.")


def _aliases(names: Iterable[str]) -> tuple[Alias, ...]:
    """Return the names as aliases; of spellings that fold to the same, the first is kept."""
    found: dict[str, Alias] = {}
    for name in names:
        text = checked_name("alias", name)
        found.setdefault(key(text), Alias(text=text))
    return tuple(found.values())


def _excludes(phrases: Iterable[str]) -> tuple[Rule, ...]:
    texts = dict.fromkeys(checked_name("phrase", phrase) for phrase in phrases)
    return tuple(Rule(kind=RuleKind.EXCLUDE, pattern=text) for text in texts)


def _pick(known: Sequence[Brand], name: str) -> Brand:
    """Return the brand that a name means; raises UsageError listing the tracked ones."""
    wanted = key(name)
    for brand in known:
        if wanted == key(brand.standard_name):
            return brand
    for brand in known:
        if wanted in {key(alias.text) for alias in brand.aliases}:
            return brand
    if not known:
        raise UsageError(
            "brand_none", f"The brand {name!r} is not tracked; add it with `answerwatch brands add`.", brand=name
        )
    tracked = ", ".join(brand.standard_name for brand in known[:20])
    text = f"The brand {name!r} is not tracked; tracked are: {tracked}. Add it with `answerwatch brands add`."
    raise UsageError("brand_unknown", text, brand=name, known=tracked)


def pick_brand(read: Read, name: str) -> Brand:
    """Return the tracked brand that a name or alias means; raises UsageError listing the tracked ones."""
    return _pick(shelf.every(read), name)


def _refuse_shared_names(brand: Brand, others: Iterable[Brand]) -> None:
    """Raise UsageError when another brand has one of the names: a match could not be given to one of them."""
    taken = {
        key(text): other.standard_name
        for other in others
        for text in (other.standard_name, *(alias.text for alias in other.aliases))
    }
    for name in (brand.standard_name, *(alias.text for alias in brand.aliases)):
        if (owner := taken.get(key(name))) is not None:
            text = (
                f"The name {name} belongs to {owner} already and cannot be one of {brand.standard_name}; "
                "take it away there, or use a longer name."
            )
            raise UsageError("alias_taken", text, alias=name, owner=owner, brand=brand.standard_name)


def _warnings(brand: Brand) -> tuple[BrandWarning, ...]:
    return tuple(
        BrandWarning(
            code="alias_one_character",
            alias=alias.text,
            message=f"{alias.text} is one character long and will be found inside other words.",
        )
        for alias in brand.aliases
        if len(key(alias.text)) == 1
    )


def _listed(brand: Brand) -> str:
    return ", ".join(alias.text for alias in brand.aliases)
