"""Opens a workspace: the only place where settings, store, objects, platforms, stages and engine are wired together."""

from __future__ import annotations

from pathlib import Path

from answerwatch.settings import Loaded, Settings, SettingView, load, show
from answerwatch.store.database import Store
from answerwatch.workspace.alerts import Alerts
from answerwatch.workspace.batches import Batches
from answerwatch.workspace.brands import Brands
from answerwatch.workspace.cleaning import Cleaning
from answerwatch.workspace.dead_letters import DeadLetters
from answerwatch.workspace.health import Check, WorkspaceStatus
from answerwatch.workspace.platforms import PlatformDesk
from answerwatch.workspace.questions import Questions
from answerwatch.workspace.reports import Reports
from answerwatch.workspace.samples import Samples
from answerwatch.workspace.stopping import Stop


class Workspace:
    """One workspace with its nouns. Opening costs nothing; parts are made when they are first used."""

    questions: Questions
    brands: Brands
    platforms: PlatformDesk
    batches: Batches
    samples: Samples
    cleaning: Cleaning
    reports: Reports
    dead: DeadLetters
    alerts: Alerts

    def __init__(self, loaded: Loaded) -> None:
        """Keep the settings; open nothing yet."""
        self.loaded = loaded

    @property
    def settings(self) -> Settings:
        """Return the settings."""
        return self.loaded.settings

    @property
    def store(self) -> Store:
        """Return the database; raises ServiceError when it was never set up or has another revision."""
        raise NotImplementedError

    def init(self) -> bool:
        """Create folders, an example of `platforms.toml` and the database; return whether anything was new."""
        raise NotImplementedError

    def upgrade(self) -> tuple[str | None, str | None]:
        """Bring the database to the newest revision; return the revisions before and after."""
        raise NotImplementedError

    def check_database(self) -> tuple[str, ...]:
        """Return how the database differs from what this version expects; empty when all is well."""
        raise NotImplementedError

    def config(self) -> tuple[SettingView, ...]:
        """Return every setting with its origin, secrets hidden."""
        return show(self.loaded)

    def status(self) -> WorkspaceStatus:
        """Return what is going on."""
        raise NotImplementedError

    def doctor(self) -> tuple[Check, ...]:
        """Check every configured service; never raises for what it finds."""
        raise NotImplementedError

    def work(self, *, queues: tuple[str, ...] = ("collect", "clean"), stop: Stop | None = None) -> None:
        """Be a worker until `stop` is set (or SIGTERM comes): what `answerwatch worker` does."""
        raise NotImplementedError

    def close(self) -> None:
        """Close what was opened."""


def open_workspace(path: str | Path | None = None, **overrides: object) -> Workspace:
    """Return the workspace in a folder, by default `ANSWERWATCH_HOME`, `./.answerwatch` or the user's data folder.

    `overrides` are settings by name; they win over environment and file. Raises ConfigurationError for bad settings.
    """
    return Workspace(load(None if path is None else Path(path), overrides))
