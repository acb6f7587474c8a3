"""The lexicon in files: columns and words, in Chinese and English, as they are written and as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from answerwatch.domain.brands import AliasKind, MatchMode, Role
from answerwatch.domain.lexicon_changes import Part
from answerwatch.workspace.files.columns import LEXICON_COLUMNS

SHEETS: Mapping[str, tuple[Part | None, tuple[str, ...]]] = {
    "brands": (Part.BRAND, ("brand", "role", "domains", "is_active")),
    "aliases": (Part.ALIAS, ("brand", "text", "kind", "match_mode", "is_active")),
    "rules": (None, ("brand", "entry", "text", "for_alias", "window", "is_active")),
}
"""Sheets of a workbook: what their rows are where no column says it, and their fields."""

SHEET_NAMES: Mapping[str, tuple[str, ...]] = {
    "brands": ("brands", "品牌"),
    "aliases": ("aliases", "别名", "名称"),
    "rules": ("rules", "规则"),
}

_ENTRIES: Mapping[Part, tuple[str, ...]] = {
    Part.BRAND: ("品牌",),
    Part.ALIAS: ("别名", "名称"),
    Part.EXCLUDE: ("排除", "不算"),
    Part.REQUIRE: ("必需", "附近须有"),
}
_KINDS: Mapping[AliasKind, tuple[str, ...]] = {
    AliasKind.NAME: ("名称", "全称"),
    AliasKind.SHORT: ("简称",),
    AliasKind.NICKNAME: ("昵称", "绰号"),
    AliasKind.ENGLISH: ("英文名", "英文"),
    AliasKind.PINYIN: ("拼音",),
    AliasKind.TICKER: ("股票代码",),
    AliasKind.PRODUCT: ("产品", "系列", "产品或系列"),
}
_MODES: Mapping[MatchMode, tuple[str, ...]] = {
    MatchMode.FOLDED: ("不分写法",),
    MatchMode.CASED: ("区分大小写",),
    MatchMode.AMBIGUOUS: ("有歧义",),
}
_ROLES: Mapping[Role, tuple[str, ...]] = {
    Role.OWN: ("自有", "自有品牌", "本品"),
    Role.COMPETITOR: ("竞品", "竞争对手"),
}
_CHINESE: Mapping[str, tuple[str, ...]] = {
    str(value): words for table in (_ENTRIES, _KINDS, _MODES, _ROLES) for value, words in table.items()
}

W = TypeVar("W", bound=StrEnum)


def word_of(words: Mapping[W, tuple[str, ...]], text: str) -> W | None:
    """Return the value that a cell means, by its own name or one of its Chinese words; None where it means none."""
    wanted = text.casefold()
    return next((value for value, known in words.items() if wanted == str(value) or wanted in known), None)


def entry_of(text: str) -> Part | None:
    """Return what a row is about."""
    return word_of(_ENTRIES, text)


def kind_of(text: str) -> AliasKind | None:
    """Return the sort of name that a cell means."""
    return word_of(_KINDS, text)


def mode_of(text: str) -> MatchMode | None:
    """Return the match mode that a cell means."""
    return word_of(_MODES, text)


def role_of(text: str) -> Role | None:
    """Return the role that a cell means."""
    return word_of(_ROLES, text)


def written(value: object, language: str) -> str:
    """Return a value as it stands in a cell: in Chinese by its first Chinese word, else by its own name."""
    if isinstance(value, bool):
        return {"zh": ("否", "是")}.get(language, ("no", "yes"))[value]
    text = "" if value is None else str(value)
    return _CHINESE[text][0] if language == "zh" and isinstance(value, StrEnum) else text


def header(fields: tuple[str, ...], language: str) -> list[str]:
    """Return the names of columns as they are written."""
    return [_name(LEXICON_COLUMNS[field], language) for field in fields]


def sheet_name(sheet: str, language: str) -> str:
    """Return the name of a sheet as it is written."""
    return _name(SHEET_NAMES[sheet], language)


def _name(names: tuple[str, ...], language: str) -> str:
    return next((name for name in names if language == "zh" and not name.isascii()), names[0])


def sheet_of(name: str) -> str | None:
    """Return which sheet of a lexicon a sheet of a workbook is; None for any other."""
    wanted = name.strip().casefold()
    return next((sheet for sheet, names in SHEET_NAMES.items() if wanted in names), None)
