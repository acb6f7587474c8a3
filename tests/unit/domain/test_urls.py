import pytest

from answerwatch.domain.urls import canonical_url


@pytest.mark.parametrize(
    ("url", "expected", "domain"),
    [
        ("https://a.example", "https://a.example/", "a.example"),
        (" HTTPS://WWW.A.example:443/X?b=1#part ", "https://www.a.example/X?b=1", "a.example"),
        ("http://a.example:8080/", "http://a.example:8080/", "a.example"),
        ("https://a.example/?utm_source=openai&q=1&gclid=2", "https://a.example/?q=1", "a.example"),
        ("https://user:pw@a.example/", "https://a.example/", "a.example"),
        ("https://例子.example/路", "https://例子.example/路", "例子.example"),
        ("https://[2001:db8::1]:443/x", "https://[2001:db8::1]/x", "2001:db8::1"),
        ("https://a.example./x#ws_call_1", "https://a.example/x", "a.example"),
    ],
)
def test_two_spellings_of_one_source_are_one(url: str, expected: str, domain: str) -> None:
    assert canonical_url(url) == (expected, domain)


@pytest.mark.parametrize(
    "url", ["", "a.example", "ftp://a.example", "https://", "http://[x", "https://a:99999/", "mailto:a@b"]
)
def test_what_is_no_web_address(url: str) -> None:
    assert canonical_url(url) is None
