"""Whatever is changed in the lexicon, a redo stores what reading every answer again stores, row by row."""

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Table, select

from answerwatch.domain.brands import MatchMode, RuleKind
from answerwatch.errors import UsageError
from answerwatch.store.schema import (
    answer_sample,
    brand_result,
    citation,
    clean_result,
    clean_state,
    entity_match_detail,
)
from answerwatch.workspace import Workspace, open_workspace

ANSWERS = [
    "推荐：\n1. 华为手机，拍照好\n2. 小米，便宜\n3. 苹果",
    "菊厂的手机值得买，華為云也不错。它续航好。",
    "小米粥配苹果汁，早餐首选。",
    "HUA**WEI** is the best phone, target price 300.",
    "Target 和米家都行，后者更好。",
    "没有关于米家的信息。",
    "来源：https://huawei.example/a 和 https://mi.example/b ，推荐华为。",
    "抱歉，我无法回答这个问题。",
    "",
]
BRANDS = st.sampled_from(["华为", "小米", "苹果", "Target", "新牌"])
NAMES = st.sampled_from(["华为", "菊厂", "HUAWEI", "小米", "米家", "苹果", "Target", "手机", "新牌"])
PHRASES = st.sampled_from(["华为云", "小米粥", "苹果汁", "手机", "便宜"])
Edit = Callable[[Workspace], object]
EDITS: st.SearchStrategy[Edit] = st.one_of(
    st.builds(lambda name: lambda ws: ws.brands.add(name, force=True), BRANDS),
    st.builds(
        lambda brand, name, mode: lambda ws: ws.brands.add_alias(brand, name, match_mode=mode, force=True),
        *(BRANDS, NAMES, st.sampled_from(MatchMode)),
    ),
    st.builds(
        lambda brand, name: lambda ws: ws.brands.add_alias(brand, name, is_active=False, force=True), BRANDS, NAMES
    ),
    st.builds(lambda brand, name: lambda ws: ws.brands.remove_alias(brand, name, force=True), BRANDS, NAMES),
    st.builds(
        lambda brand, phrase, kind: lambda ws: ws.brands.add_rule(brand, phrase, kind=kind, window=4, force=True),
        *(BRANDS, PHRASES, st.sampled_from(RuleKind)),
    ),
    st.builds(
        lambda brand, phrase, kind: lambda ws: ws.brands.remove_rule(brand, phrase, kind=kind, force=True),
        *(BRANDS, PHRASES, st.sampled_from(RuleKind)),
    ),
    st.builds(
        lambda brand, domains: lambda ws: ws.brands.edit(brand, domains=domains, force=True),
        *(BRANDS, st.sampled_from([(), ("huawei.example",), ("mi.example",)])),
    ),
    st.builds(lambda brand, used: lambda ws: ws.brands.edit(brand, is_active=used, force=True), BRANDS, st.booleans()),
)


@pytest.fixture(scope="module")
def cleaned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose answers, about two focal brands and none, are cleaned."""
    folder = tmp_path_factory.mktemp("redo")
    with open_workspace(folder / "ws") as ws:
        ws.init()
        ws.brands.add("华为", aliases=["HUAWEI"], domains=["huawei.example"])
        ws.brands.add("小米", force=True)
        for focal in ("华为", "小米", None):
            rows = [{"question": f"q{n} {focal}", "platform": "kimi", "answer": text} for n, text in enumerate(ANSWERS)]
            file = folder / f"{focal}.jsonl"
            file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
            ws.samples.import_file(file, scene="RECOMMEND", brand=focal)
        ws.cleaning.run()
    return folder / "ws"


OF_ONE_GENERATION = {"clean_task_id", "generation", "cleaned_at", "created_at", "match_id", "citation_id"}


def stored(ws: Workspace, table: Table, generation: int | None = None) -> list[Any]:
    """Return the rows of a table without what tells generations apart."""
    query = select(table)
    if generation is not None:
        ids = select(clean_state.c.clean_task_id).where(clean_state.c.generation == generation)
        query = query.where(table.c.clean_task_id.in_(ids))
    with ws.store.reading() as read:
        found = [row._asdict() for row in read.all(query)]
    for row in found:
        row["task"] = str(row.get("clean_task_id", "")).rpartition("_G")[0]
    return sorted(
        tuple(sorted((name, str(row[name])) for name in row if name not in OF_ONE_GENERATION)) for row in found
    )


@settings(max_examples=12)
@given(edits=st.lists(st.lists(EDITS, min_size=1, max_size=3), min_size=1, max_size=3))
def test_a_redo_stores_what_a_forced_one_does(cleaned: Path, edits: list[list[Edit]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(cleaned, Path(folder) / "ws")
        with open_workspace(Path(folder) / "ws") as ws:
            last = 0
            for together in edits:
                for edit in together:
                    with suppress(UsageError):  # a change that is refused is no change
                        edit(ws)
                last = ws.cleaning.redo(everything=True).generation
            found = [stored(ws, table, last) for table in (clean_result, brand_result, entity_match_detail)]
            found += [stored(ws, table) for table in (answer_sample, citation)]

            read = ws.cleaning.redo(everything=True, force=True).generation

            assert found[:3] == [stored(ws, table, read) for table in (clean_result, brand_result, entity_match_detail)]
            assert found[3:] == [stored(ws, table) for table in (answer_sample, citation)]
