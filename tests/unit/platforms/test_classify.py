import pytest

from answerwatch.domain.answers import Received
from answerwatch.domain.failures import LONGEST_MESSAGE, LONGEST_WAIT_S, Failure, Scope, Severity
from answerwatch.platforms import chat
from answerwatch.platforms.catalogue import catalogue
from answerwatch.platforms.records import ErrorRule, Means, Surface
from answerwatch.platforms.rules import EFFECTS, MEANS_OF_TRANSPORT
from tests.unit.platforms.replies import chat_body, reply, surface

PAGE = "<!DOCTYPE html><html><body>Gateway Time-out</body></html>"


def error(message: str = "m", **fields: object) -> dict[str, object]:
    return {"error": {"message": message, **fields}}


def failure_of(received: Received) -> Failure:
    assert received.failure is not None
    return received.failure


def known(name: str) -> Surface:
    return catalogue().surfaces[name]


GOLDEN: list[tuple[str, int, object, str]] = [
    # generic platform: by status
    ("test", 400, error(code="x"), "bad_request"),
    ("test", 401, error(), "bad_key"),
    ("test", 402, error(), "no_balance"),
    ("test", 403, error(), "bad_key"),
    ("test", 404, error(), "not_found"),
    ("test", 408, error(), "server_error"),
    ("test", 410, error(), "account_blocked"),
    ("test", 413, error(), "bad_request"),
    ("test", 418, error(), "unknown"),
    ("test", 422, {"detail": [{"msg": "field required", "loc": ["model"]}]}, "bad_request"),
    ("test", 429, error(), "rate_limited"),
    ("test", 429, b"", "rate_limited"),
    ("test", 429, "Too Many Requests", "rate_limited"),
    ("test", 500, error(), "server_error"),
    ("test", 502, b"", "server_error"),
    ("test", 503, error(), "overloaded"),
    ("test", 522, error(), "server_error"),
    ("test", 529, error(), "overloaded"),
    # generic platform: words before the status
    ("test", 400, error(code="Arrearage"), "no_balance"),
    ("test", 403, error(code="AccountOverdueError"), "no_balance"),
    ("test", 403, error(code="insufficient_user_quota", type="one_api_error"), "no_balance"),
    ("test", 429, error(code="insufficient_quota"), "no_balance"),
    ("test", 429, error("您的账户已欠费，请充值后重试。", code="1113"), "no_balance"),
    ("test", 429, error(type="engine_overloaded_error"), "overloaded"),
    ("test", 400, error(code="invalid_api_key"), "bad_key"),
    # shape of the body
    ("test", 200, PAGE, "bad_reply"),
    ("test", 200, '{"choices":[{"mess', "bad_reply"),
    ("test", 200, "[1]", "bad_reply"),
    ("test", 200, {"choices": None}, "bad_reply"),
    ("test", 200, {"choices": []}, "bad_reply"),
    ("test", 200, b"", "empty"),
    ("test", 200, b"\n\n\n", "empty"),
    ("test", 302, PAGE, "redirected"),
    ("test", 400, PAGE, "bad_reply"),
    ("test", 403, PAGE, "bad_reply"),
    ("test", 404, PAGE, "bad_reply"),
    ("test", 401, PAGE, "bad_key"),
    ("test", 429, PAGE, "rate_limited"),
    ("test", 504, PAGE, "server_error"),
    # errors inside a 200
    ("test", 200, error(code=502) | {"choices": None}, "server_error"),
    ("test", 200, error(code=429), "rate_limited"),
    ("test", 200, error(code=401), "bad_key"),
    ("test", 200, error(type="rate_limit_error"), "rate_limited"),
    ("test", 200, {"error": "upstream says no"}, "unknown"),
    ("test", 200, {"code": 10013, "message": "no"}, "unknown"),
    ("test", 200, {"Response": {"Error": {"Code": "LimitExceeded", "Message": "slow"}}}, "unknown"),
    # platforms with rules of their own
    ("kimi", 429, error(type="exceeded_current_quota_error"), "no_balance"),
    ("kimi", 429, error("max organization concurrency: 3", type="rate_limit_reached_error"), "rate_limited"),
    ("kimi", 429, error("organization TPD limit", type="rate_limit_reached_error"), "quota_used_up"),
    ("kimi", 403, error(type="permission_denied_error"), "account_blocked"),
    ("qwen", 429, {"code": "insufficient_quota", "message": "tokens per minute"}, "rate_limited"),
    ("qwen", 429, {"code": "insufficient_quota", "message": "Free quota used up"}, "no_balance"),
    ("qwen", 400, {"code": "Arrearage", "message": "Access denied"}, "no_balance"),
    ("openai", 429, error(code="insufficient_quota"), "no_balance"),
    ("openai", 429, error(code="rate_limit_exceeded"), "rate_limited"),
    ("glm", 429, error(code="1302"), "rate_limited"),
    ("glm", 429, error(code="1305"), "overloaded"),
    ("glm", 429, error(code="1113"), "no_balance"),
    ("doubao", 404, error(code="ToolNotOpen"), "account_blocked"),
    ("doubao", 429, error(code="QuotaExceeded.Daily"), "no_balance"),
    ("ernie", 200, {"error_code": 336501, "error_msg": "rpm"}, "rate_limited"),
    ("ernie", 200, {"error_code": 17, "error_msg": "daily limit"}, "no_balance"),
    ("minimax", 200, {"choices": None, "base_resp": {"status_code": 1002, "status_msg": "limit"}}, "rate_limited"),
    ("minimax", 200, {"choices": None, "base_resp": {"status_code": 1008, "status_msg": "balance"}}, "no_balance"),
    ("spark", 200, {"code": 11202, "message": "limit", "sid": "s"}, "rate_limited"),
    ("hunyuan", 200, {"Response": {"Error": {"Code": "LimitExceeded", "Message": "slow"}}}, "rate_limited"),
    ("siliconflow", 403, {"code": 30001, "message": "balance"}, "no_balance"),
    ("openrouter", 402, error(code=402), "no_balance"),
]


