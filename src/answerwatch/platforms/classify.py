"""Decides what a reply that is no answer means, in a fixed order.

Transport, shape of the body, error inside a 200, the platform's own table, the default table; an unknown code is
temporary and tried three times in all. Pure: the same reply always means the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from answerwatch.domain.answers import RawAnswer, Received, Reply
from answerwatch.domain.failures import LONGEST_MESSAGE, LONGEST_WAIT_S, Failure
from answerwatch.platforms.bodies import Body, at, readable, word
from answerwatch.platforms.records import ErrorRule, Match, Means, Surface
from answerwatch.platforms.rules import DEFAULT_RULES, EFFECTS, GATEWAY_PAGES, MEANS_OF_TRANSPORT
from answerwatch.platforms.waits import Wait, asked_wait

_REQUEST_ID_HEADERS = ("x-request-id", "x-tt-logid", "x-dashscope-request-id", "request-id", "cf-ray")
_CODE_PATHS = (
    ("error", "code"),
    ("error", "type"),
    ("code",),
    ("error_code",),
    ("base_resp", "status_code"),
    ("Response", "Error", "Code"),
    ("error", "status"),
    ("status",),
    ("type",),
)
_MESSAGE_PATHS = (
    ("error", "message"),
    ("error",),
    ("message",),
    ("error_msg",),
    ("base_resp", "status_msg"),
    ("Response", "Error", "Message"),
    ("detail",),
    ("msg",),
)
_FINE_CODES = frozenset({"", "0", "200", "success", "ok", "none"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A reply that is no answer, classified."""

    means: Means
    message: str
    code: str | None = None
    """The platform's first code word, if it gave one."""
    rule: ErrorRule | None = None


def find_trouble(reply: Reply, body: Body, own_rules: tuple[ErrorRule, ...] = ()) -> Trouble | None:
    """Return what is wrong with the reply, or None when it has the shape of a success."""
    if reply.error is not None or reply.status is None:
        return _of_transport(reply)
    if 300 <= reply.status < 400:
        return Trouble(means=Means.REDIRECTED, message=_redirect_text(reply))
    if body.document is None:
        return _of_shape(reply.status, body, own_rules)
    in_band = reply.status < 400
    if in_band and not _speaks_of_error(body.document):
        return None
    return _of_document(reply.status, body.document, own_rules, in_band=in_band)


def settle(trouble: Trouble, reply: Reply, surface: Surface) -> Received:
    """Return the trouble as what it is for the job: an answer of the content filter, or a failure."""
    if trouble.means is Means.FILTERED:
        answer = RawAnswer(
            text=trouble.message,
            response_format="text",
            finish_reason=trouble.code or "content_filter",
            filtered=True,
            search_asked=surface.search_asked,
            request_id=request_id(reply),
        )
        return Received(reply=reply, answer=answer)
    return Received(reply=reply, failure=failure_of(trouble, reply))


def failure_of(trouble: Trouble, reply: Reply) -> Failure:
    """Return the failure with its effects and the wait that the server asked for."""
    effect = EFFECTS[trouble.means]
    wants_wait = trouble.means in (Means.RATE_LIMITED, Means.QUOTA_USED_UP)
    wait = asked_wait(reply, trouble.message, throttled=wants_wait)
    if wait is None and trouble.rule is not None and trouble.rule.wait_s is not None:
        wait = Wait(seconds=min(trouble.rule.wait_s, LONGEST_WAIT_S), origin="rule", asked=f"{trouble.rule.wait_s:g}")
    note = f" (asked to wait {wait.asked}; capped)" if wait is not None and wait.origin == "cap" else ""
    return Failure(
        error_type=trouble.means.value,
        severity=effect.severity,
        scope=effect.scope,
        message=trouble.message[: LONGEST_MESSAGE - len(note)] + note,
        http_status=reply.status,
        retry_after_s=None if wait is None else wait.seconds,
        wait_origin=None if wait is None else wait.origin,
        throttled=effect.throttled,
        overloaded=effect.overloaded,
        transport=effect.transport,
        max_retries=effect.max_retries,
    )


def request_id(reply: Reply) -> str | None:
    """Return the platform's id of this exchange from the headers, what its support asks for."""
    given = dict(reversed(reply.headers))
    return next((found for name in _REQUEST_ID_HEADERS if (found := word(given.get(name)))), None)


def _of_transport(reply: Reply) -> Trouble:
    """Return the trouble of a reply that did not arrive whole."""
    means = MEANS_OF_TRANSPORT.get(reply.error or "", Means.CONNECTION)
    return Trouble(means=means, message=readable(reply.error_text or reply.error or "nothing came back"))


