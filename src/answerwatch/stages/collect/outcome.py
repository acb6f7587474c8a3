"""From an exchange to what is stored of it; pure."""

from __future__ import annotations

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.answers import RawAnswer, Received, facts_of
from answerwatch.domain.failures import Failure, Scope, Severity
from answerwatch.domain.limits import Signal, SignalKind
from answerwatch.domain.texts import storable
from answerwatch.domain.work import Done, Failed, Outcome
from answerwatch.platforms.records import Price, Surface
from answerwatch.stages.collect.records import LONGEST_ANSWER, Call
from answerwatch.store.batch.sub_tasks import SubTaskRow
from answerwatch.store.sample.samples import NewSample

EMPTY = "empty"
"""Error type of a reply with nothing in it."""
OWN_SET_UP = "our own set-up, not the key: "
"""Stands before the message of a failure that a person mends here, not at the platform."""


def too_large(answer: RawAnswer) -> Failure | None:
    """Return the failure of an answer that is too long to store, None when it is not."""
    if len(answer.text) <= LONGEST_ANSWER:
        return None
    message = f"the answer has {len(answer.text):,} characters; at most {LONGEST_ANSWER:,} are stored"
    return Failure(error_type="too_large", severity=Severity.PERMANENT, message=message)


def cost_of(answer: RawAnswer | None, price: Price | None) -> float | None:
    """Return the estimated price of a call; None when price or tokens are not known: unknown is not free."""
    if answer is None or price is None or answer.prompt_tokens is None or answer.completion_tokens is None:
        return None
    return price.of(answer.prompt_tokens, answer.completion_tokens)


def call_of(received: Received, attempt: int, surface: Surface, *, adopted: bool = False) -> Call:
    """Return what is known of a request after its exchange."""
    return Call(
        attempt=attempt,
        started_at=received.reply.started_at,
        ended_at=received.reply.ended_at,
        http_status=received.reply.status,
        cost=cost_of(received.answer, surface.price),
        adopted=adopted,
    )


def sample_of(sub_task: SubTaskRow, surface: Surface, call: Call, received: Received) -> NewSample:
    """Return the sample of an answered call; where its payload lies is added when it is kept."""
    answer = received.answer
    if answer is None:
        raise AssertionError("a sample is made of an answer")
    text = storable(answer.text)
    return NewSample(
        sub_task_id=sub_task.sub_task_id,
        batch_id=sub_task.batch_id,
        question_id=sub_task.question_id,
        question_version=sub_task.question_version,
        brand_name=sub_task.brand_name,
        platform=sub_task.platform,
        scene_type=sub_task.scene_type,
        round=sub_task.round,
        query_text=sub_task.query_text,
        raw_response=text.text,
        response_format=answer.response_format,
        response_length=len(text.text),
        response_time_ms=received.reply.response_time_ms,
        altered_characters=text.altered,
        collected_at=received.reply.ended_at,
        attempt=call.attempt,
        model_asked=surface.model or None,
        parameters=dict(surface.body),
        reasoning=None if answer.reasoning is None else storable(answer.reasoning).text,
        cost=call.cost,
        citations=answer.citations,
        **facts_of(answer),
    )


def signal_of(outcome: Outcome[Call]) -> Signal | None:
    """Return what an outcome tells about its lane; None when no request of now tells anything."""
    if isinstance(outcome, Done):
        return None if outcome.value.adopted else Signal(kind=SignalKind.ANSWERED, answer_us=_answer_us(outcome.value))
    if not isinstance(outcome, Failed):
        return None
    failure = outcome.failure
    if failure.parks:
        where = OWN_SET_UP if failure.scope is Scope.LOCAL else ""
        return Signal(kind=SignalKind.PARKS, reason=f"{failure.error_type}: {where}{failure.message}"[:500])
    if outcome.value is None or outcome.value.adopted:
        return None
    return Signal(kind=_kind(failure), wait_s=failure.retry_after_s, reason=failure.error_type)


def _kind(failure: Failure) -> SignalKind:
    if failure.throttled:
        return SignalKind.THROTTLED
    if failure.overloaded:
        return SignalKind.OVERLOADED
    return SignalKind.TRANSPORT if failure.transport else SignalKind.ANSWERED


def _answer_us(call: Call) -> int:
    return round((call.ended_at - call.started_at).total_seconds() * MICROSECONDS)
