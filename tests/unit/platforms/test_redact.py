import base64
import json
from urllib.parse import quote, quote_plus

import pytest

from answerwatch.platforms.redact import MASK, redact_bytes, redact_text

KEY = "sk-test-4f9A8c7b6D5e4f3a2b1c"
ODD_KEY = 'sk+test/4f9A "8c7b%6D5e'


def spellings(key: str) -> list[str]:
    raw = key.encode()
    return [
        key,
        key[:12],
        quote(key, safe=""),
        quote_plus(key),
        quote(key, safe="").replace("%2B", "%2b").replace("%2F", "%2f"),
        json.dumps(key)[1:-1],
        json.dumps(key)[1:-1].replace("/", "\\/"),
        base64.b64encode(raw).decode(),
        base64.urlsafe_b64encode(raw).decode(),
        base64.b64encode(raw).decode().rstrip("="),
    ]


@pytest.mark.parametrize("key", [KEY, ODD_KEY])
def test_rep_key_in_error_no_spelling_stays(key: str) -> None:
    for spelled in spellings(key):
        text = f'{{"error":{{"message":"Incorrect API key provided: {spelled}. Key hash 9b74c9"}}}}'
        raw, found = redact_bytes(text.encode(), key)

        assert found, spelled
        assert spelled not in raw.decode(), spelled
        assert raw.decode().startswith('{"error":{"message":"Incorrect API key provided: ')
        assert raw.decode().endswith('. Key hash 9b74c9"}}')


@pytest.mark.parametrize("before", ["", "a", "ab", "Bearer ", "user:"])
@pytest.mark.parametrize("after", ["", "x", ":pw"])
def test_rep_key_in_error_base64_of_a_text_around_the_key(before: str, after: str) -> None:
    encoded = base64.b64encode(f"{before}{KEY}{after}".encode())
    raw, found = redact_bytes(b"seen " + encoded, KEY)

    assert found
    # Where the key's first and last bytes share a character with its neighbours, up to four characters of it stay.
    around = len(base64.b64encode(before.encode())) + len(base64.b64encode(after.encode()))
    assert len(raw) <= len(b"seen ") + len(MASK) + around + 4


def test_evidence_without_the_key_is_left_alone() -> None:
    raw = "把 Authorization: Bearer YOUR_API_KEY 放进请求头".encode()

    assert redact_bytes(raw, KEY) == (raw, False)


def test_a_short_key_does_not_eat_ordinary_words() -> None:
    assert redact_bytes(b"the best test", "test") == (b"the best test", False)


def test_a_message_names_no_bearer_token_even_of_others() -> None:
    assert redact_text("sent Authorization: Bearer abc.DEF-123456 to") == f"sent Authorization: Bearer {MASK} to"
