import json
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from answerwatch.domain.answers import Ask, Reply
from answerwatch.domain.failures import LONGEST_MESSAGE, LONGEST_WAIT_S
from answerwatch.domain.urls import canonical_url
from answerwatch.platforms import chat
from answerwatch.platforms.ask import adopt, evidence
from answerwatch.platforms.catalogue import catalogue, is_collectable
from answerwatch.platforms.records import Means
from answerwatch.platforms.redact import HEAD_CHARS, SHORTEST, redact_bytes, redact_text
from answerwatch.platforms.waits import asked_wait, duration_s, http_date, reset_s, retry_after_s
from tests.unit.platforms.replies import NOW

SURFACES = [surface for surface in catalogue().surfaces.values() if is_collectable(surface)]
STATUSES = st.one_of(st.none(), st.integers(100, 999), st.sampled_from([200, 302, 400, 401, 402, 403, 429, 500, 503]))
NAMES = st.sampled_from(
    [
        "retry-after",
        "retry-after-ms",
        "x-ratelimit-reset",
        "x-ratelimit-reset-tokens",
        "x-ratelimit-remaining-tokens",
        "date",
        "x-request-id",
        "location",
        "content-type",
    ]
)
NUMBERS = st.one_of(st.integers(-(10**30), 10**30).map(str), st.floats().map(str))
VALUES = st.one_of(st.text(max_size=40), NUMBERS, st.datetimes().map(lambda date: f"{date:%a, %d %b %Y %H:%M:%S} GMT"))
WORDS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30))
KEYS = st.sampled_from(
    [
        "error",
        "code",
        "type",
        "message",
        "choices",
        "content",
        "finish_reason",
        "usage",
        "prompt_tokens",
        "base_resp",
        "status_code",
        "annotations",
        "url",
        "citations",
        "search_results",
        "Response",
        "Error",
        "Code",
        "detail",
        "msg",
    ]
)
TREES = st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=15
)
MESSAGES = st.fixed_dictionaries({"message": TREES, "finish_reason": TREES})
DOCUMENTS = st.one_of(
    TREES, st.fixed_dictionaries({"choices": st.lists(MESSAGES, max_size=2)}, optional={"usage": TREES})
)
BODIES = st.one_of(st.binary(max_size=200), DOCUMENTS.map(lambda tree: json.dumps(tree).encode()))
MOMENTS = st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))  # noqa: DTZ001  # the zone is set at once


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    ended = draw(MOMENTS)
    return Reply(
        started_at=ended - timedelta(seconds=1),
        ended_at=ended,
        status=draw(STATUSES),
        headers=tuple(draw(st.lists(st.tuples(NAMES, VALUES), max_size=5))),
        body=draw(BODIES),
        error=draw(st.sampled_from([None, None, None, "reset", "timeout", "connect", "decode", "what"])),
    )


@given(replies(), st.sampled_from(SURFACES))
def test_any_reply_is_an_answer_or_a_failure_with_a_wait_that_ends(reply: Reply, surface: object) -> None:
    target = next(one for one in SURFACES if one is surface)
    received = chat.read(reply, target)
    failure = received.failure

    assert received.answer is not None or failure is not None
    if failure is not None:
        assert failure.error_type in set(Means) - {Means.FILTERED}
        assert (received.answer is not None) == (failure.error_type == Means.EMPTY)
        assert failure.retry_after_s is None or 0 <= failure.retry_after_s <= LONGEST_WAIT_S
        assert (failure.retry_after_s is None) == (failure.wait_origin is None)
        assert len(failure.message) <= LONGEST_MESSAGE
        assert failure.message.isprintable()


@given(replies())
def test_what_was_kept_reads_like_what_arrived(reply: Reply) -> None:
    ask = Ask(sub_task_id="s", query_text="q", attempt=1)

    assert adopt(evidence(ask, SURFACES[0], reply)[0], SURFACES[0])[1] == chat.read(reply, SURFACES[0])


@given(replies(), st.text(max_size=100))
def test_no_header_makes_us_wait_less_than_nothing_or_for_ever(reply: Reply, message: str) -> None:
    for throttled in (True, False):
        wait = asked_wait(reply, message, throttled=throttled)
        assert wait is None or 0 <= wait.seconds <= LONGEST_WAIT_S


@given(VALUES, MOMENTS)
def test_one_value_of_a_header_never_raises(value: str, now: datetime) -> None:
    for seconds in (retry_after_s(value, now), reset_s(value, now), duration_s(value)):
        assert seconds is None or seconds >= 0


@given(st.datetimes(datetime(1980, 1, 1), datetime(2070, 1, 1)))  # noqa: DTZ001  # HTTP dates are UTC by definition
def test_every_form_of_a_date_is_the_same_moment(moment: datetime) -> None:
    expected = moment.replace(microsecond=0, tzinfo=UTC)
    forms = (
        f"{expected:%a, %d %b %Y %H:%M:%S} GMT",
        f"{expected:%A, %d-%b-%y %H:%M:%S} GMT",
        f"{expected:%a %b %e %H:%M:%S %Y}",
    )

    assert {http_date(form, NOW) for form in forms} == {expected}


ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/+=%"\\.'


@given(st.text(ALPHABET, min_size=SHORTEST, max_size=60), st.binary(max_size=30), st.binary(max_size=30))
def test_no_secret_survives(secret: str, before: bytes, after: bytes) -> None:
    raw, found = redact_bytes(before + secret.encode() + after, secret)

    assert found
    assert secret[:HEAD_CHARS].encode() not in raw or secret[:HEAD_CHARS] in "[secret]"
    assert secret not in redact_text(f"key {secret}.", secret)


@given(st.text(max_size=60) | st.text(max_size=40).map(lambda rest: "https://" + rest))
def test_a_canonical_address_is_its_own(url: str) -> None:
    known = canonical_url(url)

    assert known is None or canonical_url(known[0]) == known
