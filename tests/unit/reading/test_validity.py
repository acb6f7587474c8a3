"""What is an answer: the traps B26 to B34 and the public reports on false answers."""

import pytest

from answerwatch.domain.clean_states import InvalidReason
from answerwatch.domain.relevance import Relevance, Thresholds
from answerwatch.reading import Answer, Lexicon, clean, validate
from answerwatch.reading.phrases import NOTICES

LEXICON = Lexicon.of({"A牌": ["A牌"], "华为": ["华为"], "小米": ["小米"], "Sony": ["Sony"]})
LONG = "不同的行业、预算、规模和部署方式都会影响最后的判断，市场信息也在不断变化，结论需要结合实际情况看待。"


def reason(text: str, **about: object) -> InvalidReason | None:
    """Return why a text is no answer; None where it is one."""
    answer = Answer(text=text, question="手机推荐哪个品牌", scene="RECOMMEND", **about)  # type: ignore[arg-type] # spread
    return validate(answer, LEXICON).invalid_reason


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("首推小米14 Ultra。", id="B26-short-answer"),
        pytest.param("常有人被回“暂时无法回答”，其实可选A牌。", id="B29-quoted-refusal"),
        pytest.param("我无法提供实时价格，但可以推荐几款：\n1. 华为\n2. 小米", id="B29-partial-refusal"),
        pytest.param("I can't give live prices, but I'd go with Sony.", id="B29-partial-refusal-english"),
        pytest.param("如果你问我会不会推荐华为，答案是：不会。", id="question-inside"),
        pytest.param(
            "A牌的客服有时会回复“系统繁忙，请稍后再试”，除此之外表现不错，推荐A牌。", id="rep-gateway-control"
        ),
        pytest.param("小米手机不能无线充电，华为可以，建议选华为。", id="inability-of-a-product"),
        pytest.param("预算有限就买小米。您的预算大概是多少呢？", id="asks-after-answering"),
        pytest.param(LONG * 12 + "以上信息我无法保证完全准确。", id="long-with-disclaimer"),
        pytest.param('{"brand": "小米", "rank": 1}', id="json-answer"),
    ],
)
def test_valid(text: str) -> None:
    assert reason(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", InvalidReason.EMPTY, id="nothing"),
        pytest.param(" \n\u3000\u200b" * 10, InvalidReason.EMPTY, id="B27-blanks"),
        pytest.param("null", InvalidReason.EMPTY, id="null"),
        pytest.param("***\n\n---", InvalidReason.EMPTY, id="only-marks"),
        pytest.param(LONG * 2 + "很抱歉，我无法就该问题提供任何推荐。", InvalidReason.REFUSED, id="B28-late"),
        pytest.param("作为AI语言模型，我不能推荐任何品牌。", InvalidReason.REFUSED, id="B28-as-a-model"),
        pytest.param("这个问题我暂时无法回答，让我们换个话题再聊聊吧。", InvalidReason.REFUSED, id="filter-text"),
        pytest.param("I'm sorry, but I can't help with that.", InvalidReason.REFUSED, id="B30-english"),
        pytest.param(
            "As an AI, I don't have personal preferences and cannot recommend a brand.",
            InvalidReason.REFUSED,
            id="B30-as-an-ai",
        ),
        pytest.param(
            "关于“2000元手机推荐哪个品牌”，我不便评价。", InvalidReason.REFUSED, id="B32-repeats-the-question"
        ),
        pytest.param("目前暂无该品牌的公开信息，无法为您准确解答。", InvalidReason.REFUSED, id="no-subject"),
        pytest.param("抱歉，我無法推薦任何品牌。", InvalidReason.REFUSED, id="traditional"),
        pytest.param('{"error": {"message": "overloaded", "code": 529}}', InvalidReason.ERROR, id="B30-error-object"),
        pytest.param("<!DOCTYPE html><html><head><title>502</title></head></html>", InvalidReason.ERROR, id="B30-page"),
        pytest.param("服务器繁忙，请稍后再试。", InvalidReason.ERROR, id="B30-busy"),
        pytest.param("\ufffd\ufffd\ufffd\ufffd手\ufffd", InvalidReason.GARBLED, id="replacement-characters"),
        pytest.param("å\x8d\x8eä¸ºæ\x89\x8bæ\x9cºå¾\x88å¥½", InvalidReason.GARBLED, id="mojibake"),
        pytest.param("推荐" * 40, InvalidReason.GARBLED, id="loop"),
        pytest.param("Are you looking for an indoor ball, or an outdoor one?", InvalidReason.NO_ANSWER, id="asks-back"),
        pytest.param("请问您的预算是多少？", InvalidReason.NO_ANSWER, id="asks-back-chinese"),
        pytest.param("好的，正在为您查询，请稍等。", InvalidReason.NO_ANSWER, id="promise"),
        pytest.param(
            "Here are some of the best phones:\n\nFeel free to ask!", InvalidReason.NO_ANSWER, id="announces-only"
        ),
    ],
)
def test_not_valid(text: str, expected: InvalidReason) -> None:
    assert reason(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[Gateway] Upstream returned an empty response. Please retry.",
        "【系统提示】上游模型繁忙，请稍后再试。",
        "Error: no healthy upstream",
        "当前分组上游负载已饱和，请稍后再试",
    ],
)
def test_rep_gateway_fake_answer(text: str) -> None:
    cleaned = clean(text, question="手机推荐哪个品牌", scene="RECOMMEND", lexicon=LEXICON)
    assert cleaned.invalid_reason is InvalidReason.ERROR
    assert cleaned.reading is None


