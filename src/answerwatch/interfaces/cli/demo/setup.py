"""What the demo's workspace is made of: settings, simulated platforms, lexicon and question bank."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from answerwatch.domain.brands import Role

if TYPE_CHECKING:
    from answerwatch.simulator import Script
    from answerwatch.workspace import Workspace

BRAND = "砚山咖啡"

LIMITS: Mapping[str, tuple[str, float, int]] = {
    "deepseek-sim": ("deepseek", 5, 10),
    "kimi-sim": ("kimi", 3, 6),
    "tongyi-sim": ("tongyi", 5, 10),
}
"""Platform -> profile of the simulator, calls a second, calls at once: the usual limits of a paid account."""

PLATFORMS = tuple(LIMITS)

SETTINGS = """\
# Settings of the demo: failed calls are tried again after seconds instead of minutes.
collect_waits_s = [1, 2, 4]
clean_waits_s = [0, 1, 1]
"""

IN_FLIGHT = 20
ANSWER_S = 1

_DATA = files("answerwatch.interfaces.cli.demo.data")


def write_settings(folder: Path) -> None:
    """Write the demo's settings where there are none yet; the folder is made when it is missing."""
    from answerwatch.settings import FILE_NAME  # noqa: PLC0415 - keeps --help quick

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / FILE_NAME
    if not file.exists():
        file.write_text(SETTINGS, encoding="utf-8")


def load_demo_script() -> Script:
    """Return how the demo's platforms behave."""
    from answerwatch.simulator import parse_script  # noqa: PLC0415 - keeps --help quick

    return parse_script(_DATA.joinpath("script.yaml").read_text(encoding="utf-8"))


def prepare(workspace: Workspace, base_url: str) -> None:
    """Fill a new workspace: platforms at the simulator's address, lexicon, question bank."""
    for name, (profile, rate, capacity) in LIMITS.items():
        workspace.platforms.add(name, _platform(f"{base_url}/{profile}/v1", rate, capacity))
    lexicon: Mapping[str, Any] = tomllib.loads(_DATA.joinpath("lexicon.toml").read_text(encoding="utf-8"))
    for brand in lexicon["brands"]:
        _add_brand(workspace, brand)
    with as_file(_DATA.joinpath("bank.csv")) as bank:
        workspace.questions.import_file(bank, apply=True)


def _platform(base_url: str, rate: float, capacity: int) -> Mapping[str, object]:
    return {
        "base_url": base_url,
        "model": "sim-answer",
        "key_env": "",
        "rate": rate,
        "capacity": capacity,
        "in_flight": IN_FLIGHT,
        "answer_s": ANSWER_S,
    }


def _add_brand(workspace: Workspace, brand: Mapping[str, Any]) -> None:
    workspace.brands.add(
        brand["name"],
        aliases=brand["aliases"],
        role=Role(brand.get("role", Role.COMPETITOR)),
        exclude=brand.get("exclude", ()),
        domains=brand.get("domains", ()),
    )