@pytest.mark.parametrize(("platform", "status", "body", "expected"), GOLDEN)
def test_what_a_reply_means(platform: str, status: int, body: object, expected: str) -> None:
    asked = surface() if platform == "test" else known(platform)

    assert failure_of(chat.read(reply(status, body), asked)).error_type == expected


FILTERED: list[tuple[str, int, object]] = [
    ("test", 400, error("Content Exists Risk", code="invalid_request_error")),
    ("test", 400, error("high risk", type="content_filter")),
    ("test", 400, error("inappropriate", code="data_inspection_failed")),
    ("test", 400, error("sensitive", code="InputTextSensitiveContentDetected.Violence")),
    ("test", 451, error("not here")),
    ("test", 200, error("moderated", code="content_policy_violation")),
    ("glm", 400, error("敏感内容", code="1301")),
    ("glm", 429, error("敏感内容", code="1301")),
    ("minimax", 200, {"choices": None, "base_resp": {"status_code": 1026, "status_msg": "input sensitive"}}),
    ("spark", 200, {"code": 10013, "message": "审核不通过"}),
    ("openrouter", 403, error("flagged", code=403)),
]


@pytest.mark.parametrize(("platform", "status", "body"), FILTERED)
def test_the_content_filter_gives_an_answer_and_no_failure(platform: str, status: int, body: object) -> None:
    asked = surface() if platform == "test" else known(platform)
    received = chat.read(reply(status, body), asked)

    assert received.failure is None
    assert received.answer is not None
    assert received.answer.filtered
    assert received.answer.text


@pytest.mark.parametrize(
    ("fault", "expected", "retries"),
    [
        ("connect", "connection", None),
        ("reset", "connection", None),
        ("timeout", "timeout", None),
        ("tls", "tls", 2),
        ("dns", "dns", 2),
        ("decode", "bad_reply", None),
    ],
)
def test_faults_of_the_line_are_temporary(fault: str, expected: str, retries: int | None) -> None:
    failure = failure_of(chat.read(reply(None, b"", error=fault), surface()))

    assert (failure.error_type, failure.severity, failure.max_retries) == (expected, Severity.TEMPORARY, retries)
    assert failure.transport is (fault != "decode")


