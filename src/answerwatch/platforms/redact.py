"""Takes our own secrets out of everything that is stored or shown.

Platforms and gateways repeat the key they were sent: in error messages, in pages, in redirects; whole, in part or
encoded. A stored body is evidence, so it is changed only where the secret itself occurs.
"""

from __future__ import annotations

import base64
import json
import re
from functools import lru_cache
from urllib.parse import quote, quote_plus

MASK = "[secret]"
HEAD_CHARS = 12
"""So many first characters of a key are a secret of their own."""
SHORTEST = 8
"""A shorter key cannot be told from an ordinary word in a text; only its `Bearer` form is taken out."""

_BEARER = re.compile(r"(?i)\b(bearer)[\s:]+(?!\[secret\])[a-z0-9._~+/=-]{6,}")


def redact_bytes(raw: bytes, secret: str | None) -> tuple[bytes, bool]:
    """Return `raw` without the secret, and whether it was there."""
    found = False
    for form in _forms(secret):
        if form in raw:
            raw, found = raw.replace(form, MASK.encode()), True
    return raw, found


def redact_text(text: str, secret: str | None = None) -> str:
    """Return a message without the secret and without anything that follows `Bearer`.

    For messages and headers only: an answer may explain to its reader how to send a bearer token.
    """
    for form in _forms(secret):
        text = text.replace(form.decode(), MASK)
    return _BEARER.sub(rf"\1 {MASK}", text)


@lru_cache(maxsize=256)
def _forms(secret: str | None) -> tuple[bytes, ...]:
    """Return every spelling of the secret to look for, longest first."""
    if secret is None or len(secret) < SHORTEST:
        return ()
    head = secret[:HEAD_CHARS]
    spelled = {secret, head, f"Bearer {secret}"}
    for plain in (secret, head):
        spelled |= {quote(plain, safe=""), quote_plus(plain), quote(plain)}
        spelled |= {json.dumps(plain)[1:-1], json.dumps(plain)[1:-1].replace("/", "\\/")}
    spelled |= {form.replace("%", "%25") for form in spelled} | {_lower_hex(form) for form in spelled}
    encoded = {form.encode() for form in spelled} | _base64_forms(secret)
    return tuple(sorted(encoded, key=lambda form: (-len(form), form)))


def _lower_hex(quoted: str) -> str:
    """Return a URL-encoded text with lower-case hexadecimal digits."""
    return re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), quoted)


def _base64_forms(secret: str) -> set[bytes]:
    """Return base64 of the secret, alone and as the stable middle of it inside a longer encoded text."""
    forms = set[bytes]()
    for offset in range(3):
        encoded = base64.b64encode(b"\0" * offset + secret.encode())
        # The first characters mix with what stands before the secret, the last with what follows it.
        whole = len(encoded) // 4 * 4 - (4 if encoded.endswith(b"=") else 0)
        middle = encoded[(offset * 8 + 5) // 6 : whole]
        forms |= {middle, middle.translate(bytes.maketrans(b"+/", b"-_"))}
    forms |= {base64.b64encode(secret.encode()), base64.urlsafe_b64encode(secret.encode())}
    return {form for form in forms if len(form) >= SHORTEST}
