"""Whatever happens to clean tasks, in whatever order, their histories hold legal moves only and results fit states."""

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import Table

from answerwatch.domain.clean_states import MOVES, CleanState
from answerwatch.domain.failures import Failure, Severity
from answerwatch.domain.work import CLEAN, COLLECT, Claim, Done, Failed, HandedBack, Why
from answerwatch.engine.work import next_step
from answerwatch.store.schema import brand_result, clean_result, clean_state, entity_match_detail
from answerwatch.store.work import ledger
from tests.databases import SQLITE, Databases
from tests.integration.stages.canned import Canned, chat_body, perform, settle, take
from tests.integration.stages.line import Line, questions, surface

TEXTS = ["推荐砚山咖啡。", "很抱歉，我无法回答。", "砚山咖啡和霁白咖啡都行。"]
DATABASES = Databases(Path(tempfile.mkdtemp(prefix="answerwatch-tests-")))
FINAL = {CleanState.COMPLETED, CleanState.FAILED}


class CleanTasks(RuleBasedStateMachine):
    """Three samples of which one is no answer, and everything that workers do to their tasks."""

    def __init__(self) -> None:
        super().__init__()
        self.ending = ExitStack()
        folder = Path(self.ending.enter_context(tempfile.TemporaryDirectory()))
        url = self.ending.enter_context(DATABASES.ready(SQLITE))
        self.line = Line(folder, url, {"sim": surface("http://127.0.0.1:1")})
        self.line.add_lexicon(A牌=["砚山咖啡"], B牌=["霁白咖啡"])
        asked = questions(len(TEXTS))
        self.line.add_batch("B1", asked)
        answers = {question.query_text: text for question, text in zip(asked, TEXTS, strict=True)}
        collect = self.line.collect_stage(Canned(lambda question: chat_body(answers[question])))
        settle(self.line, collect, perform(self.line, collect, take(self.line, COLLECT)))
        self.stage = self.line.stage(CLEAN)
        self.held: list[Claim] = []
        self.stale: list[Claim] = []

    def teardown(self) -> None:
        self.line.store.close()
        self.ending.close()

    @rule(most=st.integers(1, 3))
    def claim(self, most: int) -> None:
        self.held += take(self.line, CLEAN, most=most)

    @rule(late=st.booleans())
    def succeed(self, *, late: bool) -> None:
        claims, self.held, self.stale = self.of_one_step(late=late)
        if claims:
            outcomes = perform(self.line, self.stage, claims)
            settle(self.line, self.stage, outcomes)
            if not late:
                self.held += [next_step(one.claim) for one in outcomes if isinstance(one, Done) and one.more]

    @rule(severity=st.sampled_from(Severity), late=st.booleans())
    def fail(self, *, severity: Severity, late: bool) -> None:
        claims, self.held, self.stale = self.of_one_step(late=late)
        failure = Failure(error_type="odd", severity=severity, message="odd")
        settle(self.line, self.stage, [Failed(claim=claim, failure=failure) for claim in claims])

    @rule()
    def stop(self) -> None:
        claims, self.held, self.stale = self.of_one_step(late=False)
        settle(self.line, self.stage, [HandedBack(claim=claim, why=Why.STOPPED) for claim in claims])

    @rule()
    def crash(self) -> None:
        """The worker dies: its tasks come back to the ledger, its outcomes may still arrive."""
        with self.line.store.writing() as tx:
            ledger.hand_back(tx, self.held, spent_attempt=True)
        self.stale += self.held
        self.held = []

    @rule()
    def replay(self) -> None:
        self.line.replay(CLEAN)

    def of_one_step(self, *, late: bool) -> tuple[list[Claim], list[Claim], list[Claim]]:
        """Return the claims to act on (all at one step), and what stays held and stale."""
        source = self.stale if late else self.held
        step = source[0].step if source else 0
        chosen = [claim for claim in source if claim.step == step]
        rest = [claim for claim in source if claim.step != step]
        return (chosen, self.held, rest) if late else (chosen, rest, self.stale)

    @invariant()
    def histories_are_legal_and_unbroken(self) -> None:
        for row in self.line.rows(clean_state):
            states = [CleanState.PENDING, *(CleanState(move["to"]) for move in row["state_history"])]
            assert all(to in MOVES[start] for start, to in pairwise(states)), states
            assert [move["from"] for move in row["state_history"]] == states[:-1]
            assert row["current_state"] == states[-1]

    @invariant()
    def results_fit_the_states(self) -> None:
        states = {row["clean_task_id"]: CleanState(row["current_state"]) for row in self.line.rows(clean_state)}
        found = self.rows_by_task(clean_result)
        for id_, state in states.items():
            if state in FINAL:
                assert [row["clean_state"] for row in found[id_]] == [state]
        for rows in found.values():
            assert len(rows) == 1
            assert (rows[0]["is_valid"] == 1) == (rows[0]["is_mentioned"] is not None)
        done = {id_ for id_, rows in found.items() if rows[0]["is_valid"] == 1}
        assert self.rows_by_task(brand_result).keys() == self.rows_by_task(entity_match_detail).keys() == done

    def rows_by_task(self, table: Table) -> dict[str, Sequence[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        for row in self.line.rows(table):
            found.setdefault(row["clean_task_id"], []).append(row)
        return dict(found)


TestCleanTasks = CleanTasks.TestCase
TestCleanTasks.settings = settings(
    max_examples=15, stateful_step_count=15, suppress_health_check=[HealthCheck.too_slow]
)
