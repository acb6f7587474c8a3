"""What holds for any text at all."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from answerwatch.reading import Answer, CleanedAnswer, Lexicon, clean, extract
from answerwatch.reading.fold import fold, squeeze

NAMES = {
    "甲": ["甲乙", "乙甲丙", "AB"],
    "乙": ["乙丙", "甲乙丙", "bc"],
    "丙": ["丙丙", "C-D", "x y"],
}
LEXICON = Lexicon.of(NAMES, exclude={"甲": ["甲乙丁"]})
MORE = Lexicon.of({**NAMES, "外": ["从不出现的名字"]}, exclude={"甲": ["甲乙丁"]})

PIECES = st.sampled_from(
    (
        *(
            "甲乙",
            "乙甲丙",
            "乙丙",
            "甲乙丙",
            "丙丙",
            "AB",
            "ab",
            "bc",
            "C-D",
            "x y",
            "甲乙丁",
            "推荐",
            "不推荐",
            "首选",
        ),
        *(
            "，",
            "。",
            "\n",
            "\n\n",
            "1. ",
            "2、",
            "- ",
            "# ",
            "| ",
            "|---|\n",
            "**",
            "`",
            "```\n",
            "<think>",
            "</think>",
        ),
        *("[1]", "](", "http://a.b/", "\u200b", "\ud800", "\x00", "😀", "它", "后者", " ", ">", "“", "”", "：", "\r\n"),
        *("&amp;", "ＡＢ", "Ａb"),
    )
)
ANY_TEXT = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(st.characters(), max_size=80))


def facts(cleaned: CleanedAnswer) -> object:
    """Return what was read, without what the lexicon alone decides."""
    reading = cleaned.reading
    return (cleaned.verdict, reading and (reading.brands, reading.matches, reading.pronouns, reading.citations))


@given(ANY_TEXT, st.sampled_from([None, "RECOMMEND", "COMPARE", "OTHER"]), st.sampled_from([None, "甲乙好吗", "推荐"]))
def test_any_text_is_read_and_every_position_is_exact(text: str, scene: str | None, question: str | None) -> None:
    cleaned = clean(text, scene=scene, question=question, lexicon=LEXICON)
    assert cleaned.is_valid == (cleaned.reading is not None) == (cleaned.invalid_reason is None)
    for match in cleaned.reading.matches if cleaned.reading else ():
        matched = text[match.match_position : match.end]
        assert len(matched) == match.match_length > 0
        assert squeeze(matched).text == squeeze(match.matched_alias).text


@given(ANY_TEXT)
def test_counts_agree_with_the_matches_and_never_overlap(text: str) -> None:
    reading = clean(text, scene="RECOMMEND", lexicon=LEXICON).reading
    if reading is None:
        return
    counted = [m for m in reading.matches if m.is_valid_match]
    assert all(one.end <= other.match_position for one, other in pairwise(counted))
    for brand in reading.brands:
        own = [m for m in counted if m.standard_name == brand.standard_name]
        assert (brand.mention_count, brand.is_mentioned) == (len(own), bool(own))
        assert brand.recommendation_rank is None or (brand.is_recommended and brand.recommendation_rank > 0)
    assert len({(m.standard_name, m.match_position) for m in reading.matches}) == len(reading.matches)


@given(st.lists(st.sampled_from("甲乙丙丁 "), max_size=14).map("".join))
def test_matching_equals_a_naive_reference(text: str) -> None:
    names = {"甲": ["甲乙", "乙甲丙"], "乙": ["乙丙", "甲乙丙", "丙丁"]}
    reading = clean(f"说说{text}啊啊啊", scene="OTHER", lexicon=Lexicon.of(names)).reading
    assert reading is not None
    found = [(m.match_position - 2, m.end - 2) for m in reading.matches if m.is_valid_match or m.reason == "straddled"]
    if any(m.reason == "straddled" for m in reading.matches):
        return
    assert found == naive(text, [alias for aliases in names.values() for alias in aliases])


def naive(text: str, aliases: list[str]) -> list[tuple[int, int]]:
    """Return leftmost, then longest occurrences, the slow and plain way."""
    spans, at = [], 0
    while at < len(text):
        here = [alias for alias in aliases if text.startswith(alias, at)]
        if here:
            spans.append((at, at + len(max(here, key=len))))
        at = spans[-1][1] if here else at + 1
    return spans


@given(ANY_TEXT)
def test_reading_is_deterministic_and_an_unrelated_brand_changes_nothing(text: str) -> None:
    once = clean(text, scene="RECOMMEND", lexicon=LEXICON)
    assert facts(once) == facts(clean(text, scene="RECOMMEND", lexicon=LEXICON))
    assert facts(once) == facts(clean(text, scene="RECOMMEND", lexicon=MORE))


@given(st.text(st.characters(), max_size=60))
def test_folding_is_idempotent_and_keeps_the_length(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


@given(ANY_TEXT, ANY_TEXT)
def test_two_answers_with_a_blank_line_between_keep_their_mentions(first: str, second: str) -> None:
    """Marks that stay open (a fence, a thought, a list of sources) may swallow what follows, so these are closed."""
    if any(mark in first + second for mark in ("`", "think>", "|")):
        return

    both = mentions(f"{first}\n\n{second}")

    if first.strip() and second.strip():
        assert {
            *mentions(first),
            *((name, start + len(first) + 2, size) for name, start, size in mentions(second)),
        } == {*both}


def mentions(text: str) -> set[tuple[str, int, int]]:
    reading = extract(Answer(text=text), LEXICON)
    return {(one.standard_name, one.match_position, one.match_length) for one in reading.matches if one.counts}
