"""docs/simulator.md tells every field and every fault, and what the product makes of each."""

from dataclasses import fields
from pathlib import Path

from answerwatch.platforms.catalogue import catalogue
from answerwatch.platforms.workspace_file import read_platforms
from answerwatch.simulator import parse_script
from answerwatch.simulator.faults import FAULTS
from answerwatch.simulator.settings import Settings
from tests.house.documents import blocks, read, rows
from tests.integration.platforms.test_faults import ANSWERS, FAILURES

PAGE = "docs/simulator.md"
FIELDS = {cells[0].strip("`"): cells[1].strip("`") for cells in rows(read(PAGE), "## The script")}
TOLD = {name.strip("`"): cells[1] for cells in rows(read(PAGE), "## Faults") for name in cells[0].split(", ")}


def examples(kind: str) -> list[str]:
    return [body for found, body in blocks(read(PAGE)) if found == kind]


def test_every_field_of_a_script_is_told_and_no_other() -> None:
    assert set(FIELDS) == {"seed", "profiles", *(field.name for field in fields(Settings))}


def test_defaults_that_are_told_leave_the_script_as_it_is() -> None:
    told = {
        name: default for name, default in FIELDS.items() if default not in {"none", "the asked one", "invented ones"}
    }
    text = "\n".join(f"{name}: {default}" for name, default in told.items())

    assert parse_script(text) == parse_script("")


def test_every_fault_is_told_and_no_other() -> None:
    assert set(TOLD) == set(FAULTS)


def test_what_becomes_of_a_fault_is_told() -> None:
    answers = {name.partition(":")[0] for name in ANSWERS}

    assert {name for name in answers if not TOLD[name].startswith("answer")} == set()
    assert {name: TOLD[name] for name, _ in FAILURES} == dict(FAILURES)


def test_the_examples_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "platforms.toml"
    file.write_text(examples("toml")[0], encoding="utf-8")

    assert [parse_script(text).seed for text in examples("yaml")] == [7]
    assert len(read_platforms(file, catalogue()).all()) == 1
