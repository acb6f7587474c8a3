"""docs/platforms.md tells every key and every meaning, with the defaults and consequences that the code has."""

import tomllib
from pathlib import Path

import pytest

from answerwatch.domain.failures import Failure
from answerwatch.domain.work import COLLECT_POLICY
from answerwatch.platforms.catalogue import GENERIC, catalogue
from answerwatch.platforms.fields import READERS
from answerwatch.platforms.records import Means
from answerwatch.platforms.rules import EFFECTS
from answerwatch.platforms.workspace_file import read_platforms
from tests.house.documents import blocks, read, rows

PAGE = "docs/platforms.md"
KEYS = {cells[0].strip("`"): cells[1].strip("`") for cells in rows(read(PAGE), "## Keys")}
MEANINGS = {cells[0].strip("`"): cells for cells in rows(read(PAGE), "## What a reply means")}
WORDS = {"required", "not known", "its name", "the platform of that name"}


def test_every_key_is_told_and_no_other() -> None:
    assert set(KEYS) == {*READERS, "based_on"}


@pytest.mark.parametrize("key", [key for key, default in KEYS.items() if default not in WORDS])
def test_the_default_that_is_told_is_the_default(key: str) -> None:
    told = tomllib.loads(f"value = {KEYS[key]}")["value"]

    assert READERS[key](told) == getattr(catalogue().surfaces[GENERIC], key)


def test_the_examples_can_be_read(tmp_path: Path) -> None:
    [example] = [body for kind, body in blocks(read(PAGE)) if kind == "toml"]
    file = tmp_path / "platforms.toml"
    file.write_text(example, encoding="utf-8")

    assert len(read_platforms(file, catalogue()).all()) == 3


def test_every_meaning_is_told() -> None:
    assert set(MEANINGS) == set(Means)


@pytest.mark.parametrize("means", EFFECTS)
def test_what_follows_from_a_meaning_is_told(means: Means) -> None:
    effect = EFFECTS[means]
    failure = Failure(error_type=means, severity=effect.severity, scope=effect.scope, max_retries=effect.max_retries)
    lane = [
        word
        for word, holds in (
            ("parked", failure.parks),
            ("slows down", effect.throttled),
            ("stops growing", effect.overloaded),
            ("counts a fault", effect.transport),
        )
        if holds
    ]

    _, _, retries, told = MEANINGS[means]
    assert retries == ("waits" if failure.parks else str(COLLECT_POLICY.retries_for(failure)))
    assert told == " ".join(lane)
