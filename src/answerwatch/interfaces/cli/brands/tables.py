"""How brands are shown to people, and candidate matches: what was found, where, and which rule decided about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from answerwatch.interfaces.cli.listing import Listing, show_facts, yes_no
from answerwatch.interfaces.cli.row_problems import SHOWN
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN, one_line

if TYPE_CHECKING:
    from answerwatch.domain.brands import Alias, Rule
    from answerwatch.domain.lexicon_changes import LexiconChange, PartChange
    from answerwatch.workspace.brands.views import BrandChange, BrandWarning, LexiconView
    from answerwatch.workspace.shown_records import Brand

LONGEST_COVER = 60
"""Characters shown of what covers a candidate."""


def _brand_row(session: Session, brand: Brand) -> tuple[object, ...]:
    names = tuple(alias.text for alias in brand.aliases if alias.is_active)
    phrases = tuple(_phrase(session, rule) for rule in brand.rules if rule.is_active)
    active = yes_no(session, brand.is_active)
    return brand.standard_name, session.word("role", brand.role), active, names, phrases, brand.domains


def _phrase(session: Session, rule: Rule) -> str:
    return f"{session.word('part', rule.kind)}: {rule.pattern}"


BRANDS: Listing[Brand] = Listing(columns=("brand", "role", "active", "aliases", "rules", "domains"), row=_brand_row)


def _alias_row(session: Session, alias: Alias) -> tuple[object, ...]:
    kind, mode = session.word("alias_kind", alias.kind), session.word("match_mode", alias.match_mode)
    return alias.text, kind, mode, yes_no(session, alias.is_active)


_ALIASES: Listing[Alias] = Listing(columns=("alias", "kind", "match_mode", "active"), row=_alias_row)


def _rule_row(session: Session, rule: Rule) -> tuple[object, ...]:
    return (
        session.word("part", rule.kind),
        rule.pattern,
        rule.alias or session.say("brands.every_name"),
        rule.window,
        yes_no(session, rule.is_active),
    )


_RULES: Listing[Rule] = Listing(columns=("rule", "phrase", "alias", "window", "active"), row=_rule_row)


def show_brand(session: Session, brand: Brand) -> None:
    """Print one brand with its names and rules."""
    facts = {
        "brand": brand.standard_name,
        "role": session.word("role", brand.role),
        "active": yes_no(session, brand.is_active),
        "domains": brand.domains,
    }
    show_facts(session, facts)
    _ALIASES.show(session, brand.aliases, as_json=False)
    if brand.rules:
        _RULES.show(session, brand.rules, as_json=False)


def _version_row(session: Session, view: LexiconView) -> tuple[object, ...]:
    note = session.say.recognised("lexicon_note", view.note)
    return view.version, view.created_at, view.changed_by, view.brands, note


LEXICONS: Listing[LexiconView] = Listing(columns=("version", "at", "by", "brands", "note"), row=_version_row)


def _change_row(session: Session, change: LexiconChange) -> tuple[object, ...]:
    return (
        session.word("change", change.kind),
        session.word("part", change.part),
        change.brand,
        change.text,
        tuple(_difference(session, field) for field in change.fields),
    )


CHANGES: Listing[LexiconChange] = Listing(columns=("change", "part", "brand", "text", "details"), row=_change_row)

_WORDS = {"role": "role", "kind": "alias_kind", "match_mode": "match_mode"}
"""Fields whose values are words of a section."""


def _difference(session: Session, field: PartChange) -> str:
    name = session.word("column", "active" if field.name == "is_active" else field.name)
    after = _value(session, field.name, field.after)
    return (
        f"{name}: {after}" if field.before is None else f"{name}: {_value(session, field.name, field.before)} → {after}"
    )


def _value(session: Session, name: str, value: object) -> str:
    if isinstance(value, bool):
        return yes_no(session, value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value)) or NOT_KNOWN
    return NOT_KNOWN if value is None else session.word(_WORDS.get(name, ""), value)


def show_change(session: Session, change: BrandChange, *, as_json: bool) -> None:
    """Print what came of a change of a brand, and on standard error what is worth knowing about it."""
    if as_json:
        session.terminal.json(change)
    else:
        message = "brands.changed" if change.changed else "brands.unchanged"
        session.tell(message, brand=change.brand.standard_name, version=change.lexicon_version)
    show_warnings(session, change.warnings)


def show_warnings(session: Session, warnings: Sequence[BrandWarning]) -> None:
    """Say on standard error what is worth knowing about names and rules."""
    for warning in warnings[:SHOWN]:
        session.remark("brands.note", message=session.say.translated(warning.message))
    if len(warnings) > SHOWN:
        session.remark("import.more", count=len(warnings) - SHOWN)


class Candidate(Protocol):
    """One place where a name of a tracked brand stands, as the reader and the store both tell it."""

    @property
    def standard_name(self) -> str:
        """Return the brand."""

    @property
    def matched_alias(self) -> str:
        """Return the alias as the lexicon spells it."""

    @property
    def match_position(self) -> int:
        """Return the first code point in the raw answer."""

    @property
    def match_length(self) -> int:
        """Return the code points matched."""

    @property
    def counts(self) -> bool:
        """Tell whether it is a mention; a pronoun is none."""

    @property
    def reason(self) -> str:
        """Return `accepted`, `stands_for` or the rule that rejected it."""

    @property
    def covered_by(self) -> str | None:
        """Return the longer name, phrase or word that won over a rejected candidate."""


def _match_row(session: Session, match: Candidate) -> tuple[object, ...]:
    return (
        match.match_position,
        match.match_length,
        match.standard_name,
        match.matched_alias,
        yes_no(session, match.counts),
        session.word("match", match.reason),
        one_line(match.covered_by or "", LONGEST_COVER),
    )


MATCHES: Listing[Candidate] = Listing(
    columns=("position", "length", "brand", "alias", "counts", "reason", "covered_by"), row=_match_row
)
