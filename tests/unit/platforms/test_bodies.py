import json

import pytest

from answerwatch.platforms.bodies import decode_text, parse, word


def test_blank_lines_and_a_mark_before_the_json_do_no_harm() -> None:
    assert parse(b'\xef\xbb\xbf\r\n\n\n {"a": 1}\n').document == {"a": 1}


@pytest.mark.parametrize(
    "raw", [b'{"a": NaN}', b'{"a": Infinity}', b'{"a": "x\x01y"}', b'{"a": "\\ud800"}', b'{"a": 1e999}']
)
def test_what_the_strict_parser_refuses_is_read_all_the_same(raw: bytes) -> None:
    assert parse(raw).document is not None


@pytest.mark.parametrize(
    "raw", [b"[" * 200_000, b'{"a":' * 100_000, b"9" * 10_000, b'"text"', b"[]", b"null", b"\xff\xfe\x00", b"{"]
)
def test_what_is_no_object_is_no_document(raw: bytes) -> None:
    assert parse(raw).document is None


def test_an_answer_in_another_encoding_is_read() -> None:
    raw = json.dumps({"text": "推荐砚山咖啡，口感很好"}, ensure_ascii=False).encode("gbk")

    assert parse(raw).document == {"text": "推荐砚山咖啡，口感很好"}


def test_one_broken_character_does_not_change_the_encoding() -> None:
    raw = "推荐砚山咖啡，口感很好，值得一试".encode()

    assert decode_text(raw[:-1]) == "推荐砚山咖啡，口感很好，值得一\ufffd"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [(b"<!DOCTYPE html><html>", True), (b"\n<HTML>", True), (b"<xml/>", False), (b"Too Many Requests", False)],
)
def test_pages_are_told_from_texts(raw: bytes, *, expected: bool) -> None:
    assert parse(raw).is_html is expected


@pytest.mark.parametrize(
    ("value", "expected"), [("m-1", "m-1"), ("", None), (7, None), ("a\ud800\x00b", "a b"), ("  ", None)]
)
def test_names_from_outside_are_clean(value: object, expected: str | None) -> None:
    assert word(value) == expected
