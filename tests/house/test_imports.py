"""Imports point inward, as the architecture draws them."""

import ast

import pytest

from tests.house.arrows import ARROWS, PURE_LIBRARIES, faults, judge
from tests.house.sources import ROOT, SRC, Module, modules


def known_names() -> frozenset[str]:
    return frozenset(module.name for module in modules())


def test_every_arrow_points_inward() -> None:
    found = [fault for module in modules() for fault in faults(module, known_names())]

    assert not found, "\n".join(found)


def test_an_import_inside_a_function_is_seen_too() -> None:
    text = "def opened():\n    from answerwatch.store.batch import batches\n    import sqlalchemy\n"
    module = Module(name="answerwatch.interfaces.cli.lazy", path=ROOT / "lazy.py", tree=ast.parse(text), lines=3)

    assert [fault.split(": ")[0] for fault in faults(module, frozenset({"answerwatch.store.batch.batches"}))] == [
        "lazy.py:2 imports answerwatch.store.batch.batches",
        "lazy.py:3 imports sqlalchemy",
    ]


def test_every_room_is_known_to_the_rules() -> None:
    rooms = {module.name.split(".")[1] for module in modules() if "." in module.name}

    assert not rooms - ARROWS.keys(), "give each new room its arrows in tests/house/arrows.py"


def test_the_arrows_form_no_circle() -> None:
    reached: dict[str, set[str]] = {}

    def below(room: str, path: tuple[str, ...] = ()) -> set[str]:
        assert room not in path, f"circle: {' -> '.join((*path, room))}"
        if room not in reached:
            reached[room] = ARROWS[room].union(*(below(inner, (*path, room)) for inner in ARROWS[room]))
        return reached[room]

    for room in ARROWS:
        below(room)


def test_pure_rooms_open_no_files() -> None:
    found = [
        f"{module.where}:{node.lineno} calls open()"
        for module in modules()
        if module.name.split(".")[1:2] and module.name.split(".")[1] in PURE_LIBRARIES
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"
    ]

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("importer", "target"),
    [
        ("answerwatch.store.batch.batches", "answerwatch.engine.writer"),
        ("answerwatch.engine.writer", "answerwatch.stages.collect"),
        ("answerwatch.platforms.chat", "answerwatch.simulator"),
        ("answerwatch.simulator.server", "answerwatch.errors"),
        ("answerwatch.reading.validity", "answerwatch.similarity.scores"),
        ("answerwatch.interfaces.cli", "answerwatch.store.batch.batches"),
        ("answerwatch.store.batch.batches", "answerwatch.store.sample.samples"),
        ("answerwatch.store.batch.batches", "answerwatch.store.batch.counters"),
        ("answerwatch.stages.clean.step", "answerwatch.stages.collect.step"),
        ("answerwatch.stages.clean.step", "answerwatch"),
        ("answerwatch.domain.ids", "numpy"),
        ("answerwatch.reading.fold", "urllib.request"),
        ("answerwatch.figures.intervals", "scipy.stats"),
        ("answerwatch.workspace.open", "typer"),
    ],
)
def test_an_outward_arrow_is_refused(importer: str, target: str) -> None:
    assert judge(importer, target) is not None


@pytest.mark.parametrize(
    ("importer", "target"),
    [
        ("answerwatch.store.batch.batches", "answerwatch.store.schema"),
        ("answerwatch.store", "answerwatch.store.batch.batches"),
        ("answerwatch.store.sample.samples", "answerwatch.store.sample.citations"),
        ("answerwatch.stages.clean.step", "answerwatch.stages.clean.load"),
        ("answerwatch.stages.clean.step", "answerwatch.reading"),
        ("answerwatch.interfaces.cli", "answerwatch.workspace.open"),
        ("answerwatch.reading.citations", "urllib.parse"),
    ],
)
def test_an_inward_arrow_is_allowed(importer: str, target: str) -> None:
    assert judge(importer, target) is None


def test_a_fault_is_reported_with_file_and_line() -> None:
    source = "import json\nfrom answerwatch.store.batch import batches\n"
    module = Module("answerwatch.domain.made_up", SRC / "made_up.py", ast.parse(source), lines=2)

    (fault,) = faults(module, frozenset({"answerwatch.store.batch.batches"}))

    assert fault.startswith("src/made_up.py:2 imports answerwatch.store.batch.batches: ")
