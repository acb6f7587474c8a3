"""Writes the migration from the newest revision to the schema as the code has it now: `make migration NAME=add_cost`.

An empty SQLite database is brought to the newest revision and compared with the schema. Comparing sees neither checks
nor views; CONTRIBUTING.md says how to write those.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from alembic.config import Config
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection

from answerwatch.store import migrations
from answerwatch.store.database import Store

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = migrations.FOLDER / "versions"
NAME = re.compile(r"[a-z][a-z0-9_]*")


def make(name: str, versions: Path = VERSIONS) -> Path:
    """Write the next migration into the folder of those before it and return its file.

    Raises ValueError when the name is not made of small letters, digits and underscores.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a migration; say what it does, as in NAME=add_cost")
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'empty.db'}")
        try:
            with store.writing() as tx:
                config = config_in(versions, tx.connection)
                command.upgrade(config, "head")
                file = _write(config, name)
        finally:
            store.close()
    _tidy(file)
    return file


def config_in(versions: Path, connection: Connection) -> Config:
    """Return what Alembic needs to work on a connection with the migrations of a folder."""
    config = migrations.config_for(connection)
    config.set_main_option("version_locations", str(versions).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    return config


def _write(config: Config, name: str) -> Path:
    newest = ScriptDirectory.from_config(config).get_current_head() or "0000"
    words = name.replace("_", " ").capitalize()
    script = command.revision(config, words, autogenerate=True, rev_id=f"{int(newest) + 1:04d}")
    if not isinstance(script, Script):
        raise TypeError(f"Alembic wrote {script!r}, not one migration")
    return Path(script.path)


def _tidy(file: Path) -> None:
    """Leave out the comments that Alembic sets around its work, and write it as the formatter wants it."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not line.lstrip().startswith("# ###")), encoding="utf-8")
    ruff = (sys.executable, "-m", "ruff")
    settings = ("--quiet", "--config", str(ROOT / "pyproject.toml"), str(file))
    subprocess.run([*ruff, "check", "--fix-only", *settings], check=True)  # noqa: S603 - our own arguments
    subprocess.run([*ruff, "format", *settings], check=True)  # noqa: S603 - our own arguments


def main() -> int:
    """Write the migration that the command line names."""
    try:
        print(make(" ".join(sys.argv[1:])))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
