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
