import pytest

from answerwatch.domain.answers import CitationKind
from answerwatch.platforms.sources import MOST_CITATIONS, find_citations, has_searched

URL = "https://a.example/x"
PLACES: list[tuple[dict[str, object], dict[str, object], CitationKind]] = [
    ({}, {"annotations": [{"url_citation": {"url": URL, "title": "A"}}]}, CitationKind.CITED),
    ({}, {"annotations": [{"url": URL, "title": "A"}]}, CitationKind.CITED),
    ({"citations": [URL]}, {}, CitationKind.CITED),
    ({"search_results": [{"url": URL, "title": "A"}]}, {}, CitationKind.RETRIEVED),
    ({}, {"search_results": [{"url": URL}]}, CitationKind.RETRIEVED),
    ({"search_info": {"search_results": [{"url": URL}]}}, {}, CitationKind.RETRIEVED),
    ({"web_search": [{"link": URL}]}, {}, CitationKind.RETRIEVED),
    ({"references": [{"url": URL}]}, {}, CitationKind.RETRIEVED),
]


@pytest.mark.parametrize(("document", "message", "kind"), PLACES)
def test_sources_are_found_wherever_a_vendor_puts_them(
    document: dict[str, object], message: dict[str, object], kind: CitationKind
) -> None:
    [source] = find_citations(document, message)

    assert (source.url, source.domain, source.kind) == (URL, "a.example", kind)
    assert has_searched(document, message)


def test_one_address_is_listed_once_though_it_is_spelled_twice() -> None:
    document: dict[str, object] = {"citations": [URL, "https://A.example/x?utm_source=openai#frag"]}

    assert [source.url for source in find_citations(document, {})] == [URL]


def test_what_is_no_web_address_is_left_out() -> None:
    document: dict[str, object] = {
        "citations": ["javascript:alert(1)", "", None, 7, {"url": "ftp://a"}, ["x"], "http://["]
    }

    assert find_citations(document, {}) == ()


def test_a_list_without_end_is_cut() -> None:
    document: dict[str, object] = {"citations": [f"https://a.example/{number}" for number in range(2000)]}

    assert len(find_citations(document, {})) == MOST_CITATIONS


@pytest.mark.parametrize(
    ("usage", "expected"),
    [({"plugins": {"search": {"count": 1}}}, True), ({"plugins": {"search": {"count": 0}}}, False)],
)
def test_a_counter_proves_a_search(usage: dict[str, object], *, expected: bool) -> None:
    assert has_searched({"usage": usage}, {}) is expected
