"""How many processors scorers take, and who may say so."""

import os

import pytest

from answerwatch.scorers.cores import THREADS, cores, limited


def test_a_variable_tells_to_take_fewer_and_never_more_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(THREADS, raising=False)
    there = cores()
    found = {}
    for told in ("1", "0", "100000", "4,2", "many"):
        monkeypatch.setenv(THREADS, told)
        found[told] = cores()
    assert found == {"1": 1, "0": 1, "100000": there, "4,2": there, "many": there}


def test_a_limit_ends_with_its_context(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(THREADS, raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    with limited(1):
        assert (cores(), os.environ["OPENBLAS_NUM_THREADS"]) == (1, "1")
    assert THREADS not in os.environ
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"
