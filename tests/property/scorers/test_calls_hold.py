"""Whatever a server limits, refuses and shuffles: every text has its own numbers or its own refusal."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import anyio
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.domain.answers import Reply
from answerwatch.scorers.http.calling import Calls, Errand, Found
from answerwatch.scorers.http.limits import Limits
from answerwatch.scorers.http.openai import Embeddings
from answerwatch.scorers.http.pace import Pace

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@dataclass(slots=True)
class Server:
    """A server in memory that answers each text with its number."""

    most_texts: int
    most_chars: int
    poison: frozenset[str]
    says_limit: bool
    refusals: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    async def send(self, _: str, body: bytes) -> Reply:
        texts = json.loads(body)["input"]
        if len(texts) > self.most_texts:
            return self._refuse(f"batch size should not be larger than {self.most_texts}" if self.says_limit else "")
        if sum(map(len, texts)) > self.most_chars or self.poison & set(texts):
            return self._refuse("")
        self.sizes.append(len(texts))
        rows = [{"index": place, "embedding": [float(text.split("|")[0])]} for place, text in enumerate(texts)]
        return _reply(200, {"data": rows[::-1]})

    def _refuse(self, message: str) -> Reply:
        self.refusals.append(1)
        return _reply(400, {"error": {"message": message}} if message else None)


def _reply(status: int, document: object) -> Reply:
    body = b"" if document is None else json.dumps(document).encode()
    return Reply(started_at=NOW, ended_at=NOW, status=status, headers=(), body=body)


def run(server: Server, texts: Sequence[str], limits: Limits, most: int) -> Found:
    errand = Errand(
        dialect=Embeddings(path="/embeddings", prefix=""),
        size=len,
        sample=("0|",),
        send=server.send,
        revision=lambda _, __: None,
        patience_s=1.0,
    )
    return anyio.run(Calls(errand, texts, limits, Pace(most)).run, range(len(texts)))


@given(
    sizes=st.lists(st.integers(0, 30), max_size=60),
    most_texts=st.integers(1, 40),
    most_chars=st.integers(60, 400),
    poisoned=st.sets(st.integers(0, 59), max_size=3),
    says_limit=st.booleans(),
    at_once=st.integers(1, 8),
)
def test_every_text_has_its_own_number_or_its_own_refusal(
    sizes: list[int], most_texts: int, most_chars: int, poisoned: set[int], at_once: int, *, says_limit: bool
) -> None:
    texts = [f"{number}|{'x' * size}" for number, size in enumerate(sizes)]
    bad = {place for place in poisoned if place < len(texts)}
    server = Server(most_texts, most_chars, frozenset(texts[place] for place in bad), says_limit)

    found = run(server, texts, Limits(32, 1000), at_once)

    assert found.failure is None
    assert set(found.refused) == bad
    assert set(found.rows) == set(range(len(texts))) - bad
    assert all(float(np.asarray(row)[0]) == place for place, row in found.rows.items())


@given(st.integers(1, 31), st.integers(1, 8))
def test_a_limit_that_is_told_is_met_once(most_texts: int, at_once: int) -> None:
    server = Server(most_texts, 10_000, frozenset(), says_limit=True)
    limits = Limits(32, 1000)

    run(server, [f"{number}|" for number in range(200)], limits, at_once)

    assert (len(server.refusals), limits.texts) == (1, most_texts)


@given(st.integers(1, 31), st.integers(1, 8))
def test_a_limit_that_is_not_told_is_found_in_a_few_calls_and_not_met_again(most_texts: int, at_once: int) -> None:
    server = Server(most_texts, 10_000, frozenset(), says_limit=False)
    limits = Limits(32, 1000)
    texts = [f"{number}|" for number in range(200)]

    run(server, texts, limits, at_once)
    first = len(server.refusals)
    run(server, texts, limits, at_once)

    assert first <= 5
    assert most_texts / 2 <= limits.texts <= most_texts
    assert len(server.refusals) == first
