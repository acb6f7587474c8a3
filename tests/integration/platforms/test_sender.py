import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable

import pytest

from answerwatch.clock import HeldClock
from answerwatch.domain.answers import Received, Reply
from answerwatch.errors import ConfigurationError, UsageError
from answerwatch.platforms import chat
from answerwatch.platforms.ask import ask
from answerwatch.platforms.connections import NoFreeConnection
from answerwatch.platforms.keys import MissingKey, find_key
from answerwatch.platforms.records import Surface
from answerwatch.platforms.sender import Sender
from tests.integration.platforms import odd_servers as odd
from tests.unit.platforms.replies import ASK, NOW, surface

KEY = "sk-test-4f9A8c7b6D5e4f3a2b1c"
KEYS = {"TEST_KEY": KEY}


async def send_to(handler: odd.Handler, *, max_body: int = 1 << 20, **fields: object) -> Reply:
    async with odd.serving(handler) as base_url, Sender(slots=4, environ=KEYS, max_body=max_body) as sender:
        asked = surface(base_url=base_url, **fields)
        return await sender.send(chat.request(ASK, asked), asked)


def sent(handler: odd.Handler, *, max_body: int = 1 << 20, **fields: object) -> Reply:
    return asyncio.run(send_to(handler, max_body=max_body, **fields))


def test_a_whole_reply_arrives_as_it_was_sent() -> None:
    headers = (
        "content-type: application/json",
        "X-Request-Id: r-1",
        "Set-Cookie: a=b",
        "retry-after: 1",
        "retry-after: 2",
    )
    reply = sent(odd.always(odd.whole(odd.ANSWER, *headers)))

    assert (reply.status, reply.body, reply.error, reply.redacted) == (200, odd.ANSWER, None, False)
    assert ("x-request-id", "r-1") in reply.headers
    assert [value for name, value in reply.headers if name == "retry-after"] == ["1", "2"]
    assert "set-cookie" not in dict(reply.headers)


def test_blank_lines_before_the_answer_are_tolerated() -> None:
    received = chat.read(sent(odd.blank_lines_first), surface())

    assert received.answer is not None


def test_blank_lines_without_end_end_at_the_deadline() -> None:
    reply = sent(odd.chunked_forever(b"\n", 0.02), deadline_s=0.3, read_gap_s=5.0)

    assert (reply.error, reply.status) == ("timeout", 200)
    assert set(reply.body) == {ord("\n")}


def test_an_answer_that_trickles_ends_at_the_deadline() -> None:
    assert sent(odd.chunked_forever(b"x", 0.02), deadline_s=0.3).error == "timeout"


def test_silence_ends_at_the_deadline() -> None:
    reply = sent(odd.silent, deadline_s=0.2)

    assert (reply.error, reply.status, reply.body) == ("timeout", None, b"")


def test_silence_in_the_middle_ends_at_the_read_gap() -> None:
    reply = sent(odd.silent_after_headers, deadline_s=60.0, read_gap_s=0.2)

    assert (reply.error, reply.status, reply.body) == ("timeout", 200, b'{"choices"')


def test_the_end_of_a_batch_comes_before_the_deadline() -> None:
    async def main() -> Received:
        async with odd.serving(odd.silent) as base_url, Sender(slots=1) as sender:
            return await ask(ASK, surface(base_url=base_url, deadline_s=600.0), sender, within_s=0.1)

    received = asyncio.run(main())
    assert received.failure is not None
    assert received.failure.error_type == "timeout"


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc"])
def test_a_reset_is_told_as_one(start: bytes) -> None:
    assert sent(odd.reset_after(start)).error == "reset"


