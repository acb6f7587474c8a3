import gzip
import hashlib
from dataclasses import replace

import pytest

from answerwatch.platforms import chat
from answerwatch.platforms.ask import adopt, evidence
from answerwatch.platforms.envelope import EvidenceDamaged, decode
from tests.unit.platforms.replies import ASK, chat_body, reply, surface

HEADERS = (("content-type", "application/json"), ("x-request-id", "r-1"), ("retry-after", "2"), ("retry-after", "7"))
REPLIES = [
    reply(200, chat_body("推荐\n\nA牌 \x00😀"), *HEADERS),
    reply(200, b'\n\n{"choices":[{"message":{"content":"a\\ud800b"}}]}'),
    reply(429, b"", *HEADERS),
    reply(200, b"\xff\xfe\n\x00", error="reset"),
    reply(None, b"", error="timeout"),
]


@pytest.mark.parametrize("exchange", REPLIES)
def test_an_adopted_payload_reads_like_the_reply_itself(exchange: object) -> None:
    kept = next(one for one in REPLIES if one is exchange)
    payload, digest = evidence(ASK, surface(), kept)
    envelope, received = adopt(payload, surface())

    assert envelope.reply == kept
    assert received == chat.read(kept, surface())
    assert digest == envelope.raw_sha256 == hashlib.sha256(kept.body).hexdigest()


def test_the_payload_says_who_asked_what() -> None:
    envelope = decode(evidence(ASK, surface(), REPLIES[0])[0])

    assert (envelope.sub_task_id, envelope.attempt, envelope.platform) == (ASK.sub_task_id, 1, "test")
    assert ASK.query_text in envelope.request.decode()


def test_a_person_can_read_the_payload_with_ordinary_tools() -> None:
    line, _, body = gzip.decompress(evidence(ASK, surface(), REPLIES[0])[0]).partition(b"\n")

    assert line.startswith(b'{"format":1,')
    assert body == REPLIES[0].body


def test_equal_evidence_is_equal_bytes() -> None:
    assert evidence(ASK, surface(), REPLIES[0]) == evidence(ASK, surface(), replace(REPLIES[0]))


PAYLOAD = evidence(ASK, surface(), REPLIES[0])[0]
PLAIN = gzip.decompress(PAYLOAD)
DAMAGED = {
    "nothing": b"",
    "no gzip": b"no gzip",
    "cut": PAYLOAD[:-9],
    "a byte changed": PAYLOAD[:20] + b"\x00" + PAYLOAD[21:],
    "more in the body": gzip.compress(PLAIN + b"more"),
    "a format of the future": gzip.compress(PLAIN.replace(b'"format":1', b'"format":9')),
    "a wrong type": gzip.compress(PLAIN.replace(b'"attempt":1', b'"attempt":"1"')),
    "no object": gzip.compress(b"[]\n"),
    "missing keys": gzip.compress(b'{"format":1}\n'),
    "no meta line": gzip.compress(b"\n"),
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_payload_is_not_adopted(how: str) -> None:
    with pytest.raises(EvidenceDamaged):
        decode(DAMAGED[how])
