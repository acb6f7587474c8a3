"""Cells of imported answers: moments and sources as people write them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from answerwatch.workspace.samples.rows import read_moment, read_sources

SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.mark.parametrize(
    "written",
    [
        "2026-07-01T08:30:00+08:00",
        "2026-07-01 08:30",
        "2026/7/1 08:30:00",
        "2026年7月1日 08:30",
        "2026-07-01T00:30:00Z",
        1_782_865_800,
        "1782865800.0",
        1_782_865_800_000,
    ],
)
def test_moments_are_read_in_many_spellings(written: object) -> None:
    assert read_moment(written, SHANGHAI) == datetime(2026, 7, 1, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize("written", ["yesterday", "2026-13-01", "12", True])
def test_what_is_no_moment_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match=r"Invalid isoformat|month must be"):
        read_moment(written, SHANGHAI)


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


def test_what_is_no_address_is_no_source() -> None:
    assert read_sources([None, 3, "", "javascript:alert(1)", {"title": "x"}]) == ()
    assert read_sources(None) == ()


def test_sources_that_only_look_like_json_are_read_as_text() -> None:
    assert read_sources("[" + "9" * 5_000 + "]") == ()
