"""Names in stored answers that no brand covers, and what becomes of them."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import update

from answerwatch.errors import UsageError
from answerwatch.store.bank import name_candidates
from answerwatch.store.ops import shared_numbers
from answerwatch.store.schema.sample import answer_sample
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.brands import suggesting
from answerwatch.workspace.brands.suggesting import MARK
from tests.databases import on_every_database

pytestmark = on_every_database

FIRST = (
    "推荐这几个品牌：\n1. **索菲亚**：柜类见长，索菲亚的门店多。\n2. **志邦家居**：橱柜好。\n3. **华为**：智能家居。"
)
SECOND = "可以考虑：\n1. 索菲亚：环保好。\n2. 索菲亚木门：一站购齐。"

Answer = Callable[..., None]


@pytest.fixture
def answered(ws: Workspace, tmp_path: Path) -> Answer:
    """Store answers as valid ones, as cleaning does."""
    ws.brands.add("华为", aliases=["HUAWEI"])

    def store(*answers: str, platform: str = "kimi", valid: int | None = 1) -> None:
        file = tmp_path / "answers.jsonl"
        rows = [{"question": "哪个品牌好", "answer": answer, "platform": platform} for answer in answers]
        file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
        batch = ws.samples.import_file(file).batch_id
        with ws.store.writing() as tx:
            tx.run(update(answer_sample).where(answer_sample.c.batch_id == batch).values(is_valid=valid))

    return store


def found(ws: Workspace) -> list[str]:
    return [one.name for one in ws.suggestions.find().names]


def test_names_that_no_brand_covers_are_ranked_and_told_with_their_places(ws: Workspace, answered: Answer) -> None:
    answered(FIRST)
    answered(SECOND, platform="deepseek")

    suggested = ws.suggestions.find()

    assert [one.name for one in suggested.names] == ["索菲亚", "志邦家居"]
    best = suggested.names[0]
    assert (best.answers, best.platforms, best.also) == (
        2,
        {"kimi-import": 1, "deepseek-import": 1},
        ("索菲亚木门",),
    )
    assert {(one.position, one.length) for one in best.examples} == {(14, 3), (9, 3)}
    assert all("索菲亚" in one.excerpt and "\n" not in one.excerpt for one in best.examples)
    assert (suggested.looked, suggested.left) == (2, 0)


def test_only_answers_that_are_new_are_looked_at(ws: Workspace, answered: Answer) -> None:
    answered(FIRST)
    assert ws.suggestions.find().looked == 1

    again = ws.suggestions.find()
    answered(SECOND)
    grown = ws.suggestions.find()

    assert (again.looked, again.names[0].answers) == (0, 1)
    assert (grown.looked, grown.names[0].answers) == (1, 2)


def test_what_is_not_cleaned_or_no_answer_is_left_until_it_is_one(ws: Workspace, answered: Answer) -> None:
    answered(FIRST, valid=None)
    answered(SECOND, valid=0)

    before = ws.suggestions.find()
    with ws.store.writing() as tx:
        tx.run(update(answer_sample).values(is_valid=1))
    after = ws.suggestions.find()

    assert (before.looked, before.left, before.names) == (0, 2, ())
    assert (after.looked, after.left) == (2, 0)


def test_a_promoted_name_is_a_brand_and_goes_with_all_longer_ones(ws: Workspace, answered: Answer) -> None:
    answered(FIRST, SECOND)
    ws.suggestions.find()

    change = ws.suggestions.promote("索菲亚", note="asked for")

    assert (change.brand.standard_name, change.changed) == ("索菲亚", True)
    assert ws.brands.versions()[0].note == "add 索菲亚: asked for"
    assert found(ws) == ["志邦家居"]


def test_a_promoted_name_may_be_one_of_a_brand_with_another_name(ws: Workspace, answered: Answer) -> None:
    answered(FIRST)
    ws.suggestions.find()

    brand = ws.suggestions.promote("志邦家居", brand_name="志邦").brand

    assert (brand.standard_name, {alias.text for alias in brand.aliases}) == ("志邦", {"志邦", "志邦家居"})


def test_a_merged_name_is_one_more_of_its_brand_and_comes_back_when_it_is_taken_away(
    ws: Workspace, answered: Answer
) -> None:
    answered(FIRST)
    ws.suggestions.find()

    ws.suggestions.merge("索菲亚", "HUAWEI")
    merged = found(ws)
    ws.brands.remove_alias("华为", "索菲亚")

    assert merged == ["志邦家居"]
    assert found(ws) == ["索菲亚", "志邦家居"]


def test_an_ignored_name_is_suggested_no_more_until_it_is_restored(ws: Workspace, answered: Answer) -> None:
    answered(FIRST)
    ws.suggestions.find()

    assert ws.suggestions.ignore(["索菲亚", "志邦家居"], note="not ours") == 2
    assert ws.suggestions.ignore(["索菲亚"]) == 0
    answered(SECOND.replace("索菲亚木门", "好莱客"))
    assert found(ws) == ["好莱客"]
    assert {(one.name, one.note) for one in ws.suggestions.ignored()} == {
        ("索菲亚", "not ours"),
        ("志邦家居", "not ours"),
    }
    assert all(one.ignored_by == ws.settings.actor for one in ws.suggestions.ignored())

    ws.suggestions.restore("索菲亚")

    assert found(ws) == ["索菲亚", "好莱客"]
    with pytest.raises(UsageError, match="not ignored"):
        ws.suggestions.restore("索菲亚")


def test_nothing_is_decided_about_a_name_that_no_answer_has(ws: Workspace, answered: Answer) -> None:
    answered(FIRST)
    ws.suggestions.find()

    with pytest.raises(UsageError, match="索菲娅"):
        ws.suggestions.ignore(["志邦家居", "索菲娅"])
    with pytest.raises(UsageError, match="brands add"):
        ws.suggestions.promote("索菲娅")

    assert ws.suggestions.ignored() == ()
    assert ws.brands.newest().version == 1


def test_a_search_that_is_stopped_keeps_what_it_has_and_goes_on_later(
    ws: Workspace, answered: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggesting, "PAGE", 1)
    answered(FIRST, SECOND, SECOND + "\n3. 好莱客")
    stop, told = Event(), []

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        stop.set()

    first = ws.suggestions.find(progress=progress, stop=stop)
    second = ws.suggestions.find()

    assert told == [(1, 3)]
    assert (first.looked, first.left) == (1, 2)
    assert (second.looked, second.left) == (2, 0)
    assert {one.name: one.answers for one in second.names} == {"索菲亚": 3, "志邦家居": 1, "好莱客": 1}


def test_two_searches_at_once_count_every_answer_once(ws: Workspace, answered: Answer, made_home: Path) -> None:
    answered(FIRST, SECOND)
    with open_workspace(made_home) as other:
        with other.store.reading() as read:
            ids = name_candidates.waiting(read, "", 10)
            answers = name_candidates.unread(read, ids)
        seen = suggesting._candidates(answers, other.brands.lexicon())  # noqa: SLF001 - stands still where the other goes on
        assert ws.suggestions.find().looked == 2

        assert suggesting._keep(other.store, seen) == 0  # noqa: SLF001 - as above

    assert ws.suggestions.find().names[0].answers == 2


def test_answers_are_looked_at_anew_by_new_rules_and_decisions_stay(ws: Workspace, answered: Answer) -> None:
    answered(FIRST)
    ws.suggestions.find()
    ws.suggestions.ignore(["志邦家居"])
    with ws.store.writing() as tx:
        shared_numbers.move(tx, MARK, 0)

    again = ws.suggestions.find()

    assert again.looked == 1
    assert [(one.name, one.answers) for one in again.names] == [("索菲亚", 1)]
