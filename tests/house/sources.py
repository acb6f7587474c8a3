"""Reads the source tree for the tests about the code base itself."""

import ast
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
PACKAGE = "answerwatch"


@dataclass(frozen=True, slots=True)
class Module:
    """One parsed module: its dotted name, its file and its syntax tree."""

    name: str
    path: Path
    tree: ast.Module
    lines: int

    @property
    def where(self) -> str:
        """The path as a reader of a message wants it, relative to the root of the repository."""
        return self.path.relative_to(ROOT).as_posix()


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package, parsed once per test process."""
    return tuple(parse(path) for path in sorted((SRC / PACKAGE).rglob("*.py")))


def parse(path: Path) -> Module:
    """Parse one file under `src`."""
    text = path.read_text(encoding="utf-8")
    parts = path.relative_to(SRC).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(name=name, path=path, tree=ast.parse(text, filename=str(path)), lines=text.count("\n"))


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that git tracks and that is still in the working tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = (ROOT / name for name in listed.split("\0") if name)
    return tuple(path for path in paths if path.is_file())
