"""Cells of imported answers: sources as people write them."""

import pytest

from answerwatch.workspace.samples.rows import read_sources


@pytest.mark.parametrize(
    "written",
    [
        ["https://a.example/x", "https://b.example/"],
        [{"url": "https://a.example/x", "title": "A"}, {"link": "https://b.example/"}],
        "https://a.example/x\nhttps://b.example/",
        "https://a.example/x|A；https://b.example/",
        '["https://a.example/x", "https://b.example/"]',
        "[1] https://a.example/x [2] https://b.example/",
    ],
)
def test_sources_are_read_in_many_spellings(written: object) -> None:
    assert [citation.canonical_url for citation in read_sources(written)] == [
        "https://a.example/x",
        "https://b.example/",
    ]


def test_titles_stand_behind_addresses() -> None:
    found = read_sources("https://a.example/x|评测 一,二\nhttps://b.example/ | https://c.example/ | C")

    assert [(one.url, one.title) for one in found] == [
        ("https://a.example/x", "评测 一,二"),
        ("https://b.example/", None),
        ("https://c.example/", "C"),
    ]


def test_what_is_no_address_is_no_source() -> None:
    assert read_sources([None, 3, "", "javascript:alert(1)", {"title": "x"}]) == ()
    assert read_sources(None) == ()


def test_sources_that_only_look_like_json_are_read_as_text() -> None:
    assert read_sources("[" + "9" * 5_000 + "]") == ()
