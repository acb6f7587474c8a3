"""What rows of a file make of the lexicon: they are compared with what is tracked, and judged as single changes are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from answerwatch.domain.brands import Brand
from answerwatch.domain.lexicon_changes import LexiconChange, Part, changes_between
from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.brands.edits import (
    AliasFields,
    BrandFields,
    RuleFields,
    alias_of,
    edit_brand,
    new_brand,
    put_alias,
    put_rule,
    rule_key,
)
from answerwatch.workspace.brands.files.read_row import LexiconRow
from answerwatch.workspace.brands.names import key
from answerwatch.workspace.brands.refusals import Refusal, refusals
from answerwatch.workspace.brands.views import BrandWarning
from answerwatch.workspace.files.cell_faults import Fault
from answerwatch.workspace.files.row_notes import RowError, RowNote
from answerwatch.workspace.files.told import Told

_Place = tuple[str, Part, str, str | None]
"""Key of the brand, part, key of the name or phrase, key of the one name that a rule is for."""


@dataclass(slots=True, kw_only=True)
class Plan:
    """What a set of rows makes of a lexicon."""

    after: list[Brand] = field(default_factory=list)
    changes: tuple[LexiconChange, ...] = ()
    unchanged: int = 0
    missing: int = 0
    """Brands, names and rules that are tracked and in no row."""
    told: list[BrandWarning] = field(default_factory=list)
    errors: Told[RowError] = field(default_factory=Told)
    notes: Told[RowNote] = field(default_factory=Told)


def make_plan(
    before: Sequence[Brand],
    rows: Sequence[LexiconRow],
    *,
    whole: bool,
    force: bool,
    refused: Mapping[str, int] = MappingProxyType({}),
) -> Plan:
    """Compare rows with the tracked brands; with `whole` what is in no row is taken away, brands out of use.

    `refused` has the lines of brands whose own row could not be read.
    """
    return _Planning(before, whole=whole, refused=refused).plan(rows, force=force)


class _Planning:
    """A lexicon on its way from what it is to what rows make of it."""

    def __init__(self, before: Sequence[Brand], *, whole: bool, refused: Mapping[str, int]) -> None:
        self._before = before
        self._whole = whole
        self._brands = {key(brand.standard_name): brand for brand in before}
        self._known = frozenset(self._brands)
        self._rows: dict[_Place, LexiconRow] = {}
        self._taken: set[_Place] = set()
        self._refused_brands = dict(refused)
        self._plan = Plan()

    def plan(self, rows: Sequence[LexiconRow], *, force: bool) -> Plan:
        """Return what becomes of the lexicon: brands first, then names, then the rules that speak of them."""
        fresh = [row for row in rows if not self._is_hopeless() and self._is_first(row)]
        if self._whole:
            self._empty()
        self._put_all(row for row in fresh if row.entry is Part.BRAND)
        self._put_all(row for row in fresh if row.entry is Part.ALIAS)
        self._keep_standard_names()
        self._put_all(row for row in fresh if row.entry in (Part.EXCLUDE, Part.REQUIRE))
        return self._plan if self._is_hopeless() else self._judged(force=force)

    def _is_hopeless(self) -> bool:
        """Tell whether so many rows cannot be taken that there is no use in looking at more."""
        return self._plan.errors.is_full

    def _is_first(self, row: LexiconRow) -> bool:
        """Note a row; tell one that says again what another says, and refuse one that says otherwise."""
        first = self._rows.setdefault(_place(row), row)
        if first is row:
            return True
        message = Said("row_same", f"says the same as line {first.line}", line=first.line)
        if (first.fields, first.table.sheet) == (row.fields, row.table.sheet):
            self._plan.notes.add(RowNote(line=row.line, reason="duplicate", message=message))
        else:
            message = Said("row_otherwise", f"line {first.line} says otherwise of the same", line=first.line)
            self._refuse(row, message, "duplicate")
        return False

    def _empty(self) -> None:
        """Leave of brands what no row can say again: only the name where a row tells the rest; others go out of use."""
        named = {brand for brand, _, _, _ in self._rows}
        told = {brand for brand, part, _, _ in self._rows if part is Part.BRAND}
        for name, brand in self._brands.items():
            if name in told:
                self._brands[name] = Brand(brand_id=brand.brand_id, standard_name=brand.standard_name)
            elif name in named:
                self._brands[name] = replace(brand, aliases=(), rules=())
            else:
                self._brands[name] = replace(brand, is_active=False)

    def _put_all(self, rows: Iterable[LexiconRow]) -> None:
        for row in rows:
            if self._is_hopeless():
                return
            try:
                self._put(row)
                self._taken.add(_place(row))
            except UsageError as error:
                if row.entry is Part.BRAND:
                    self._refused_brands.setdefault(key(row.brand), row.line)
                self._refuse(row, Said.of_error(error), "refused")

    def _put(self, row: LexiconRow) -> None:
        name, fields = key(row.brand), row.fields
        brand = self._brands.get(name)
        if isinstance(fields, BrandFields):
            self._brands[name] = new_brand(row.brand, fields) if brand is None else edit_brand(brand, fields)
        elif brand is None:
            shown = in_short(row.brand)
            if name in self._refused_brands:
                line = self._refused_brands[name]
                text = (
                    f"The brand {shown} is not tracked, and its own row on line {line} cannot be taken; mend that one."
                )
                raise UsageError("row_brand_refused", text, brand=shown, line=line)
            text = f"The brand {shown} is not tracked and has no row of its own; add a row with its name alone."
            raise UsageError("row_brand_unknown", text, brand=shown)
        elif isinstance(fields, AliasFields):
            self._brands[name], told = put_alias(brand, row.text, fields)
            self._plan.told += told
        else:
            self._brands[name] = put_rule(brand, row.text, fields)

    def _keep_standard_names(self) -> None:
        """Add standard names that no row has: to new brands in use, to known ones that lost them out of use."""
        for name, brand in self._brands.items():
            if alias_of(brand, brand.standard_name) is None and (name not in self._known or self._whole):
                fields = AliasFields(is_active=name not in self._known)
                self._brands[name] = put_alias(brand, brand.standard_name, fields).brand

    def _judged(self, *, force: bool) -> Plan:
        plan = self._plan
        plan.after = list(self._brands.values())
        named: dict[str, LexiconRow] = {}
        rows: dict[tuple[str, Part, str], LexiconRow] = {}
        for (brand, part, text, _), row in self._rows.items():
            named.setdefault(brand, row)
            rows.setdefault((brand, part, text), row)
        for refusal in refusals(self._before, plan.after, force=force):
            brand = key(refusal.brand)
            told = rows.get((brand, refusal.part, key(refusal.text)), named.get(brand))
            plan.errors.add(_error(refusal, told))
            if told is not None:
                self._taken.discard(_place(told))
            if self._is_hopeless():
                break
        plan.changes = changes_between(self._before, plan.after)
        touched = {(key(change.brand), change.part, key(change.text), _folded(change.alias)) for change in plan.changes}
        plan.unchanged = len(self._taken - touched)
        unsaid = {
            place for place in _places(self._before) - self._rows.keys() if place[1:] != _BRAND or place[0] not in named
        }
        plan.missing = 0 if self._whole else len(unsaid)
        return plan

    def _refuse(self, row: LexiconRow, message: Said, reason: str) -> None:
        fault = Fault("text" if row.text else "brand", reason, message)
        self._plan.errors.add(row.table.error(row.line, fault))


_BRAND = (Part.BRAND, "", None)


def _error(refusal: Refusal, row: LexiconRow | None) -> RowError:
    """Return a decision against a state as an error of the row that brings it about."""
    fault = Fault("brand" if refusal.part is Part.BRAND else "text", "refused", Said.of_error(refusal.error))
    return fault.in_row(0, {}) if row is None else row.table.error(row.line, fault)


def _place(row: LexiconRow) -> _Place:
    alias = row.fields.alias if isinstance(row.fields, RuleFields) else None
    return key(row.brand), row.entry, key(row.text), _folded(alias)


def _folded(alias: str | None) -> str | None:
    return None if alias is None else key(alias)


def _places(brands: Iterable[Brand]) -> set[_Place]:
    """Return every part of a lexicon as rows name it."""
    found: set[_Place] = set()
    for brand in brands:
        name = key(brand.standard_name)
        found.add((name, Part.BRAND, "", None))
        found |= {(name, Part.ALIAS, key(alias.text), None) for alias in brand.aliases}
        found |= {(name, Part(kind), phrase, alias) for kind, phrase, alias in map(rule_key, brand.rules)}
    return found
