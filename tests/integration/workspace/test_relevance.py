"""Whether answers belong to their questions: judged while they are cleaned, kept beside the result, looked up."""

import json
from pathlib import Path

import pytest

from answerwatch.domain.relevance import Fit
from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace, open_workspace

QUESTION = "适合三口之家的冰箱推荐哪个牌子"
FITS = "给三口之家选冰箱，推荐先看容积，再看牌子的售后，四百升左右就够了。"
STRANGE = "Rinse the lentils twice, boil them in salted water until soft and stir in lemon juice."
NAMED = "Huawei phones take sharp photos in dim light and charge quickly."


ASKED = [
    f"{need}的{subject}推荐哪个牌子"
    for subject in ("冰箱", "彩电", "空调", "烤箱", "台灯", "书桌", "沙发", "床垫", "雨伞", "皮鞋")
    for need in ("省电", "好看", "耐用", "便宜", "轻巧", "安静")
]


def asked_about_everything(ws: Workspace, folder: Path, *, strange: int = 0) -> str:
    """Import an answer to each of 60 questions, the first few of them about something else; return the batch."""
    about = [*ASKED[60 - strange :], *ASKED[strange:]]
    rows = [
        {"query_text": one, "raw_response": f"要买{other[:-6]}，先看做工和售后，{other[:-6]}不难挑。"}
        for one, other in zip(ASKED, about, strict=True)
    ]
    file = folder / "many.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    batch = ws.samples.import_file(file, brand="Huawei", platform="import/test", scene="RECOMMEND").batch_id
    assert batch is not None
    return batch


def imported(ws: Workspace, folder: Path, *answers: str) -> list[str]:
    """Import answers to the question and return their ids in order."""
    file = folder / "answers.jsonl"
    rows = [{"query_text": QUESTION, "raw_response": answer} for answer in answers]
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    ws.samples.import_file(file, brand="Huawei", platform="import/test", scene="RECOMMEND")
    return sorted(one.sub_task_id for one in ws.samples.list())


def test_an_answer_to_something_else_is_suspect_and_counts_as_valid(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("Huawei")
    fits, strange, named = imported(ws, tmp_path, FITS, STRANGE, NAMED)

    ws.cleaning.run()

    explained = ws.cleaning.explain(strange)
    assert explained.is_valid is True
    assert explained.relevance is not None
    assert explained.relevance.verdict is Fit.SUSPECT
    assert explained.relevance.scorer_id.startswith("lexical")
    assert explained.relevance.score == pytest.approx(0.0, abs=0.1)
    assert explained.relevance.rank is None
    assert ws.cleaning.explain(fits).relevance.verdict is Fit.RELEVANT  # type: ignore[union-attr]  # it was asked
    assert [one.sub_task_id for one in ws.samples.list(fit=Fit.SUSPECT)] == [strange]
    assert ws.cleaning.explain(named).relevance.verdict is Fit.RELEVANT  # type: ignore[union-attr]  # it was asked


def test_without_a_scorer_nobody_asks(made_home: Path, tmp_path: Path) -> None:
    with open_workspace(made_home, relevance_scorer="none") as ws:
        ws.brands.add("Huawei")
        (strange,) = imported(ws, tmp_path, STRANGE)
        ws.cleaning.run()
        assert ws.cleaning.explain(strange).relevance is None


def test_a_scorer_that_is_not_there_is_told_before_anything_is_cleaned(made_home: Path, tmp_path: Path) -> None:
    with open_workspace(made_home, relevance_scorer="nobody") as ws:
        ws.brands.add("Huawei")
        imported(ws, tmp_path, STRANGE)
        with pytest.raises(UsageError, match="nobody"):
            ws.cleaning.run()
        assert ws.cleaning.status().outstanding == 1


def test_thresholds_measured_here_hold_instead_of_those_for_everybody(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("Huawei")
    asked_about_everything(ws, tmp_path)
    ws.cleaning.run()

    found = ws.similarity.calibrate(purpose="relevance", scorer="lexical")

    assert (found.is_own, found.pairs) == (True, 60)
    assert found.irrelevant_below <= found.suspect_below
    lexical = [one for one in ws.similarity.calibrations() if one.scorer_name == "lexical"]
    mine = [one for one in lexical if one.purpose == "relevance"]
    assert [one.is_own for one in mine] == [True]
    assert mine[0].suspect_below == pytest.approx(found.suspect_below)


def test_a_calibration_needs_texts(ws: Workspace) -> None:
    with pytest.raises(UsageError, match="50 pairs"):
        ws.similarity.calibrate(purpose="relevance", scorer="lexical")
    with pytest.raises(UsageError, match="purpose"):
        ws.similarity.calibrate(purpose="truth", scorer="lexical")


def test_after_a_batch_answers_are_ranked_among_all_of_its_questions(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("Huawei")
    batch = asked_about_everything(ws, tmp_path, strange=2)
    ws.cleaning.run()
    before = ws.samples.list(batch=batch, valid=True, limit=100)

    found = ws.similarity.rank_answers(batch, scorer="lexical")

    assert (found.questions, found.relevant, found.suspect) == (60, 58, 2)
    suspects = ws.samples.list(batch=batch, fit=Fit.SUSPECT, limit=100)
    assert {ws.samples.show(one.sub_task_id).query_text for one in suspects} == set(ASKED[:2])
    explained = ws.cleaning.explain(suspects[0].sub_task_id)
    assert explained.relevance is not None
    assert (explained.relevance.questions, explained.is_valid) == (60, True)
    assert ws.samples.list(batch=batch, valid=True, limit=100) == before


def test_a_rank_needs_many_questions(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("Huawei")
    imported(ws, tmp_path, FITS)
    ws.cleaning.run()
    (sample,) = ws.samples.list()
    with pytest.raises(UsageError, match="50 different questions"):
        ws.similarity.rank_answers(sample.batch_id, scorer="lexical")


def test_near_duplicates_in_the_bank_are_found_within_their_scene(ws: Workspace) -> None:
    first = ws.questions.add("三口之家的冰箱推荐哪个牌子", scene="RECOMMEND").question_id
    later = ws.questions.add("请问三口之家的冰箱推荐哪个牌子？", scene="RECOMMEND").question_id
    ws.questions.add("三口之家的冰箱推荐哪个牌子。", scene="COMPARE")
    for number in (2, 3, 4, 5):
        ws.questions.add(f"{number}000元的手机哪个好", scene="RECOMMEND")

    found = ws.similarity.alike_questions(scorer="lexical")

    assert [(one.question_id, one.kept_id) for one in found.twins] == [(later, first)]
    assert (found.questions, found.is_doubtful) == (7, False)
    assert ws.similarity.alike_questions(scorer="lexical", above=0.999).twins == ()


def test_a_threshold_that_takes_a_third_of_the_bank_is_doubted(ws: Workspace) -> None:
    for text in ("老人的冰箱推荐", "老人的彩电推荐", "学生的电脑推荐"):
        ws.questions.add(text, scene="RECOMMEND")
    found = ws.similarity.alike_questions(scorer="lexical", above=0.0)
    assert found.is_doubtful
