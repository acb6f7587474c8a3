"""Asking one sub-task: adopt an answer that was kept, or send one request and keep what comes back."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime

import structlog

from answerwatch.clock import Clock
from answerwatch.domain.answers import Ask, Received, Reply
from answerwatch.domain.failures import Failure, Scope, Severity
from answerwatch.domain.work import Claim, Done, Failed, HandedBack, Outcome, RetryPolicy, Why
from answerwatch.errors import ServiceError, UsageError
from answerwatch.platforms.ask import Sends, adopt, ask, evidence
from answerwatch.platforms.connections import NoFreeConnection
from answerwatch.platforms.envelope import EvidenceDamaged
from answerwatch.platforms.keys import MissingKey
from answerwatch.platforms.records import Surface
from answerwatch.stages.collect.outcome import EMPTY, call_of, sample_of, too_large
from answerwatch.stages.collect.records import Call, FindsSurface, ToAsk
from answerwatch.store.batch.sub_tasks import SubTaskRow
from answerwatch.store.objects import ObjectStore, raw_key
from answerwatch.store.sample.samples import NewSample

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Sent:
    """When the request of a run went out: from then on it is an attempt, whatever happens next."""

    at: datetime | None = None


@dataclass(slots=True)
class Asker:
    """Everything that asking needs, for the life of a stage."""

    platforms: FindsSurface
    sender: Sends
    objects: ObjectStore
    clock: Clock
    policy: RetryPolicy
    keepers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(4, "keep-answers"))
    """Threads that compress and write payloads, so that the loop never waits for the disk."""

    async def outcome(self, item: ToAsk, sent: Sent) -> Outcome[Call]:
        """Return what came of one sub-task."""
        claim, sub_task = item.claim, item.sub_task
        if sub_task is None:
            text = f"batch, sub-task or question of {claim.task_id} is not there any more; drop this dead letter"
            return Failed(claim=claim, failure=_permanent("rows_missing", text))
        try:
            surface = self.platforms.get(sub_task.platform)
            kept = await self._adopt(item, sub_task, surface)
            return kept or await self._ask(item, sub_task, surface, sent)
        except (UsageError, MissingKey) as error:
            # Nothing was sent. The set-up of the platform needs a person, and all its work waits for that.
            sent.at = None
            scope = Scope.KEY if isinstance(error, MissingKey) else Scope.LOCAL
            return Failed(claim=claim, failure=_permanent(error.code, error.text, scope))
        except ServiceError as error:
            # The object store cannot be used, and an answer could not be kept either.
            return Failed(claim=claim, failure=_permanent(error.code, error.text, Scope.LOCAL))
        except NoFreeConnection:
            sent.at = None
            return HandedBack(claim=claim, why=Why.UNUSED)

    async def _adopt(self, item: ToAsk, sub_task: SubTaskRow, surface: Surface) -> Done[Call] | None:
        """Return the answer that an earlier attempt kept and could not store; None when there is none."""
        loop = asyncio.get_running_loop()
        for attempt in item.open_attempts:
            key = raw_key(sub_task.batch_id, sub_task.sub_task_id, attempt)
            found = await loop.run_in_executor(self.keepers, self._find, key, surface)
            if found is None:
                continue
            sha256, size, received = found
            call = call_of(received, attempt, surface, adopted=True)
            sample = sample_of(sub_task, surface, call, received)
            return Done(claim=item.claim, value=replace(call, sample=self._located(sample, key, sha256, size)))
        return None

    def _find(self, key: str, surface: Surface) -> tuple[str, int, Received] | None:
        """Return hash, size and content of a kept answer; None when there is none that can be read."""
        if not self.objects.exists(key):
            return None
        payload = self.objects.get(key)
        try:
            envelope, received = adopt(payload, surface)
        except EvidenceDamaged as error:
            log.warning("kept_answer_unusable", key=key, error=error.text, next="the question is asked again")
            return None
        return None if received.answer is None else (envelope.raw_sha256, len(payload), received)

    async def _ask(self, item: ToAsk, sub_task: SubTaskRow, surface: Surface, sent: Sent) -> Outcome[Call]:
        """Send one request, classify what came back, and keep an answer before anything else."""
        claim = item.claim
        within_s = None if item.ends_s is None else item.ends_s - self.clock.monotonic()
        if within_s is not None and within_s <= 0:
            return HandedBack(claim=claim, why=Why.HELD)
        question = Ask(sub_task_id=sub_task.sub_task_id, query_text=sub_task.query_text, attempt=claim.attempt)
        sent.at = self.clock.now()
        received = await ask(question, surface, self.sender, within_s=within_s)
        call = call_of(received, claim.attempt, surface)
        failure = self._failure(received, claim)
        if failure is not None:
            return Failed(claim=claim, failure=failure, value=call)
        sample = sample_of(sub_task, surface, call, received)
        loop = asyncio.get_running_loop()
        try:
            kept = await _whole(
                loop.run_in_executor(self.keepers, self._keep, question, surface, received.reply, sample)
            )
        except ServiceError as error:
            # Asking on would pay for more answers that cannot be kept: the lane waits for a person.
            return Failed(claim=claim, failure=_permanent(error.code, error.text, Scope.LOCAL), value=call)
        return Done(claim=claim, value=replace(call, sample=kept))

    def _failure(self, received: Received, claim: Claim) -> Failure | None:
        """Return why there is no sample; an empty answer whose retries are used up is one."""
        answer, failure = received.answer, received.failure
        if answer is None or failure is None:
            return failure if answer is None else too_large(answer)
        used_up = failure.error_type == EMPTY and claim.failures >= self.policy.retries_for(failure)
        return None if used_up else failure

    def _keep(self, question: Ask, surface: Surface, reply: Reply, sample: NewSample) -> NewSample:
        """Put the payload under the key of this attempt and return the sample with its address."""
        payload, sha256 = evidence(question, surface, reply)
        key = raw_key(sample.batch_id, question.sub_task_id, question.attempt)
        self.objects.put(key, payload)
        return self._located(sample, key, sha256, len(payload))

    def _located(self, sample: NewSample, key: str, sha256: str, size: int) -> NewSample:
        return replace(sample, raw_data_url=self.objects.url(key), raw_sha256=sha256, raw_size=size)


async def _whole(keeping: asyncio.Future[NewSample]) -> NewSample:
    """Return what was kept; when the run is cancelled meanwhile, too: the answer is here, and this is no time at all.

    Given up here, it would lie in the object store with no row that tells of it.
    """
    try:
        return await asyncio.shield(keeping)
    except asyncio.CancelledError:
        return await keeping


def _permanent(error_type: str, message: str, scope: Scope = Scope.REQUEST) -> Failure:
    return Failure(error_type=error_type, severity=Severity.PERMANENT, scope=scope, message=message)
