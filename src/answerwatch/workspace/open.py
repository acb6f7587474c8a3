"""Opens a workspace: a folder with its settings, and the nouns that work on it.

A noun is imported when it is first asked for: no command needs all of them, and some are slow to load.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from answerwatch.domain.said import Said
from answerwatch.domain.work import QUEUES
from answerwatch.settings import Loaded, Settings, SettingView, load, show
from answerwatch.store.database import Store
from answerwatch.workspace.parts import Parts

if TYPE_CHECKING:
    from answerwatch.workspace.alerts import Alerts
    from answerwatch.workspace.batches.verbs import Batches
    from answerwatch.workspace.brands import Brands
    from answerwatch.workspace.brands.suggesting import Suggestions
    from answerwatch.workspace.cleaning.verbs import Cleaning
    from answerwatch.workspace.dead_letters import DeadLetters
    from answerwatch.workspace.evaluation.verbs import Evaluations
    from answerwatch.workspace.exports.verbs import Exports
    from answerwatch.workspace.health.doctor import Check
    from answerwatch.workspace.health.readiness import Readiness
    from answerwatch.workspace.health.status import WorkspaceStatus
    from answerwatch.workspace.keys import Keys
    from answerwatch.workspace.platforms import PlatformDesk
    from answerwatch.workspace.questions.verbs import Questions
    from answerwatch.workspace.reports.verbs import Reports
    from answerwatch.workspace.running.stopping import Stop
    from answerwatch.workspace.samples.verbs import Samples
    from answerwatch.workspace.similarity.verbs import Similarity


class Workspace:
    """One workspace with its nouns. Opening costs nothing; parts are made when they are first used."""

    def __init__(self, loaded: Loaded) -> None:
        """Keep the settings; open nothing yet."""
        self.loaded = loaded
        self._parts = Parts(loaded)

    @property
    def settings(self) -> Settings:
        """Return the settings."""
        return self.loaded.settings

    @property
    def store(self) -> Store:
        """Return the database; raises ServiceError when it was never set up or has another revision."""
        return self._parts.store()

    @cached_property
    def questions(self) -> Questions:
        """Return the verbs on the question bank."""
        from answerwatch.workspace.questions.verbs import Questions

        return Questions(self._parts.store, self.settings.actor)

    @cached_property
    def keys(self) -> Keys:
        """Return the verbs on API keys."""
        from answerwatch.workspace.keys import Keys

        return Keys(self._parts)

    @cached_property
    def brands(self) -> Brands:
        """Return the verbs on brands and the lexicon."""
        from answerwatch.workspace.brands import Brands

        return Brands(self._parts.store, self.settings.actor)

    @cached_property
    def suggestions(self) -> Suggestions:
        """Return the verbs on names that may be a brand's."""
        from answerwatch.workspace.brands.suggesting import Suggestions

        return Suggestions(self._parts.store, self.brands, self.settings.actor)

    @cached_property
    def platforms(self) -> PlatformDesk:
        """Return the verbs on platforms."""
        from answerwatch.workspace.platforms import PlatformDesk

        return PlatformDesk(self._parts)

    @cached_property
    def batches(self) -> Batches:
        """Return the verbs on batches."""
        from answerwatch.workspace.batches.verbs import Batches

        return Batches(self._parts)

    @cached_property
    def samples(self) -> Samples:
        """Return the verbs on samples."""
        from answerwatch.workspace.samples.verbs import Samples

        return Samples(self._parts)

    @cached_property
    def cleaning(self) -> Cleaning:
        """Return the verbs on cleaning."""
        from answerwatch.workspace.cleaning.verbs import Cleaning

        return Cleaning(self._parts)

    @cached_property
    def reports(self) -> Reports:
        """Return the verbs on figures."""
        from answerwatch.workspace.reports.verbs import Reports

        return Reports(self._parts)

    @cached_property
    def evaluations(self) -> Evaluations:
        """Return the verbs on the accuracy of the reader."""
        from answerwatch.workspace.evaluation.verbs import Evaluations

        return Evaluations()

    @cached_property
    def exports(self) -> Exports:
        """Return the verbs on exports of rows."""
        from answerwatch.workspace.exports.verbs import Exports

        return Exports(self._parts)

    @cached_property
    def similarity(self) -> Similarity:
        """Return the verbs on similarity jobs."""
        from answerwatch.workspace.similarity.verbs import Similarity

        return Similarity(self._parts)

    @cached_property
    def dead(self) -> DeadLetters:
        """Return the verbs on dead letters."""
        from answerwatch.workspace.dead_letters import DeadLetters

        return DeadLetters(self._parts)

    @cached_property
    def alerts(self) -> Alerts:
        """Return the verbs on alerts."""
        from answerwatch.workspace.alerts import Alerts

        return Alerts(self._parts.store)

    def init(self) -> bool:
        """Create folders, an example of `platforms.toml` and the database; return whether anything was new."""
        from answerwatch.workspace.setting_up import set_up

        return set_up(self._parts)

    def upgrade(self) -> tuple[str | None, str | None]:
        """Bring the database to the newest revision; return the revisions before and after."""
        from answerwatch.store.migrations import upgrade

        return upgrade(self._parts.unchecked_store)

    def check_database(self) -> tuple[Said, ...]:
        """Return how the database differs from what this version expects; empty when all is well."""
        from answerwatch.store.migrations import differences

        return tuple(differences(self._parts.store()))

    def config(self) -> tuple[SettingView, ...]:
        """Return every setting with its origin, secrets hidden."""
        return show(self.loaded)

    def status(self) -> WorkspaceStatus:
        """Return what is going on."""
        from answerwatch.workspace.health.status import workspace_status

        return workspace_status(self._parts)

    def doctor(self) -> tuple[Check, ...]:
        """Check every configured service; never raises for what it finds."""
        from answerwatch.workspace.health.doctor import examine

        return examine(self._parts)

    def work(
        self,
        *,
        queues: tuple[str, ...] = QUEUES,
        stop: Stop | None = None,
        beat: Callable[[int], None] | None = None,
    ) -> None:
        """Be a worker until `stop` is set: what `answerwatch worker` does.

        Its loop calls `beat` with the number of tasks in hand, about twice a second.
        """
        from answerwatch.workspace.running.engine import Follow, run_engine

        self._parts.store()
        run_engine(self._parts, queues, Follow(done=lambda: False, stop=stop, beat=beat))

    def refuse_unready(self) -> None:
        """Raise what a worker that started now would end with before any work: of its settings, files and services."""
        from answerwatch.workspace.health.readiness import refuse_unready

        refuse_unready(self._parts)

    def readiness(self) -> Readiness:
        """Return what looks, again and again, whether work can be done here."""
        from answerwatch.workspace.health.readiness import Readiness

        return Readiness(self._parts)

    def close(self) -> None:
        """Close what was opened."""
        self._parts.close()

    def __enter__(self) -> Self:
        """Return the workspace, to be closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close what was opened."""
        self.close()


def open_workspace(path: str | Path | None = None, **overrides: object) -> Workspace:
    """Return the workspace in a folder, by default `ANSWERWATCH_HOME`, `./.answerwatch` or the user's data folder.

    `overrides` are settings by name; they win over environment and file. Raises ConfigurationError for bad settings.
    """
    return Workspace(load(None if path is None else Path(path), overrides))
