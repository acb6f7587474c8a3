"""The environment is reproducible, and no rule is switched off without a reason."""

import re
import tomllib

import answerwatch
from tests.house.documents import read

PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]+\])?==", re.MULTILINE)
NAME = re.compile(r"[A-Za-z0-9._-]+")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def wanted() -> set[str]:
    settings = tomllib.loads(read("pyproject.toml"))
    project, groups = settings["project"], settings["dependency-groups"]
    extras = [line for lines in project.get("optional-dependencies", {}).values() for line in lines]
    grouped = [line for lines in groups.values() for line in lines if isinstance(line, str)]
    lines = [*project["dependencies"], *extras, *grouped, *settings["build-system"]["requires"]]
    return {normal(match[0]) for line in lines if (match := NAME.match(line))} - {normal(project["name"])}


def test_every_dependency_is_pinned() -> None:
    missing = wanted() - {normal(name) for name in PINNED.findall(read("constraints.txt"))}

    assert not missing, "run `make lock` and commit constraints.txt"


def test_every_pin_has_hashes_and_no_address() -> None:
    text = read("constraints.txt")
    pins = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)

    assert not [pin.splitlines()[0] for pin in pins if pin.strip() and "--hash=sha256:" not in pin]
    assert "://" not in text
    assert not re.search(r"^--", text, re.MULTILINE), (
        "options such as an index belong to the machine, not to the project"
    )


def test_dependencies_have_a_lower_bound() -> None:
    bare = [line for line in tomllib.loads(read("pyproject.toml"))["project"]["dependencies"] if ">=" not in line]

    assert not bare


def test_every_lint_rule_that_is_off_has_its_reason() -> None:
    lint = read("pyproject.toml").split("[tool.ruff.lint]")[1].split("[tool.ruff.lint.flake8")[0]
    without = re.findall(r'^  "[A-Z]+\d*",\s*(?:#\s*)?$', lint, re.MULTILINE)

    assert lint.count("# ") > 10
    assert not without


def test_the_version_that_is_shown_is_the_one_that_is_built() -> None:
    assert tomllib.loads(read("pyproject.toml"))["project"]["version"] == answerwatch.__version__
