"""When an id is taken for another one, and a text for a rewording of another."""

import pytest

from answerwatch.domain.questions import UNRELATED_BELOW, id_key, likeness


@pytest.mark.parametrize(("one", "other"), [("q1", "Q1"), ("Ｑ１", "q1"), ("é-1", "É-1")])
def test_ids_that_differ_by_case_or_width_alone_are_alike(one: str, other: str) -> None:
    assert id_key(one) == id_key(other)


def test_other_ids_are_not() -> None:
    assert len({id_key(one) for one in ("Q1", "Q-1", "Q01", "问1")}) == 4


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("手机哪个好", "哪款手机好"),
        ("3000元手机推荐", "5000元以内有什么手机推荐"),
        ("Best coffee chains?", "Which are the best cheap coffee chains in 2026?"),
        ("iPhone 17 值得买吗", "iPhone 18 值得买吗"),
        ("好", "好！"),
    ],
)
def test_a_rewording_is_known_for_one(before: str, after: str) -> None:
    assert likeness(before, after) == likeness(after, before) >= UNRELATED_BELOW


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("手机哪个好", "扫地机器人有什么缺点"),
        ("Best coffee chains?", "How long does a vacuum robot last"),
        ("手机哪个好", "Which phone is good"),
        ("？！", "手机"),
    ],
)
def test_another_question_is_none(before: str, after: str) -> None:
    assert likeness(before, after) < UNRELATED_BELOW