def _redirect_text(reply: Reply) -> str:
    """Return what a redirect is told as, with its target."""
    target = next((value for name, value in reply.headers if name == "location"), "nowhere")
    return readable(f"status {reply.status} sends us to {target}; check the base URL and whether a login page answers.")


def _of_shape(status: int, body: Body, own_rules: tuple[ErrorRule, ...]) -> Trouble | None:
    """Return the trouble of a body that is no JSON object."""
    if status < 400:
        if body.is_blank:
            return Trouble(means=Means.EMPTY, message=f"status {status} with an empty body")
        message = f"status {status} with a body that is no JSON: {body.head}"
        return Trouble(means=Means.BAD_REPLY, message=readable(message))
    message = readable(f"status {status}: {body.head}" if body.head else f"status {status} with an empty body")
    if body.is_html:
        means = GATEWAY_PAGES.get(status, Means.SERVER_ERROR if status >= 500 else Means.BAD_REPLY)
        return Trouble(means=means, message=message)
    rule = _first_fit((*own_rules, *DEFAULT_RULES), _Error(statuses=(status,), codes=(), message=body.head))
    return Trouble(means=_means(rule, status), message=message, rule=rule)


def _of_document(status: int, document: dict[str, object], own: tuple[ErrorRule, ...], *, in_band: bool) -> Trouble:
    """Return the trouble that a JSON body tells of."""
    codes = tuple(_codes(document))
    message = _message(document)
    # An error inside a 200 often names the status it should have had.
    named = (int(code) for code in codes if in_band and len(code) == 3 and code.isascii() and code.isdigit())
    statuses = (status, *(number for number in named if number >= 400))
    error = _Error(statuses=statuses, codes=codes, message=message, in_band=in_band)
    rule = _first_fit((*own, *DEFAULT_RULES), error)
    return Trouble(
        means=_means(rule, statuses[-1]),
        message=readable(message or f"status {status}: {' '.join(codes)}"),
        code=word(codes[0]) if codes else None,
        rule=rule,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Error:
    """What rules are compared with."""

    statuses: tuple[int, ...]
    codes: tuple[str, ...]
    message: str
    in_band: bool = False


def _first_fit(rules: Iterable[ErrorRule], error: _Error) -> ErrorRule | None:
    """Return the first rule that fits."""
    return next((rule for rule in rules if _fits(rule, error)), None)


def _fits(rule: ErrorRule, error: _Error) -> bool:
    """Tell whether a rule fits; inside a 200, a rule with a code word fits whatever status it names."""
    status_fits = rule.status is None or rule.status in error.statuses or (error.in_band and rule.code != "*")
    return status_fits and rule.message_has.casefold() in error.message.casefold() and _code_fits(rule, error)


def _code_fits(rule: ErrorRule, error: _Error) -> bool:
    """Tell whether the code of a rule is found in the reply."""
    code = rule.code.casefold()
    if code == "*":
        return True
    if rule.match is Match.MESSAGE:
        return code in error.message.casefold()
    if rule.match is Match.PREFIX:
        return any(given.casefold().startswith(code) for given in error.codes)
    return any(given.casefold() == code for given in error.codes)


def _means(rule: ErrorRule | None, status: int) -> Means:
    """Return the meaning of the rule that fits, or of a status that no rule knows."""
    if rule is not None:
        return rule.means
    return Means.SERVER_ERROR if status >= 500 else Means.UNKNOWN


def _speaks_of_error(document: dict[str, object]) -> bool:
    """Tell whether a body with a good status tells of an error all the same."""
    if document.get("error") or at(document, "Response", "Error"):
        return True
    if not _is_fine(at(document, "base_resp", "status_code")):
        return True
    has_answer = bool(document.get("choices"))
    return not has_answer and not (_is_fine(document.get("code")) and _is_fine(document.get("error_code")))


def _is_fine(code: object) -> bool:
    """Tell whether a code in a body says that all is well."""
    return code is None or str(code).strip().casefold() in _FINE_CODES


def _codes(document: dict[str, object]) -> Iterator[str]:
    """Yield every code word of an error body, the most telling place first."""
    for path in _CODE_PATHS:
        value = at(document, *path)
        if isinstance(value, str) and value.strip():
            yield value.strip()
        elif isinstance(value, int) and not isinstance(value, bool):
            yield str(value)


def _message(document: dict[str, object]) -> str:
    """Return the text for people of an error body, empty when there is none."""
    texts = (at(document, *path) for path in _MESSAGE_PATHS)
    found = next((text for text in texts if isinstance(text, str) and text.strip()), None)
    if found is not None:
        return found[: LONGEST_MESSAGE * 2]
    detail = document.get("detail")
    first = detail[0] if isinstance(detail, list) and detail else None
    text = at(first, "msg")
    return text[: LONGEST_MESSAGE * 2] if isinstance(text, str) else ""
