"""Making a workspace: folders for their owner alone, an example of `platforms.toml`, the database."""

from __future__ import annotations

from pathlib import Path

from answerwatch.errors import ServiceError
from answerwatch.store.connection.revision import head
from answerwatch.workspace.parts import Parts

EXAMPLE = """\
# The platforms of this workspace. A name of the catalogue is enough (`answerwatch platforms list --catalogue`);
# anything that speaks the OpenAI chat protocol works with an address and a model.
#
# [platforms.deepseek]
# rate = 5              # calls a second
# capacity = 10         # calls at once after a rest
#
# [platforms.my-model]
# base_url = "http://127.0.0.1:9100/v1"
# model = "my-model"
# key_env = ""          # no key needed
"""


def set_up(parts: Parts) -> bool:
    """Make what is missing of a workspace and return whether anything was; harmless when repeated.

    Raises ServiceError when a folder or the database cannot be made.
    """
    from answerwatch.store.migrations import upgrade  # noqa: PLC0415 - Alembic is slow to load and rarely needed

    made = [_make_folder(folder) for folder in (parts.home, parts.home / "objects", parts.home / "workers")]
    made.append(_write_example(parts.platforms_file))
    before, _ = upgrade(parts.unchecked_store)
    return any(made) or before != head()


def _make_folder(folder: Path) -> bool:
    if folder.is_dir():
        return False
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _denied(folder, error) from error
    return True


def _write_example(file: Path) -> bool:
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(EXAMPLE)
    except FileExistsError:
        return False
    except OSError as error:
        raise _denied(file, error) from error
    return True


def _denied(path: Path, error: OSError) -> ServiceError:
    text = f"{path} cannot be made: {error.strerror}. Check the folder's rights and space, or set ANSWERWATCH_HOME."
    return ServiceError("folder_denied", text, path=str(path), why=error.strerror)
