"""Documents say what is true: their commands exist, their links lead somewhere, both languages agree."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from answerwatch.simulator.answers import BOOKS
from tests.house.documents import blocks, calls, commands, documents, links, read, rows
from tests.house.sources import ROOT, tracked_files

PACKAGE = ROOT / "src" / "answerwatch"
READMES = ("README.md", "README.zh-CN.md")
RECORDS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
MACHINE_PATH = re.compile(r"(?:^|[^A-Za-z.\w])/(?:home|root|Users|work|mnt|opt|srv)/\w")
REGISTRY = re.compile(r"pypi\.org|pythonhosted\.org|registry\.npmjs|npmmirror\.com|mirrors\.\w+\.(?:com|edu|org)")
CHANGES = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def make_targets() -> set[str]:
    (line,) = re.findall(r"^\.PHONY: (.+)$", read("Makefile"), re.MULTILINE)
    return set(line.split())


@pytest.mark.parametrize("name", [*READMES, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_make_targets_that_a_document_names_exist(name: str) -> None:
    named = {word for words in commands(read(name), "make") for word in words if re.fullmatch(r"[a-z-]+", word)}

    assert named, f"{name} names no make target any more; does this test still read it rightly?"
    assert not named - make_targets()


def test_every_make_target_says_what_it_does() -> None:
    described = set(re.findall(r"^([a-z-]+):.*## \w", read("Makefile"), re.MULTILINE))

    assert described == make_targets()


def test_both_readmes_show_the_same_commands() -> None:
    english, chinese = (read(name) for name in READMES)

    assert blocks(english) == blocks(chinese)
    assert list(commands(english, "answerwatch")) == list(commands(chinese, "answerwatch"))


def test_the_simulator_names_the_brand_of_the_tour_in_both_languages() -> None:
    tour = list(commands(read("README.md"), "answerwatch"))
    (added,) = (words for words in tour if words[:2] == ["brands", "add"])
    names = {added[2], *(value for option, value in pairwise(added) if option == "--alias")}

    for book in BOOKS.values():
        assert names & {brand for topic in book.topics.values() for brand in topic.brands}
    assert ["report", added[2]] in tour


def test_places_to_change_exist() -> None:
    cells = [" ".join(row) for row in rows(read("CONTRIBUTING.md"), "## Where to change what")]
    places = {place for text in cells for place in re.findall(r"`([a-z_/]+(?:/|\.py|\.toml|\.md))`", text)}

    assert len(places) > len(cells)
    assert not [place for place in places if not any((root / place).exists() for root in (PACKAGE, ROOT))]


def test_links_inside_the_repository_lead_to_files() -> None:
    broken = [
        f"{path.relative_to(ROOT)} -> {target}"
        for path in documents()
        for target in links(path.read_text(encoding="utf-8"))
        if not (path.parent / target).exists()
    ]

    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(
    ("pattern", "what"), [(MACHINE_PATH, "a path of one machine"), (REGISTRY, "a registry's host")]
)
def test_no_tracked_file_names(pattern: re.Pattern[str], what: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number} names {what}: {match[0].strip()}"
        for path in tracked_files()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), start=1)
        if (match := pattern.search(line))
    ]

    assert not found, "\n".join(found)


def test_the_forbidden_patterns_match_what_they_are_for() -> None:
    assert MACHINE_PATH.search("cd ~/code".replace("~", "/home"))
    assert REGISTRY.search("https://index.org/simple".replace("index", "pypi"))
    assert not MACHINE_PATH.search("the network/work/queue, src/work/x.py and docs/root/y")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_decision_record_has_its_four_parts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert re.match(rf"# {int(path.stem[:4])}\. \S", text), "the title starts with the number of the file"
    assert re.search(r"^Status: (accepted|replaced by \d{4})", text, re.MULTILINE)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Figures", "Consequences"]


def test_decision_records_are_numbered_without_gaps_and_listed() -> None:
    index = read("docs/decisions/README.md")

    assert [int(path.stem[:4]) for path in RECORDS] == list(range(1, len(RECORDS) + 1))
    assert [link for link in links(index) if link[0].isdigit()] == [path.name for path in RECORDS]


def test_the_changelog_has_its_form() -> None:
    text = read("CHANGELOG.md")
    heads = re.findall(r"^## (.+)$", text, re.MULTILINE)
    versions = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d", head) for head in heads[1:]]

    assert heads[0] == "[Unreleased]"
    assert all(versions), "a version is written `## [1.2.3] - 2026-12-31`"
    numbers = [tuple(map(int, version.groups())) for version in versions if version]
    assert all(newer > older for newer, older in pairwise(numbers)), "the newest version comes first"
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= CHANGES


def test_the_glossary_gives_a_chinese_term_for_every_word() -> None:
    rows = [line.strip("| ").split(" | ") for line in read("docs/glossary.md").splitlines() if line.startswith("| ")]

    poor = [row[0] for row in rows if len(row) != 3 or not re.search(r"[\u4e00-\u9fff]", row[1])]
    assert len(rows) > len(poor)
    assert not poor


def test_the_documentation_lists_all_its_pages() -> None:
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}

    assert pages <= set(links(read("docs/README.md")))


def test_commands_are_read_out_of_shell_lines() -> None:
    assert list(calls("echo a | answerwatch clean text --scene S < f", "answerwatch")) == [
        ["clean", "text", "--scene", "S"]
    ]
    assert list(calls("answerwatch platforms simulate --port 9100 &", "answerwatch")) == [
        ["platforms", "simulate", "--port", "9100"]
    ]
