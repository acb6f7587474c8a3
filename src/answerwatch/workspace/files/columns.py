"""Which column of a file means which field: names that people use, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.files.cells import clean_cell
from answerwatch.workspace.files.records import Table

Synonyms = Mapping[str, tuple[str, ...]]
"""Field -> names that mean it, the surest first."""
Mapper = Callable[[tuple[str, ...]], dict[str, str]]
"""Returns column -> field for a header."""

MOST_COLUMNS_TOLD = 40
"""Columns of a file that a message lists."""

QUESTION_COLUMNS: Synonyms = {
    "question_id": ("question_id", "question id", "qid", "id", "问题编号", "问题id", "题号", "编号"),
    "scene_type": ("scene_type", "scene type", "scene", "场景类型", "场景", "意图类型"),
    "query_text": ("query_text", "query text", "question", "query", "prompt", "问题内容", "问题文本", "问题", "提问"),
    "target_keywords": ("target_keywords", "target keywords", "keywords", "目标关键词", "关键词", "关键字"),
    "intent_description": ("intent_description", "intent description", "intent", "意图描述", "意图说明", "意图"),
    "is_active": ("is_active", "active", "enabled", "是否启用", "启用"),
}

ANSWER_COLUMNS: Synonyms = {
    "platform": ("platform", "平台", "ai平台", "来源平台", "渠道"),
    "question": ("question", "query_text", "query", "prompt", "问题内容", "问题", "提问", "提示词"),
    "answer": ("answer", "response", "raw_response", "answer_text_markdown", "answer_text", "回答内容",
               "回答", "答案", "回复"),
    "scene": ("scene", "scene_type", "场景类型", "场景"),
    "question_id": ("question_id", "question id", "问题编号", "题号"),
    "question_version": ("question_version", "question version", "问题版本"),
    "asked_at": ("asked_at", "collected_at", "collected at", "created_at", "timestamp", "datetime", "time", "date",
                 "提问时间", "采集时间", "回答时间", "时间", "日期"),
    "model": ("model", "model_served", "模型名称", "模型"),
    "searched": ("searched", "web_search", "是否联网", "联网"),
    "sources": ("sources", "citations", "引用链接", "参考链接", "来源链接", "引用来源", "引用", "信源"),
    "external_id": ("external_id", "id", "编号"),
    "finish_reason": ("finish_reason", "finish reason", "结束原因"),
    "surface": ("surface", "渠道类型", "终端"),
    "reasoning": ("reasoning", "reasoning_content", "thinking", "思考过程", "推理过程"),
    "sample": ("sub_task_id", "sub_task", "子任务"),
    "provenance": ("provenance", "other columns", "其他列"),
}  # fmt: skip

LEXICON_COLUMNS: Synonyms = {
    "entry": ("entry", "条目", "类别"),
    "brand": ("brand", "standard_name", "品牌", "标准名称", "品牌名称", "品牌名"),
    "text": ("text", "alias", "phrase", "pattern", "别名", "名称", "说法", "内容"),
    "kind": ("kind", "alias_kind", "名称类型", "别名类型", "类型"),
    "match_mode": ("match_mode", "match", "匹配方式"),
    "for_alias": ("for_alias", "针对名称", "针对别名"),
    "window": ("window", "字数范围", "窗口"),
    "role": ("role", "角色"),
    "domains": ("domains", "domain", "域名", "网站"),
    "is_active": ("is_active", "active", "enabled", "启用", "是否启用", "使用"),
}
"""The first name of each is written in English, the first Chinese one in Chinese."""

KNOWN = frozenset(
    name
    for synonyms in (QUESTION_COLUMNS, ANSWER_COLUMNS, LEXICON_COLUMNS)
    for names in synonyms.values()
    for name in names
)
"""Every name by which a header is known."""


def _folded(column: str) -> str:
    from answerwatch.reading.fold import fold  # noqa: PLC0415 - lists share this module and do without the reader

    return fold(_ZONE.sub("", clean_cell(column))).replace("-", "_")


_ZONE = re.compile(r"\s*\((UTC|[A-Za-z]+(?:/[\w+-]+)+)\)$")
"""The time zone behind the name of a column of moments, as exports write it."""


@cache
def zone_of(column: str) -> ZoneInfo | None:
    """Return the time zone that a header names, None where it names none.

    >>> zone_of("采集时间 (Asia/Shanghai)"), zone_of("采集时间")
    (zoneinfo.ZoneInfo(key='Asia/Shanghai'), None)
    """
    found = _ZONE.search(clean_cell(column))
    try:
        return None if found is None else ZoneInfo(found[1])
    except (OSError, KeyError, ValueError):
        return None


def is_header(cells: Iterable[str]) -> bool:
    """Tell whether a row names columns that are known, at least two or all that it has.

    >>> is_header(["问题", "备注", "场景"]), is_header(["问题"]), is_header(["问题列表", "2026"])
    (True, True, False)
    """
    names = [_folded(cell) for cell in cells if cell]
    known = sum(name in KNOWN for name in names)
    return known >= 2 or 0 < known == len(names)


def map_columns(header: Iterable[str], synonyms: Synonyms) -> dict[str, str]:
    """Return column -> field for the columns that are known; every field is taken by its surest name.

    >>> map_columns(["编号", "问题", "备注"], QUESTION_COLUMNS)
    {'编号': 'question_id', '问题': 'query_text'}
    """
    names = {_folded(column): column for column in header}
    found: dict[str, str] = {}
    for field, known in synonyms.items():
        column = next((names[name] for name in known if name in names and names[name] not in found), None)
        if column is not None:
            found[column] = field
    return {column: found[column] for column in header if column in found}


def mapper(synonyms: Synonyms, renamed: Mapping[str, str]) -> Mapper:
    """Return what maps headers as `map_columns` does, those in `renamed` (column -> field) to what the caller says.

    It remembers: rows of JSON each have columns of their own, mostly the same. Raises UsageError for a field that
    there is not.
    """
    unknown = next((field for field in renamed.values() if field not in synonyms), None)
    if unknown is not None:
        known, shown = ", ".join(synonyms), in_short(unknown)
        text = f"No field is called {shown!r}; there are {known}."
        raise UsageError("map_field", text, field=shown, known=known)

    @lru_cache(maxsize=256)
    def mapped(header: tuple[str, ...]) -> dict[str, str]:
        told = {column: field for column, field in renamed.items() if column in header}
        taken = set(told.values())
        rest = map_columns([column for column in header if column not in told], synonyms)
        return {column: field for column, field in rest.items() if field not in taken} | told

    return mapped


def refuse_unknown(table: Table, renamed: Iterable[str]) -> None:
    """Raise UsageError for a renamed column that the table has not; of JSON its columns are known once it was read."""
    unknown = next((column for column in renamed if column not in table.header), None)
    if unknown is not None:
        there, shown = listed(table.header), in_short(unknown)
        text = f"{table.source.path} has no column {shown!r}; its columns are {there}."
        raise UsageError("map_column", text, file=str(table.source.path), column=shown, columns=there)


def listed(columns: Iterable[str]) -> str:
    """Return columns as a message lists them: a file may have thousands, with names of thousands of letters.

    >>> listed(["编号", "", "问题"]), listed(str(number) for number in range(100))[-11:]
    ('编号, 问题', ' 38, 39, …')
    """
    names = [in_short(name) for name in columns if name]
    return ", ".join(names[:MOST_COLUMNS_TOLD]) + (", …" if len(names) > MOST_COLUMNS_TOLD else "")


def shown_columns(header: Iterable[str], mapping: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return every column with its field, '' where it has none."""
    return tuple((column, mapping.get(column, "")) for column in header)


_YES = frozenset({"1", "true", "yes", "y", "是", "启用", "active", "on"})
_NO = frozenset({"0", "false", "no", "n", "否", "停用", "inactive", "off"})


def read_flag(value: object) -> bool | None:
    """Return yes or no as people write it, None for an empty cell; raises ValueError for anything else."""
    if value is None or isinstance(value, bool):
        return value
    word = clean_cell(str(value)).casefold()
    if not word:
        return None
    if word in _YES or word in _NO:
        return word in _YES
    raise ValueError(f"{word!r} is neither yes nor no")
