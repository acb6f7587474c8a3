"""Answers: repeatable, varied, and with the planted brands."""

from collections import Counter

import pytest

from answerwatch.simulator.answers import Answer, Prompt, answer_language, compose
from answerwatch.simulator.dice import Dice
from answerwatch.simulator.settings import BrandOdds, Language, Settings
from answerwatch.simulator.texts_en import EN
from answerwatch.simulator.texts_zh import ZH


def answer(question: str, turn: int, settings: Settings, profile: str = "p") -> Answer:
    return compose(
        Prompt(
            1, profile, question, answer_language(settings, question), settings, Dice(f"{profile}|{question}|{turn}")
        )
    )


def test_equal_dice_give_the_equal_answer_and_others_another() -> None:
    settings = Settings()
    assert answer("哪家咖啡好", 1, settings) == answer("哪家咖啡好", 1, settings)
    assert len({answer("哪家咖啡好", turn, settings).text for turn in range(30)}) > 25


@pytest.mark.parametrize("question", ["推荐一家咖啡店", "Which robot vacuum should I buy?"])
def test_every_brand_that_is_said_to_be_named_stands_in_the_text(question: str) -> None:
    for turn in range(200):
        composed = answer(question, turn, Settings(sources_share=0.5))
        assert all(brand in composed.text for brand in composed.brands)


@pytest.mark.parametrize(("question", "book"), [("咖啡", ZH), ("coffee", EN)])
def test_no_brand_stands_in_the_text_unsaid(question: str, book: object) -> None:
    brands = (ZH if book is ZH else EN).topics["coffee"].brands
    for turn in range(200):
        composed = answer(question, turn, Settings())
        assert {brand for brand in brands if brand in composed.text} == set(composed.brands)


def test_planted_probabilities_come_out() -> None:
    odds = (BrandOdds("Aaa", 0.9), BrandOdds("Bbb", 0.3), BrandOdds("Ccc", 0.05), BrandOdds("Ddd", 0.0))
    settings = Settings(brands={Language.EN: odds}, question_spread=0.2)
    draws = 4000
    counts = Counter(
        brand for number in range(draws) for brand in answer(f"question {number // 4}", number, settings).brands
    )
    assert counts["Aaa"] / draws == pytest.approx(0.9, abs=0.03)
    assert counts["Bbb"] / draws == pytest.approx(0.3, abs=0.03)
    assert counts["Ccc"] / draws == pytest.approx(0.05, abs=0.015)
    assert "Ddd" not in counts


def test_profiles_differ_in_their_brands() -> None:
    shares = []
    for profile in ("deepseek", "kimi"):
        named = [answer("best coffee", turn, Settings(), profile).brands for turn in range(400)]
        shares.append(Counter(brand for brands in named for brand in brands))
    assert any(abs(shares[0][brand] - shares[1][brand]) > 40 for brand in shares[0])


def test_markers_stand_where_the_citations_say() -> None:
    composed = compose(Prompt(1, "p", "手机推荐", Language.ZH, Settings(), Dice("x")), cite=True)
    assert composed.citations
    for number, citation in enumerate(composed.citations, 1):
        assert composed.text[citation.start : citation.end] == f"[{number}]"


def test_a_language_can_be_forced() -> None:
    composed = answer("best coffee", 1, Settings(language=Language.ZH))
    assert any(opening in composed.text for opening in ZH.openings) or composed.text in ZH.nameless


def test_no_brands_in_the_script_gives_a_nameless_answer() -> None:
    composed = answer("best coffee", 1, Settings(brands={Language.EN: ()}))
    assert composed.text in EN.nameless
    assert composed.brands == ()
