"""What goes to the terminal: ids stay whole, control characters stay harmless, figures are never made up."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from answerwatch.interfaces.cli.output import Terminal, printable, to_json
from answerwatch.interfaces.cli.wording import counted, duration, number, number_span, one_line, percent, percent_span
from answerwatch.messages import Messages


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 中文 😀\n\tindented", "plain 中文 😀\n\tindented"),
        ("\x1b[31mred\x1b[0m", "\\u001b[31mred\\u001b[0m"),
        ("over\rwritten", "over\\u000dwritten"),
        ("line\r\nend", "line\nend"),
        ("\u202egnirts\u2069", "\\u202egnirts\\u2069"),
        ("\x9b1A\x07", "\\u009b1A\\u0007"),
    ],
)
def test_text_of_others_cannot_drive_the_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_an_id_is_never_folded(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    long_id = "BATCH_20261130184346_华为_QQ20260701_001_deepseek-search_R12_and_more_to_come"
    Terminal().table(["id", "text"], [[long_id, "word " * 40]], whole=(0,))

    assert any(long_id in line for line in capsys.readouterr().out.splitlines())


def test_moments_are_shown_in_the_zone_of_the_workspace() -> None:
    terminal = Terminal()
    terminal.zone = ZoneInfo("Asia/Shanghai")

    assert terminal.cell(datetime(2026, 7, 1, 20, 0, tzinfo=UTC)) == "2026-07-02 04:00:00"
    assert terminal.cell(None) == ""
    assert terminal.cell(("a", "b")) == "a, b"


@pytest.mark.parametrize("moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York"])
def test_moments_at_the_ends_of_the_calendar_are_shown_too(moment: datetime, zone: str) -> None:
    terminal = Terminal()
    terminal.zone = ZoneInfo(zone)

    assert terminal.cell(moment).count(":") == 2


def test_json_is_utf_8_and_holds_even_a_lone_surrogate() -> None:
    assert json.loads(to_json({"brand": "华为"}).decode("utf-8")) == {"brand": "华为"}
    assert to_json({"folder": "\udcff"}).isascii()


@pytest.mark.parametrize(
    ("seconds", "said"), [(None, "—"), (0.4, "0 s"), (99, "99 s"), (125, "2 min 5 s"), (7_300, "2 h 1 min")]
)
def test_durations_are_said_in_units_that_matter(seconds: float | None, said: str) -> None:
    assert duration(seconds, Messages("en")) == said


def test_what_is_not_known_is_a_dash_and_never_zero() -> None:
    assert (number(None), number(0)) == ("—", "0")
    assert percent(None) == "—"
    assert percent(0.0) == "0.0%"
    assert (percent_span(None, None), percent_span(0.1, 0.25)) == ("", "10.0–25.0%")
    assert (number_span(1.0, None), number_span(1.0, 2.5)) == ("", "1.00–2.50")
    assert counted([]) == "—"


def test_long_texts_are_cut_with_a_mark() -> None:
    assert one_line("a\n  b", 10) == "a b"
    assert one_line("abcdefgh", 5) == "abcd…"


def test_words_beside_a_long_id_are_not_torn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    Terminal().table(["id", "platform", "characters"], [["B" * 55, "doubao-import", 5]], whole=(0,))

    out = capsys.readouterr().out
    assert all(word in out for word in ("platform", "characters", "doubao-import"))
