"""Faults inside of whole replies, as a client receives them."""

import json
from typing import Any

import httpx2
import pytest

from answerwatch.simulator import SimulatorThread
from tests.integration.simulator.conftest import Ask


def choice(response: httpx2.Response) -> dict[str, Any]:
    assert response.status_code == 200
    found: dict[str, Any] = response.json()["choices"][0]
    return found


def text(response: httpx2.Response) -> str:
    found: str = choice(response)["message"]["content"]
    return found


def test_ok_is_a_chat_completion(ask: Ask, simulator: SimulatorThread) -> None:
    data = ask().json()
    assert data["object"] == "chat.completion"
    assert data["model"] == "sim-answer"
    assert data["choices"][0]["finish_reason"] == "stop"
    assert data["usage"]["total_tokens"] == data["usage"]["prompt_tokens"] + data["usage"]["completion_tokens"]
    named = simulator.calls()[0]["brands"]
    assert isinstance(named, tuple)
    assert all(brand in data["choices"][0]["message"]["content"] for brand in named)


def test_sources_are_annotations_with_places(ask: Ask) -> None:
    message = choice(ask(fault="ok_sources_chat"))["message"]
    cited = [annotation["url_citation"] for annotation in message["annotations"]]
    assert cited
    assert message["content"][cited[0]["start_index"] : cited[0]["end_index"]] == "[1]"
    assert all(source["url"].startswith("https://") and source["title"] for source in cited)


def test_no_search_shows_no_evidence(ask: Ask) -> None:
    message = choice(ask(fault="ok_no_search"))["message"]
    assert "annotations" not in message
    assert "[1]" not in message["content"]


def test_thinking_comes_beside_or_inside_the_text(ask: Ask) -> None:
    assert choice(ask(fault="reasoning"))["message"]["reasoning_content"]
    inside = text(ask(fault="reasoning_think"))
    assert inside.startswith("<think>")
    assert inside.partition("</think>")[2].strip()


@pytest.mark.parametrize(
    ("fault", "finish"),
    [
        ("content_filter", "content_filter"),
        ("content_filter_sensitive", "sensitive"),
        ("truncated_length", "length"),
    ],
)
def test_a_stopped_text_is_the_first_half_of_the_whole(ask: Ask, fault: str, finish: str) -> None:
    whole = text(ask(fault="ok_no_search"))
    stopped = choice(ask(fault=fault))
    assert stopped["finish_reason"] == finish
    assert whole.startswith(stopped["message"]["content"])
    assert 0 < len(stopped["message"]["content"]) < len(whole)


def test_refusals_follow_the_language_of_the_question(ask: Ask) -> None:
    assert any(word in text(ask(fault="refusal_text")) for word in ("抱歉", "对不起"))
    assert any(word in text(ask("best coffee?", fault="refusal_text")) for word in ("can't", "unable", "cannot"))
    assert any(word in text(ask(fault="refusal_text_en")) for word in ("can't", "unable", "cannot"))


@pytest.mark.parametrize(("fault", "content"), [("empty_text", ""), ("empty_blank", " \n\t\n "), ("empty_null", None)])
def test_empty_is_a_whole_reply_without_an_answer(
    ask: Ask, simulator: SimulatorThread, fault: str, content: str | None
) -> None:
    assert choice(ask(fault=fault))["message"]["content"] == content
    record = simulator.calls()[0]
    assert (record["answered"], record["answer_sha"]) == (True, None)


def test_loops_and_huge_texts_are_as_large_as_they_say(ask: Ask) -> None:
    looped = text(ask(fault="repeat_loop"))
    sentence = looped[: len(looped) // 500]
    assert looped == sentence * 500
    assert len(text(ask(fault="huge")).encode()) >= 5 * 1024 * 1024
    assert 1_000_000 < len(text(ask(fault="huge:1")).encode()) < 2_000_000


def test_injection_holds_html_a_formula_and_false_json(ask: Ask) -> None:
    content = text(ask(fault="injection"))
    assert "<script>" in content
    assert "\n=HYPERLINK(" in content
    assert any(line.startswith("{") and json.loads(line) for line in content.splitlines())


def test_a_swapped_model_a_wrong_clock_and_missing_usage(ask: Ask) -> None:
    assert ask(fault="model_swapped").json()["model"] == "sim-substitute"
    assert ask(fault="clock_skew").json()["created"] > 4_000_000_000
    assert "usage" not in ask(fault="usage_missing").json()


def test_errors_in_200_have_no_choices(ask: Ask) -> None:
    hidden = ask(fault="error_in_200")
    assert (hidden.status_code, hidden.json()["error"]["code"]) == (200, 502)
    assert ask(fault="choices_null").json()["choices"] is None


@pytest.mark.parametrize(
    ("fault", "character"),
    [
        ("garbled_control", "\x01"),
        ("garbled_nul", "\x00"),
        ("garbled_surrogate", "\ud83d"),
        ("garbled_zero_width", "\u200b"),
    ],
)
def test_garbled_texts_hold_the_character(ask: Ask, fault: str, character: str) -> None:
    content = json.loads(ask(fault=fault).content)["choices"][0]["message"]["content"]
    assert character in content[:8]
    assert character in content[-8:]


def test_garbled_bytes_are_not_plain_utf8(ask: Ask) -> None:
    wrong = ask(fault="garbled_gbk").content
    with pytest.raises(UnicodeDecodeError):
        wrong.decode()
    assert json.loads(wrong.decode("gbk"))["choices"]
    assert ask(fault="garbled_bom").content.startswith(b"\xef\xbb\xbf{")


def test_the_short_name_chooses_among_the_spellings(ask: Ask) -> None:
    kinds = {json.dumps(choice(ask(f"question {number}", fault="empty"))["message"]["content"]) for number in range(30)}
    assert kinds == {'""', '" \\n\\t\\n "', "null"}