def test_a_fault_of_the_line_counts_before_the_status() -> None:
    assert failure_of(chat.read(reply(200, chat_body(), error="reset"), surface())).error_type == "connection"


def test_a_reply_that_is_too_long_is_not_asked_for_again() -> None:
    assert failure_of(chat.read(reply(200, b"{", error="too_large"), surface())).severity is Severity.PERMANENT


@pytest.mark.parametrize(
    ("status", "scope", "parks"),
    [(400, Scope.REQUEST, False), (401, Scope.KEY, True), (402, Scope.ACCOUNT, True), (429, Scope.PLATFORM, False)],
)
def test_how_far_a_failure_reaches(status: int, scope: Scope, *, parks: bool) -> None:
    failure = failure_of(chat.read(reply(status, error()), surface()))

    assert (failure.scope, failure.parks, failure.http_status) == (scope, parks, status)


def test_throttling_and_overload_are_told_apart() -> None:
    throttled = failure_of(chat.read(reply(429, error()), surface()))
    overloaded = failure_of(chat.read(reply(503, error()), surface()))

    assert (throttled.throttled, throttled.overloaded) == (True, False)
    assert (overloaded.throttled, overloaded.overloaded) == (False, True)


def test_an_unknown_code_is_tried_three_times_in_all() -> None:
    failure = failure_of(chat.read(reply(418, error()), surface()))

    assert (failure.severity, failure.max_retries) == (Severity.TEMPORARY, 2)


@pytest.mark.parametrize(
    ("platform", "body", "expected", "parks"),
    [
        ("kimi", error("Your account balance is not enough", type="exceeded_current_quota_error"), "no_balance", True),
        ("glm", error("该 API 今日调用次数已达上限，明日 00:00 恢复", code="1304"), "quota_used_up", True),
        (
            "test",
            error("You exceeded your monthly quota of free requests", code="rate_limit_exceeded"),
            "rate_limited",
            False,
        ),
        ("kimi", error("max organization concurrency: 3", type="rate_limit_reached_error"), "rate_limited", False),
        ("test", "Too Many Requests", "rate_limited", False),
    ],
)
def test_rep_quota_429_vs_rate_429(platform: str, body: object, expected: str, *, parks: bool) -> None:
    asked = surface() if platform == "test" else known(platform)
    failure = failure_of(chat.read(reply(429, body), asked))

    assert (failure.error_type, failure.parks) == (expected, parks)
    assert failure.throttled is not parks


def test_an_own_rule_is_asked_before_the_default_table() -> None:
    rule = ErrorRule(means=Means.QUOTA_USED_UP, status=429, message_has="Tomorrow", wait_s=86_400)
    failure = failure_of(chat.read(reply(429, error("come back tomorrow")), surface(rules=(rule,))))

    assert (failure.error_type, failure.retry_after_s, failure.wait_origin) == ("quota_used_up", LONGEST_WAIT_S, "rule")


def test_the_server_is_heard_before_the_rule() -> None:
    rule = ErrorRule(means=Means.RATE_LIMITED, status=429, wait_s=600)
    failure = failure_of(chat.read(reply(429, error(), ("retry-after", "3")), surface(rules=(rule,))))

    assert (failure.retry_after_s, failure.wait_origin) == (3, "retry-after")


def test_a_capped_wait_is_told_with_what_was_asked() -> None:
    failure = failure_of(chat.read(reply(429, error("x" * 5000), ("retry-after", "86400")), surface()))

    assert failure.wait_origin == "cap"
    assert "86400" in failure.message
    assert len(failure.message) <= LONGEST_MESSAGE


def test_a_code_beside_an_answer_is_no_error() -> None:
    received = chat.read(reply(200, chat_body() | {"code": "gen-17"}), surface())

    assert received.failure is None


def test_messages_are_printable_and_name_no_bearer_token() -> None:
    failure = failure_of(chat.read(reply(500, error("a\x00b\ud800c\nAuthorization: Bearer abcdef123456")), surface()))

    assert failure.message == "a b c Authorization: Bearer [secret]"


def test_every_meaning_has_its_effect() -> None:
    assert set(EFFECTS) == set(Means) - {Means.FILTERED}
    assert set(MEANS_OF_TRANSPORT.values()) <= set(EFFECTS)