def test_a_body_that_ends_before_its_announced_length_is_not_whole() -> None:
    async def short(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await odd.read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n" + odd.ANSWER)
        await writer.drain()

    assert sent(short).error == "reset"


def test_a_reply_of_exactly_the_limit_is_whole() -> None:
    assert sent(odd.always(odd.whole(b"x" * 1000)), max_body=1000).error is None


def test_a_reply_above_the_limit_is_cut() -> None:
    reply = sent(odd.chunked_forever(b"x" * 1000, 0.0), max_body=10_000)

    assert (reply.error, len(reply.body)) == ("too_large", 10_000)


def test_a_bomb_is_cut_while_it_unpacks() -> None:
    reply = sent(odd.bomb(64 << 20), max_body=1 << 20)

    assert (reply.error, len(reply.body)) == ("too_large", 1 << 20)


def test_a_broken_encoding_is_told_as_one() -> None:
    assert sent(odd.always(odd.whole(b"no gzip", "content-encoding: gzip"))).error == "decode"


def test_nobody_at_the_port() -> None:
    async def main(port: int) -> Reply:
        asked = surface(base_url=f"http://127.0.0.1:{port}/v1")
        async with Sender(slots=1) as sender:
            return await sender.send(chat.request(ASK, asked), asked)

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        reply = asyncio.run(main(taken.getsockname()[1]))

    assert (reply.error, reply.status) == ("connect", None)
    assert reply.error_text


def test_a_name_that_nobody_knows() -> None:
    async def main() -> Reply:
        asked = surface(base_url="http://nobody.invalid/v1")
        async with Sender(slots=1) as sender:
            return await sender.send(chat.request(ASK, asked), asked)

    assert asyncio.run(main()).error == "dns"


def test_a_server_that_does_not_speak_tls() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(odd.whole(b"speak plainly", status="400 No"))
        await writer.drain()

    async def main() -> Reply:
        async with odd.serving(plain) as base_url, Sender(slots=1) as sender:
            asked = surface(base_url=base_url.replace("http:", "https:"))
            return await sender.send(chat.request(ASK, asked), asked)

    assert asyncio.run(main()).error == "tls"


def test_a_redirect_is_not_followed() -> None:
    asked: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await odd.read_request(reader):
            asked.append(request)
            writer.write(odd.whole(b"", "location: /login", status="302 Found"))
            await writer.drain()

    reply = sent(handle)

    assert (reply.status, len(asked)) == (302, 1)


def test_a_failure_is_not_tried_again_behind_our_back() -> None:
    asked: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await odd.read_request(reader):
            asked.append(request)
            writer.write(odd.whole(b"", "retry-after: 0", status="503 Busy"))
            await writer.drain()

    assert sent(handle).status == 503
    assert len(asked) == 1


def test_the_key_is_sent_and_no_cookie_comes_back() -> None:
    asked: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await odd.read_request(reader):
            asked.append(request)
            writer.write(odd.whole(odd.ANSWER, "set-cookie: track=1; path=/"))
            await writer.drain()

    async def main() -> None:
        async with odd.serving(handle) as base_url, Sender(slots=1, environ={"TEST_KEY": f" {KEY}\n"}) as sender:
            target = surface(base_url=base_url, key_env="TEST_KEY", auth_header="x-api-key", auth_format="{key}")
            for _ in range(2):
                await sender.send(chat.request(ASK, target), target)

    asyncio.run(main())
    assert [request.lower().count(f"x-api-key: {KEY}\r\n".lower().encode()) for request in asked] == [1, 1]
    assert not any(b"cookie" in request.lower() for request in asked)


ECHOES = [
    odd.whole(f'{{"error":{{"message":"Incorrect API key provided: {KEY}. Hash 9b74"}}}}'.encode(), status="401 No"),
    odd.whole(f"<html>Authorization: Bearer {KEY}</html>".encode(), status="400 No"),
    odd.whole(b"", f"location: http://127.0.0.1:9/x?key={KEY}", status="302 Found"),
]


@pytest.mark.parametrize("response", ECHOES, ids=["json", "page", "redirect"])
def test_rep_key_in_error(response: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> Received:
        async with odd.serving(odd.always(response)) as base_url, Sender(slots=1, environ=KEYS) as sender:
            return await ask(ASK, surface(base_url=base_url, key_env="TEST_KEY"), sender)

    with caplog.at_level(logging.DEBUG):
        received = asyncio.run(main())

    assert received.reply.redacted is not response.endswith(b"\r\n\r\n")
    assert received.failure is not None
    assert "[secret]" in received.failure.message
    for shown in (repr(received), caplog.text):
        assert KEY not in shown
        assert KEY[:12] not in shown


def test_a_missing_key_is_named_before_anything_is_sent() -> None:
    asked: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await odd.read_request(reader))

    with pytest.raises(MissingKey, match="OTHER_KEY"):
        sent(handle, key_env="OTHER_KEY")
    assert asked == []


@pytest.mark.parametrize("value", ["", "  ", "sk a", "sk-\n-x", "sk-钥"])
def test_what_cannot_be_a_key(value: str) -> None:
    with pytest.raises(ConfigurationError, match="TEST_KEY") as caught:
        find_key(surface(key_env="TEST_KEY"), {"TEST_KEY": value})

    assert not value.strip() or value not in str(caught.value)


def test_a_server_without_a_key_needs_none() -> None:
    assert find_key(surface(), {}) is None


def test_cancelling_is_passed_on_and_leaves_the_pool_usable() -> None:
    async def main() -> list[Reply]:
        waiting = asyncio.Semaphore(0)

        async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await odd.read_request(reader)
            waiting.release()
            await reader.read()

        async with (
            odd.serving(hang) as hanging,
            odd.serving(odd.always(odd.whole(odd.ANSWER))) as good,
            Sender(slots=3) as sender,
        ):
            for _ in range(10):
                await cancel_three(sender, surface(base_url=hanging), waiting.acquire)
            asked = surface(base_url=good)
            return await asyncio.gather(*(sender.send(chat.request(ASK, asked), asked) for _ in range(3)))

    assert [reply.error for reply in asyncio.run(main())] == [None] * 3


async def cancel_three(sender: Sender, asked: Surface, arrived: Callable[[], Awaitable[object]]) -> None:
    calls = [asyncio.create_task(sender.send(chat.request(ASK, asked), asked)) for _ in range(3)]
    for _ in calls:
        await arrived()
    for call in calls:
        call.cancel()
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(outcome, asyncio.CancelledError) for outcome in outcomes)


