"""Ctrl-C asks once, then urgently, and only then leaves whatever is going on."""

from __future__ import annotations

import signal

import pytest

from answerwatch.interfaces.cli.running.interrupts import Interrupts

pytestmark = pytest.mark.usefixtures("heard_signals")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_two_signals_ask_and_raise_nothing_in_the_middle_of_a_call(number: signal.Signals) -> None:
    with Interrupts() as stop:
        assert (stop.is_set(), stop.is_urgent()) == (False, False)
        signal.raise_signal(number)
        assert (stop.is_set(), stop.is_urgent()) == (True, False)
        signal.raise_signal(number)
        assert (stop.is_set(), stop.is_urgent()) == (True, True)


def test_a_third_signal_leaves_a_program_that_does_not_listen() -> None:
    with Interrupts():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_closed_terminal_is_ignored_where_nohup_says_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupts() as stop:
            signal.raise_signal(signal.SIGHUP)
            assert not stop.is_set()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_signals_are_given_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before