@pytest.mark.parametrize(
    ("start", "beside", "expected"),
    [
        pytest.param("服务器繁忙。", 0, InvalidReason.ERROR, id="as-long-as-a-notice"),
        pytest.param("服务器繁忙。", 1, None, id="longer"),
        pytest.param("客服常说“服务器繁忙”。", 0, None, id="quoted"),
        pytest.param("服务器繁忙时推荐华为。", 0, None, id="with-advice"),
    ],
)
def test_a_notice_is_short_unquoted_and_without_advice(start: str, beside: int, expected: InvalidReason | None) -> None:
    (notice,) = (one for one in NOTICES if one.reason is InvalidReason.ERROR)
    filling = (LONG * 9)[: notice.longest - len(start) + beside]

    assert reason(start + filling) is expected


def test_what_the_platform_says_counts() -> None:
    assert reason("推荐华为。", filtered=True) is InvalidReason.FILTERED
    assert reason("推荐华为。", finish_reason="content_filter") is InvalidReason.FILTERED
    assert reason("推荐华为。", finish_reason="Content_Filter") is InvalidReason.FILTERED
    assert reason("", finish_reason="length") is InvalidReason.NO_ANSWER


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer(text="推荐华为。"), False),
        (Answer(text="推荐华为。", truncated=True), True),
        (Answer(text="推荐华为。", finish_reason="length"), True),
        (Answer(text="推荐华为。", finish_reason="MODEL_LENGTH"), True),
        (Answer(text="推荐华为。理由有三：第一，"), True),
        (Answer(text="推荐如下。\n- 华为\n- 小米"), False),
    ],
)
def test_truncated_is_a_flag_of_valid_answers(answer: Answer, *, expected: bool) -> None:
    verdict = validate(answer, LEXICON)
    assert (verdict.is_valid, verdict.truncated) == (True, expected)


RECIPE = Answer(text="红烧肉的做法：五花肉切块焯水，冰糖炒出糖色，小火炖一小时。", question="冰箱推荐哪个牌子")


@pytest.mark.parametrize(
    ("score", "strict", "valid", "suspect"),
    [
        (0.9, 0.2, True, False),
        (0.25, 0.2, True, True),
        (0.05, 0.2, False, False),
        (0.05, None, True, True),
        (None, 0.2, True, False),
    ],
)
def test_irrelevant_is_what_lies_below_the_thresholds_of_the_scorer(
    score: float | None, strict: float | None, *, valid: bool, suspect: bool
) -> None:
    verdict = validate(RECIPE, LEXICON, Relevance(score, Thresholds(0.35, strict)))
    assert (verdict.is_valid, verdict.suspect) == (valid, suspect)
    assert verdict.invalid_reason is (None if valid else InvalidReason.IRRELEVANT)


def test_without_a_scorer_or_its_thresholds_nothing_is_irrelevant() -> None:
    for relevance in (None, Relevance(0.0, None)):
        verdict = validate(RECIPE, LEXICON, relevance)
        assert verdict.is_valid
        assert not verdict.suspect


def test_an_answer_that_names_a_tracked_brand_is_no_suspect() -> None:
    verdict = validate(Answer(text="推荐华为。"), LEXICON, Relevance(0.0, Thresholds(0.35, 0.2)))
    assert verdict.is_valid
    assert not verdict.suspect


def test_b33_not_valid_means_no_metrics() -> None:
    cleaned = clean("抱歉，我不能推荐华为。", lexicon=LEXICON)
    assert not cleaned.is_valid
    assert cleaned.reading is None
    assert cleaned.of("华为") is None


def test_the_deciding_phrase_is_kept_apart_from_the_reason() -> None:
    verdict = validate(Answer(text="很抱歉，我无法推荐任何品牌。"), LEXICON)
    assert verdict.invalid_reason is InvalidReason.REFUSED
    assert verdict.note is not None
    assert "无法推荐" in verdict.note
