"""docs/similarity.md shows scorers that can be made, and tells every setting; docs/simulator.md those of fake ones."""

import tomllib
from dataclasses import fields
from importlib import import_module

import pytest

from answerwatch.scorers.http.settings import ServerSettings
from answerwatch.scorers.registry import KINDS
from answerwatch.simulator.scoring.behaviour import BREAKING, HARMLESS, SPOILING, Behaviour
from tests.house.documents import blocks, read, rows

PAGE = read("docs/similarity.md")
SCORERS = {
    name: table for kind, body in blocks(PAGE) if kind == "toml" for name, table in tomllib.loads(body).items()
}  # fmt: skip
SERVERS = {name for name, kind in KINDS.items() if ".http." in kind.module}


def names(page: str, heading: str) -> set[str]:
    return {name.strip("`") for cells in rows(page, heading) for name in cells[0].split(", ")}


def test_every_kind_of_server_is_shown() -> None:
    assert {table["kind"] for table in SCORERS.values()} >= SERVERS


@pytest.mark.parametrize("name", sorted(SCORERS))
def test_what_is_shown_can_be_set(name: str) -> None:
    table = dict(SCORERS[name])
    kind = KINDS[table.pop("kind")]

    getattr(import_module(kind.module), kind.settings).model_validate(table)


def test_every_setting_of_all_servers_is_told() -> None:
    told = names(PAGE, "### Servers")

    assert set(ServerSettings.model_fields) - told == {"base_url"}


def test_every_field_of_a_fake_scorer_is_told() -> None:
    page = read("docs/simulator.md")
    (faults,) = (cells[2] for cells in rows(page, "## Fake scorers") if cells[0] == "`faults`")

    assert names(page, "## Fake scorers") == {field.name for field in fields(Behaviour)}
    assert all(f"`{one}`" in faults for one in BREAKING | SPOILING | HARMLESS)
