"""What the difference of two lexicons says: an answer that it does not touch is read alike by both."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerwatch.domain.brands import Alias, Brand, LexiconVersion, MatchMode, Rule, RuleKind
from answerwatch.reading import Answer, Difference, Lexicon, clean
from tests.property.reading.test_reader import ANY_TEXT

BRANDS = ["华为", "苹果", "Target"]
NAMES = st.sampled_from(["华为", "菊厂", "HUAWEI", "苹果", "Target"])
PHRASES = st.sampled_from(["华为云", "手机", "苹果汁"])
DOMAINS = st.sampled_from([(), ("huawei.example",)])
RULES = st.builds(
    Rule,
    kind=st.sampled_from(RuleKind),
    pattern=PHRASES,
    alias=st.none() | NAMES,
    window=st.sampled_from([None, 2]),
    is_active=st.booleans(),
)
PIECES = st.sampled_from(
    (
        *("华为", "華\u200b為", "菊厂", "huawei", "HUAWEI", "苹果", "target", "Target", "华为云", "手机", "苹果汁"),
        *("推荐", "不推荐", "它", "，", "。", "\n", "1. ", " ", "没有关于", "的信息", "https://huawei.example/x "),
    )
)
TEXTS = st.lists(PIECES, min_size=2, max_size=8).map("".join) | ANY_TEXT
ALIASES = st.lists(
    st.builds(Alias, text=NAMES, match_mode=st.sampled_from(MatchMode), is_active=st.sampled_from([True, True, False])),
    max_size=3,
    unique_by=lambda one: one.text,
).map(tuple)


@st.composite
def edits(draw: st.DrawFn) -> tuple[Lexicon, Lexicon]:
    """A lexicon, and what one edit makes of it; names and phrases may be those of several brands."""
    old = [
        Brand(
            brand_id=name,
            standard_name=name,
            aliases=draw(ALIASES),
            rules=tuple(draw(st.lists(RULES, max_size=1))),
            domains=draw(DOMAINS),
        )
        for name in BRANDS
    ]
    place = draw(st.integers(0, len(old) - 1))
    here = old[place]
    wanted = draw(
        st.one_of(
            ALIASES.map(lambda aliases: [replace(here, aliases=aliases)]),
            RULES.map(lambda rule: [replace(here, rules=(rule,))]),
            DOMAINS.map(lambda domains: [replace(here, domains=domains)]),
            st.sampled_from([[], [replace(here, is_active=False)], [here, replace(here, standard_name="更多")]]),
        )
    )
    new = [*old[:place], *wanted, *old[place + 1 :]]
    return lexicon(old), lexicon(draw(st.sampled_from([new, new[::-1]])))


def lexicon(tracked: Sequence[Brand]) -> Lexicon:
    return Lexicon.compile(LexiconVersion(version=0, content_hash="", brands=tuple(tracked)))


def facts(answer: Answer, used: Lexicon, focal: str) -> object:
    """Return all that is stored of a reading."""
    cleaned = clean(answer, lexicon=used)
    reading = cleaned.reading
    found = reading and (reading.of(focal), reading.brands, reading.traces, reading.citations, reading.has_citation)
    return cleaned.verdict, focal in used.brands, found


@settings(max_examples=400)
@given(edits(), TEXTS, st.sampled_from(BRANDS), st.sampled_from([None, "RECOMMEND"]))
def test_what_it_does_not_touch_is_read_alike(
    edit: tuple[Lexicon, Lexicon], text: str, focal: str, scene: str | None
) -> None:
    answer = Answer(text=text, question="苹果手机好吗", scene=scene)
    if not Difference.between(*edit).touches(text, focal):
        assert facts(answer, edit[0], focal) == facts(answer, edit[1], focal)


def brand(*names: str, name: str = "甲", domains: Sequence[str] = (), rules: Sequence[Rule] = ()) -> Brand:
    aliases = tuple(Alias(text=one) for one in names)
    return Brand(brand_id=name, standard_name=name, aliases=aliases, rules=tuple(rules), domains=tuple(domains))


PLAIN = brand("砚山咖啡")
REQUIRED = Rule(kind=RuleKind.REQUIRE, pattern="门店")


@pytest.mark.parametrize(
    ("new", "text", "touched"),
    [
        (PLAIN, "砚山咖啡", False),
        (brand("砚山咖啡", "老砚家"), "砚山咖啡很好", False),
        (brand("砚山咖啡", "老砚家"), "老硯\u200b家很好", True),
        (brand("砚山咖啡", "老砚家"), "老**砚**家", True),
        (brand("砚山咖啡", rules=[REQUIRED]), "砚山咖啡", True),
        (brand("砚山咖啡", rules=[replace(REQUIRED, is_active=False)]), "砚山咖啡的门店", False),
        (brand("砚山咖啡", domains=["yanshan.example"]), "砚山咖啡", True),
        (brand("砚山咖啡", domains=["yanshan.example"]), "https://yanshan.example/", False),
        (replace(PLAIN, is_active=False), "霁白咖啡", False),
        (replace(PLAIN, is_active=False), "砚山咖啡", True),
    ],
)
def test_it_touches_the_texts_in_which_something_stands_that_changed(new: Brand, text: str, *, touched: bool) -> None:
    assert Difference.between(lexicon([PLAIN]), lexicon([new])).touches(text, "乙") is touched


def test_it_touches_every_answer_about_a_brand_that_came_or_went() -> None:
    difference = Difference.between(lexicon([PLAIN]), lexicon([PLAIN, brand("霁白咖啡", name="乙")]))

    assert difference.touches("什么都没有", "乙")
    assert not difference.touches("什么都没有", "甲")


def test_it_touches_a_name_whose_owners_change_places() -> None:
    both = [brand("咖啡", name="甲"), brand("咖啡", name="乙")]

    assert Difference.between(lexicon(both), lexicon(both[::-1])).touches("咖啡", "甲")
