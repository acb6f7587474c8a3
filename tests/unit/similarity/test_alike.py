"""Near duplicates: what says the same, and what a score cannot see."""

import numpy as np
import pytest

from answerwatch.similarity.alike import Differs, Twin, differences, twins
from answerwatch.similarity.lexical import Lexical
from answerwatch.similarity.matrix import score_matrix
from answerwatch.similarity.measured import MEASURED, SAMENESS
from answerwatch.similarity.rewording import rewordings

LEAST = MEASURED[SAMENESS, Lexical().facts.scorer_id].suspect_below


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("两千元以内的手机推荐", "三千元以内的手机推荐", {Differs.NUMBER}),
        ("2000元的手机", "２０００元的手机", set()),
        ("手机买华为行吗", "手机不买华为行吗", {Differs.NEGATION}),
        ("无线耳机哪个牌子好", "蓝牙耳机哪个牌子好", set()),
        ("which phone has no bloatware", "which phone has bloatware", {Differs.NEGATION}),
        ("best 3 phones without notch", "best 5 phones", {Differs.NUMBER, Differs.NEGATION}),
        ("价格差别大吗", "价格大吗", set()),
    ],
)
def test_numbers_and_denials_are_compared(one: str, other: str, found: set[Differs]) -> None:
    assert differences(one, other) == found
    assert differences(other, one) == found


def test_a_text_joins_the_earlier_one_that_it_is_most_like() -> None:
    scores = np.array([[1, 0.5, 0.9], [0.5, 1, 0.95], [0.9, 0.95, 1]], dtype=np.float32)
    assert twins(scores, 0.9, ["a", "b", "c"]) == [Twin(2, 1, float(scores[2, 1]))]


def test_nobody_joins_by_way_of_a_third() -> None:
    scores = np.array([[1, 0.9, 0.5], [0.9, 1, 0.9], [0.5, 0.9, 1]], dtype=np.float32)
    assert [(one.place, one.kept) for one in twins(scores, 0.9, ["a", "b", "c"])] == [(1, 0)]


def test_questions_in_other_words_are_twins_and_other_questions_are_not() -> None:
    texts = [
        "三口之家的冰箱推荐哪个牌子",
        "请问三口之家的冰箱推荐哪个牌子？",
        "三口之家的洗衣机推荐哪个牌子",
        "2000元的手机哪个好",
        "3000元的手机哪个好",
    ]
    assert [(one.place, one.kept) for one in twins(score_matrix(texts), LEAST, texts)] == [(1, 0)]


@pytest.mark.parametrize("question", ["手机推荐哪个牌子？", "Which phone is the best?", "怎么退货", "？"])
def test_rewordings_are_other_texts_and_each_comes_once(question: str) -> None:
    found = rewordings(question)
    assert question not in found
    assert len(set(found)) == len(found)
    assert all(one.strip() for one in found)