def test_many_calls_at_once_have_a_connection_each() -> None:
    async def main() -> list[Reply]:
        async with odd.serving(odd.always(odd.whole(odd.ANSWER))) as base_url, Sender(slots=200) as sender:
            asked = surface(base_url=base_url)
            return await asyncio.gather(*(sender.send(chat.request(ASK, asked), asked) for _ in range(200)))

    assert {reply.error for reply in asyncio.run(main())} == {None}


def test_a_call_without_a_slot_is_not_sent() -> None:
    async def main() -> list[Reply | BaseException]:
        async with odd.serving(odd.silent) as base_url, Sender(slots=1) as sender:
            asked = surface(base_url=base_url, deadline_s=0.3)
            calls = (sender.send(chat.request(ASK, asked), asked) for _ in range(2))
            return await asyncio.gather(*calls, return_exceptions=True)

    first, second = asyncio.run(main())
    assert isinstance(first, Reply)
    assert isinstance(second, NoFreeConnection)


def test_a_protocol_that_is_not_spoken_yet_is_not_asked() -> None:
    async def main() -> Received:
        async with Sender(slots=1) as sender:
            return await ask(ASK, surface(family="gemini"), sender)

    with pytest.raises(UsageError, match="cannot be collected yet"):
        asyncio.run(main())


def test_the_length_of_a_call_is_not_measured_on_the_wall() -> None:
    async def main() -> Reply:
        clock = HeldClock(NOW)
        async with odd.serving(odd.always(odd.whole(odd.ANSWER))) as base_url, Sender(slots=1, clock=clock) as sender:
            asked = surface(base_url=base_url)
            return await sender.send(chat.request(ASK, asked), asked)

    assert asyncio.run(main()).response_time_ms == 0


def test_a_sender_must_be_opened() -> None:
    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(Sender(slots=1).send(chat.request(ASK, surface()), surface()))
