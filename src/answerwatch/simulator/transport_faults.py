"""Faults of the connection and of what stands between platform and client: silence, resets, gateways, portals."""

from collections.abc import Iterator

from answerwatch.simulator.family import Call
from answerwatch.simulator.plans import body_of, error, ok, reply_of, write
from answerwatch.simulator.wire import HTML, Act, Headers, Plan, Step, chunk, http_head, http_reply

_SLOW_SECONDS = 60.0
_BLANKS = 3
_GATEWAY_PAGE = (
    b"<!DOCTYPE html><html><head><title>Gateway</title></head>"
    b"<body><h1>The service is busy</h1><p>Please try again later.</p></body></html>"
)


def hang(call: Call) -> Plan:
    """Accept the request and send nothing, for ever or for the given number of seconds before answering."""
    if call.amount is None:
        return Plan(status=None, steps=(Act.SILENCE,), complete=False)
    return _late(call, call.amount)


def slow_first_byte(call: Call) -> Plan:
    """Answer after 60 seconds (or the given number)."""
    return _late(call, _SLOW_SECONDS if call.amount is None else call.amount)


def _late(call: Call, seconds: float) -> Plan:
    """Answer after this many seconds instead of the usual time."""
    plan = ok(call)
    return Plan(status=200, steps=(float(seconds), *plan.steps), answer=plan.answer)


def hang_after_headers(call: Call) -> Plan:
    """Send the headers of a success, then nothing."""
    answer = write(call)
    head = http_head(200, length=len(body_of(call, reply_of(call, answer))))
    return Plan(status=200, steps=(head, Act.SILENCE), works=True, complete=False, answer=answer)


def keepalive_blank(call: Call) -> Plan:
    """Send a few blank lines at intervals, then the answer."""
    answer = write(call)
    count = _BLANKS if call.amount is None else int(call.amount)
    blanks: list[Step] = [step for _ in range(count) for step in (chunk(b"\n"), call.settings.blank_every_s)]
    body = body_of(call, reply_of(call, answer))
    steps = (http_head(200, length=None), *blanks, chunk(body) + chunk(b""))
    return Plan(status=200, steps=steps, answer=answer)


def keepalive_forever(call: Call) -> Plan:
    """Send blank lines at intervals without end."""
    return Plan(status=200, steps=_blank_lines(call.settings.blank_every_s), complete=False)


def _blank_lines(every: float) -> Iterator[Step]:
    """Yield headers and then blank lines for ever."""
    yield http_head(200, length=None)
    while True:
        yield chunk(b"\n")
        yield max(every, 0.01)


def truncated_json(call: Call, *, honest: bool) -> Plan:
    """Cut the body; an honest content-length names the cut size, the other one the size it should have had."""
    body = body_of(call, reply_of(call, write(call)))
    part = body[: len(body) // 2]
    if honest:
        return Plan(status=200, steps=(http_reply(200, part),), works=True)
    return Plan(status=200, steps=(http_head(200, length=len(body)) + part, Act.CLOSE), works=True, complete=False)


def html_page(_: Call, *, status: int) -> Plan:
    """Send a gateway's HTML page."""
    return Plan(status=status, steps=(http_reply(status, _GATEWAY_PAGE, content_type=HTML),))


def login_redirect(call: Call) -> Plan:
    """Redirect to a login page under another host name; a client that follows shows up in the log as `portal`."""
    headers: Headers = (("location", f"{call.other_origin}/__sim/portal"),)
    return Plan(status=302, steps=(http_reply(302, _GATEWAY_PAGE, content_type=HTML, headers=headers),))


def portal() -> Plan:
    """Show the page that a followed redirect leads to."""
    return Plan(status=200, steps=(http_reply(200, _GATEWAY_PAGE, content_type=HTML),))


def reset_before(_: Call) -> Plan:
    """Reset the connection before any byte, with the work undone."""
    return Plan(status=None, steps=(Act.RESET,), complete=False)


def reset_mid(call: Call) -> Plan:
    """Reset the connection in the middle of the body."""
    answer = write(call)
    body = body_of(call, reply_of(call, answer))
    # The pause lets the first half arrive: a reset throws away what is still on its way.
    steps = (http_head(200, length=len(body)) + body[: len(body) // 2], 0.02, Act.RESET)
    return Plan(status=200, steps=steps, works=True, complete=False, answer=answer)


def duplicate_delivery(call: Call) -> Plan:
    """Do the whole work, then drop the connection without a byte."""
    return Plan(status=None, steps=(Act.RESET,), works=True, complete=False, answer=write(call))


def gzip_bad(call: Call) -> Plan:
    """Announce gzip and send something else."""
    body = body_of(call, reply_of(call, write(call)))
    broken = b"\x1f\x8b\x08\x00" + body
    return Plan(status=200, steps=(http_reply(200, broken, headers=(("content-encoding", "gzip"),)),), works=True)


def bare_429(_: Call) -> Plan:
    """Turn the call away without header or body."""
    return Plan(status=429, steps=(http_reply(429, b""),))


def flaky(call: Call) -> Plan:
    """Fail with 503 for the first turns (two, or the given number), then answer."""
    failures = 2 if call.amount is None else call.amount
    return error(call, name="e503") if call.turn <= failures else ok(call)
