import json
from urllib.parse import unquote

import pytest

from answerwatch.domain.answers import Ask, CitationKind, RawAnswer
from answerwatch.platforms import chat
from answerwatch.platforms.records import SurfaceKind
from tests.unit.platforms.replies import ASK, chat_body, reply, surface

THOUGHTS = "用户想要推荐。A牌不错，B牌也可以，先比较价格"


def answer_of(body: object, **fields: object) -> RawAnswer:
    received = chat.read(reply(200, body), surface(**fields))
    assert received.failure is None
    assert received.answer is not None
    return received.answer


def test_exactly_the_question_is_asked() -> None:
    call = chat.request(ASK, surface(base_url="https://x.example/v1/", body={"enable_search": True}))

    assert call.url == "https://x.example/v1/chat/completions"
    assert json.loads(call.body) == {
        "model": "m",
        "messages": [{"role": "user", "content": ASK.query_text}],
        "stream": False,
        "enable_search": True,
    }


def test_a_platform_learns_nothing_of_ours() -> None:
    call = chat.request(ASK, surface())

    assert ASK.sub_task_id not in str(call.headers)
    assert ASK.sub_task_id.encode() not in call.body


def test_a_simulator_is_told_the_sub_task() -> None:
    call = chat.request(ASK, surface(task_header="X-Sim-Key", headers=(("x-extra", "1"),)))

    assert dict(call.headers).items() >= {"x-sim-key": ASK.sub_task_id, "x-extra": "1"}.items()


def test_the_sub_task_of_a_brand_in_any_script_fits_into_a_header() -> None:
    ask = Ask(sub_task_id="BATCH_20261201_华为_QQ1_sim_R1", query_text="q", attempt=1)

    value = dict(chat.request(ask, surface(task_header="X-Sim-Key")).headers)["x-sim-key"]

    assert value.isascii()
    assert unquote(value) == ask.sub_task_id


def test_a_question_with_half_a_character_can_be_asked() -> None:
    odd = Ask(sub_task_id="s", query_text="a\ud800b", attempt=1)

    assert json.loads(chat.request(odd, surface()).body)["messages"][0]["content"] == "a\ud800b"


def test_an_answer_with_all_that_is_known_about_it() -> None:
    received = chat.read(reply(200, chat_body("推荐A牌。"), ("x-request-id", "r-1")), surface())

    assert received.answer == RawAnswer(
        text="推荐A牌。",
        model_served="m-served",
        finish_reason="stop",
        searched=False,
        prompt_tokens=20,
        completion_tokens=40,
        request_id="r-1",
    )


def test_unknown_is_not_zero() -> None:
    answer = answer_of({"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": True}})

    assert (answer.prompt_tokens, answer.completion_tokens, answer.model_served, answer.finish_reason) == (None,) * 4


@pytest.mark.parametrize(
    "content", [[{"type": "text", "text": "推荐"}, {"type": "text", "text": "A牌。"}], ["推荐", "A牌。"]]
)
def test_an_answer_in_parts_is_put_together(content: object) -> None:
    assert answer_of(chat_body(content)).text == "推荐A牌。"


def test_a_refusal_is_an_answer() -> None:
    answer = answer_of(chat_body(None, refusal="I can't help with that."))

    assert (answer.text, answer.filtered) == ("I can't help with that.", False)


@pytest.mark.parametrize("finish", ["content_filter", "sensitive", "SAFETY"])
@pytest.mark.parametrize("content", ["推荐A", "", None])
def test_what_the_content_filter_left_is_kept(finish: str, content: str | None) -> None:
    answer = answer_of(chat_body(content, finish))

    assert (answer.text, answer.filtered, answer.finish_reason) == (content or "", True, finish)


def test_a_cut_answer_is_marked() -> None:
    assert answer_of(chat_body("推荐A牌和", "length")).truncated


@pytest.mark.parametrize(
    ("finish", "expected"),
    [("insufficient_system_resource", "overloaded"), ("network_error", "server_error"), ("ERROR", "server_error")],
)
def test_what_is_left_of_a_broken_answer_is_no_answer(finish: str, expected: str) -> None:
    received = chat.read(reply(200, chat_body("推荐", finish)), surface())

    assert received.answer is None
    assert received.failure is not None
    assert received.failure.error_type == expected


