"""What models inside packages share: that they are there, and what their numbers depend on."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from answerwatch.errors import ConfigurationError


def check_extra(module: str, extra: str) -> None:
    """Raise ConfigurationError that names the command where a package is missing."""
    if find_spec(module) is None:
        text = f"This scorer needs a package that is not here: pip install 'answerwatch[{extra}]'."
        raise ConfigurationError("scorer_extra", text, extra=extra)


def revision_of(package: str, weights: Path) -> str:
    """Return version and weights of a package: `0.2.1+sha256:...`; another file of weights makes other numbers."""
    with weights.open("rb") as file:
        digest = sha256()
        while part := file.read(1 << 20):
            digest.update(part)
    return f"{version(package)}+sha256:{digest.hexdigest()[:16]}"
