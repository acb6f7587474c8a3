"""Texts that are made to be slow are read to their end; how fast is measured in `benchmarks/hostile_answers.py`."""

import pytest

from answerwatch.reading import Answer, CleanedAnswer, Lexicon, clean, extract
from benchmarks.hostile_texts import HOSTILE, nested_list

LEXICON = Lexicon.of({"华为": ["华为", "HUAWEI"], "小米": ["小米"], "苹果": ["苹果", "Apple"]})


def read(text: str) -> CleanedAnswer:
    return clean(text, lexicon=LEXICON, question="推荐什么手机", scene="RECOMMEND")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_read_to_its_end(name: str) -> None:
    """Whether it is an answer or not: most of these say one thing over and over, which by itself is none."""
    text = HOSTILE[name](20_000)

    cleaned = read(text)
    assert cleaned.is_valid == (cleaned.reading is not None) == (cleaned.invalid_reason is None)
    reading = extract(Answer(text=text, question="推荐什么手机", scene="RECOMMEND"), LEXICON)

    assert max((match.end for match in reading.matches), default=0) <= len(text)


def test_every_one_of_a_hundred_thousand_names_is_counted() -> None:
    brand = read("可以看看这些：\n" + "".join(f"华为第{number}款，" for number in range(100_000))).of("华为")

    assert brand is not None
    assert brand.mention_count == 100_000


def test_ten_megabytes_of_stars_are_no_answer() -> None:
    assert not read("**" * 5_000_000).is_valid


def test_lists_a_thousand_deep_are_read() -> None:
    brand = read("可以看看这些：\n" + nested_list(1_000)).of("华为")

    assert brand is not None
    assert brand.mention_count == 1_000