@pytest.mark.parametrize("content", ["", " \n\t\n ", None])
def test_an_empty_answer_is_tried_twice_more_and_kept(content: str | None) -> None:
    received = chat.read(reply(200, chat_body(content)), surface())

    assert received.failure is not None
    assert (received.failure.error_type, received.failure.max_retries) == ("empty", 2)
    assert received.answer is not None
    assert received.answer.text == (content or "")
    assert received.answer.completion_tokens == 40


def test_an_empty_body_is_an_empty_answer_too() -> None:
    received = chat.read(reply(200, b"", ("x-request-id", "r-1")), surface())

    assert received.failure is not None
    assert received.failure.error_type == "empty"
    assert received.answer == RawAnswer(text="", request_id="r-1")


@pytest.mark.parametrize("content", [None, "", "\n"])
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_rep_reasoning_only_length(content: str | None, field: str) -> None:
    body = chat_body(content, "length", **{field: THOUGHTS}) | {
        "usage": {"prompt_tokens": 20, "completion_tokens": 4096}
    }
    received = chat.read(reply(200, body), surface())

    assert received.failure is not None
    assert (received.failure.error_type, received.failure.max_retries) == ("empty", 2)
    assert "thinking" in received.failure.message
    answer = received.answer
    assert answer is not None
    assert (answer.text.strip(), answer.reasoning, answer.truncated) == ("", THOUGHTS, True)
    assert (answer.finish_reason, answer.completion_tokens) == ("length", 4096)


def test_thinking_beside_an_answer_stays_beside_it() -> None:
    answer = answer_of(chat_body("推荐B牌。", reasoning_content=THOUGHTS))

    assert (answer.text, answer.reasoning) == ("推荐B牌。", THOUGHTS)


def test_thinking_marks_inside_an_answer_are_left_for_cleaning() -> None:
    text = "<think>A牌</think>推荐B牌。"

    assert answer_of(chat_body(text)).text == text


@pytest.mark.parametrize(
    "text", ["[Gateway] Upstream returned an empty response. Please retry.", "Error: no healthy upstream"]
)
def test_rep_gateway_fake_answer_is_kept_for_cleaning_to_judge(text: str) -> None:
    assert answer_of(chat_body(text)).text == text


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b", "\udc00a", "\ude00\ud83d", "a\ufffeb", "😀", "a\u200bb\ufeff"])
def test_rep_nul_surrogate_comes_through_as_received(text: str) -> None:
    assert answer_of(chat_body(text)).text == text


def test_a_model_name_that_goes_on_for_ever_is_cut() -> None:
    assert len(answer_of(chat_body() | {"model": "m" * 10_000}).model_served or "") == 191


def test_the_served_model_is_noted_when_another_was_asked() -> None:
    assert answer_of(chat_body(), model="m-asked").model_served == "m-served"


@pytest.mark.parametrize(
    ("asked", "exposes", "found", "expected"),
    [
        (True, True, True, True),
        (True, True, False, False),
        (True, False, False, None),
        (False, True, False, False),
        (True, False, True, True),
    ],
)
def test_a_search_is_proved_by_the_reply_alone(
    *, asked: bool, exposes: bool, found: bool, expected: bool | None
) -> None:
    body = chat_body() | ({"search_results": [{"url": "https://a.example"}]} if found else {})
    kind = SurfaceKind.SEARCH if asked else SurfaceKind.API
    answer = answer_of(body, kind=kind, search_asked=asked, exposes_citations=exposes)

    assert (answer.search_asked, answer.searched) == (asked, expected)


def test_cited_and_retrieved_sources_are_told_apart() -> None:
    body = chat_body(
        annotations=[{"type": "url_citation", "url_citation": {"url": "https://a.example/", "title": "A"}}]
    )
    body["web_search"] = [{"link": "https://b.example/x", "title": "B"}, {"link": "https://a.example/"}]
    citations = answer_of(body).citations

    assert [(source.position, source.kind, source.url) for source in citations] == [
        (1, CitationKind.CITED, "https://a.example/"),
        (2, CitationKind.RETRIEVED, "https://b.example/x"),
        (3, CitationKind.RETRIEVED, "https://a.example/"),
    ]
