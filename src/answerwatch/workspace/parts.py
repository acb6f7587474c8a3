"""The parts of a workspace, made when they are first used: the only place that wires them together.

What a part is made of is imported with it: a list of questions needs no reader, no engine and no network, and loading
those takes longer than the list.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from answerwatch.clock import Clock, SystemClock
from answerwatch.domain.limits import LimitPolicy
from answerwatch.domain.work import CLEAN, COLLECT, RetryPolicy
from answerwatch.errors import ServiceError
from answerwatch.settings import WITHOUT_BROKER, Loaded, Settings
from answerwatch.store.connection.revision import check
from answerwatch.store.database import Store
from answerwatch.workspace import secrets

if TYPE_CHECKING:
    from answerwatch.engine.carriers.carrier import Carrier
    from answerwatch.engine.engine import Engine
    from answerwatch.engine.options import EngineOptions
    from answerwatch.engine.stage import Stage
    from answerwatch.platforms.sender import Sender
    from answerwatch.platforms.workspace_file import Platforms
    from answerwatch.store.objects import ObjectStore
    from answerwatch.workspace.similarity.scorers import ScorerDesk


CLOSE_WITHIN_S = 5.0
"""How long a command waits at its end until workers are told of its work; they find it by themselves later."""


class Parts:
    """What the nouns of a workspace work with; threads may share it."""

    def __init__(self, loaded: Loaded, clock: Clock | None = None, environ: Mapping[str, str] | None = None) -> None:
        """Keep the settings; open nothing yet."""
        self.loaded = loaded
        self.clock = clock or SystemClock()
        self._environ = os.environ if environ is None else environ
        self._lock = threading.Lock()
        self._checked: Store | None = None

    @property
    def settings(self) -> Settings:
        """Return the settings."""
        return self.loaded.settings

    @property
    def home(self) -> Path:
        """Return the workspace folder."""
        return self.settings.home

    @property
    def platforms_file(self) -> Path:
        """Return where the platforms stand."""
        from answerwatch.platforms.workspace_file import FILE_NAME

        return self.home / FILE_NAME

    @property
    def lock_folder(self) -> Path:
        """Return where workers of this machine hold their locks."""
        return self.home / "workers"

    @cached_property
    def unchecked_store(self) -> Store:
        """Return the database without a look at its revision, for those who set it up or examine it."""
        return Store(self.settings.database_url, self.clock)

    def store(self) -> Store:
        """Return the database; raises ServiceError when it was never set up or has another revision."""
        with self._lock:
            if self._checked is None:
                self._refuse_missing_folder()
                check(self.unchecked_store)
                self._checked = self.unchecked_store
                if self.settings.engine_url not in WITHOUT_BROKER:
                    self._checked.listeners.append(self.carrier.tell)
            return self._checked

    def _refuse_missing_folder(self) -> None:
        if not self.home.is_dir():
            text = f"There is no workspace in {self.home}; make one with `answerwatch init`, or set ANSWERWATCH_HOME."
            raise ServiceError("workspace_missing", text, folder=str(self.home))

    @cached_property
    def carrier(self) -> Carrier:
        """Return what tells workers of the work that is made here; without a broker they look by themselves."""
        return self._carrier()

    def _carrier(self) -> Carrier:
        from answerwatch.engine.carriers.dramatiq import DramatiqCarrier
        from answerwatch.engine.carriers.hints import Scale
        from answerwatch.engine.carriers.poll import PollCarrier

        settings = self.settings
        if settings.engine_url in WITHOUT_BROKER:
            return PollCarrier(settings.poll_s)
        scale = Scale(slots=self._slots(), lease_s=settings.lease_s, sweep_s=settings.sweep_s)
        return DramatiqCarrier(settings.engine_url, self.unchecked_store, scale)

    @cached_property
    def cleaner_version(self) -> str:
        """Return the version of the reader that cleans here."""
        from answerwatch.reading import READER_VERSION

        return READER_VERSION

    @cached_property
    def objects(self) -> ObjectStore:
        """Return where raw answers are kept."""
        from answerwatch.store.objects import open_objects

        return open_objects(self.settings.objects_url)

    def environ(self) -> dict[str, str]:
        """Return the environment with the keys of `secrets.env`; raises ConfigurationError when others may read it."""
        return secrets.keys(self.home, self._environ)

    def platforms(self) -> Platforms:
        """Return the platforms as `platforms.toml` has them now."""
        from answerwatch.platforms.catalogue import catalogue
        from answerwatch.platforms.workspace_file import read_platforms

        return read_platforms(self.platforms_file, catalogue())

    def sender(self) -> Sender:
        """Return the connections to platforms, to be opened on the loop that uses them."""
        from answerwatch.platforms.sender import Sender

        return Sender(slots=self.settings.collect_slots, clock=self.clock, environ=self.environ())

    @cached_property
    def scorers(self) -> ScorerDesk:
        """Return the scorers of the workspace."""
        from answerwatch.stages.score.notes import Notes
        from answerwatch.workspace.similarity.scorers import ScorerDesk

        return ScorerDesk(self.home, self.environ, lambda name: Notes(self.store, self.clock, name))

    def collect_policy(self) -> RetryPolicy:
        """Return when a failed call is tried again."""
        return RetryPolicy(
            delays_s=self.settings.collect_waits_s,
            max_retries=self.settings.collect_retries,
            longest_wait_s=self.settings.longest_wait_s,
        )

    def clean_policy(self) -> RetryPolicy:
        """Return when a failed cleaning is tried again."""
        return RetryPolicy(delays_s=self.settings.clean_waits_s, max_retries=self.settings.clean_retries, jitter=0.0)

    def similarity_policy(self) -> RetryPolicy:
        """Return when a unit or block whose scorer failed is tried again."""
        return RetryPolicy(
            delays_s=self.settings.similarity_waits_s,
            max_retries=self.settings.similarity_retries,
            longest_wait_s=self.settings.longest_wait_s,
        )

    def stages(self, sender: Sender) -> tuple[Stage, ...]:
        """Return the stages; the sender is used only by a loop that opened it."""
        from answerwatch.stages.clean.gauge import Gauge
        from answerwatch.stages.clean.stage import CleanStage
        from answerwatch.stages.collect.stage import CollectStage
        from answerwatch.stages.score.loading import Window
        from answerwatch.stages.score.stage import ScoreStage
        from answerwatch.workspace.live_platforms import LivePlatforms

        live = LivePlatforms(self.platforms_file, self.platforms)
        collect = CollectStage(
            live,
            sender,
            self.objects,
            clock=self.clock,
            cleaner_version=self.cleaner_version,
            policy=self.collect_policy(),
            file=live,
        )
        relevance = self.settings.relevance_scorer
        clean = CleanStage(
            clock=self.clock,
            cleaner_version=self.cleaner_version,
            policy=self.clean_policy(),
            gauge=None if relevance is None else Gauge(self.scorers, relevance),
        )
        score = ScoreStage(
            self.scorers,
            clock=self.clock,
            window=Window(hours=self.settings.similarity_memory_h),
            policy=self.similarity_policy(),
        )
        return collect, clean, score

    def engine(self, sender: Sender, queues: tuple[str, ...]) -> Engine:
        """Return an engine that serves `queues`; it runs once.

        Raises ConfigurationError or UsageError where answers are to be cleaned with a scorer that cannot be used here.
        """
        if CLEAN in queues and self.settings.relevance_scorer is not None:
            self.scorers.get(self.settings.relevance_scorer)
        from answerwatch.engine.engine import Engine

        return Engine(self.store(), self.stages(sender), self._options(queues), carrier=self._carrier())

    def _slots(self) -> dict[str, int]:
        return {COLLECT: self.settings.collect_slots, CLEAN: self.settings.clean_slots}

    def _options(self, queues: tuple[str, ...]) -> EngineOptions:
        from answerwatch.engine.options import EngineOptions

        settings = self.settings
        return EngineOptions(
            lock_folder=self.lock_folder,
            queues=queues,
            slots=self._slots(),
            brands_together=settings.brands_together,
            limits=LimitPolicy(
                faults_to_open=settings.faults_to_open,
                open_s=settings.open_s,
                probe_parked_s=settings.probe_parked_s,
                longest_wait_s=settings.longest_wait_s,
            ),
            lease_s=settings.lease_s,
            poll_s=settings.poll_s,
            sweep_s=settings.sweep_s,
        )

    def close(self) -> None:
        """Close what was opened."""
        carrier: Carrier | None = self.__dict__.pop("carrier", None)
        if carrier is not None:
            carrier.close(CLOSE_WITHIN_S)
        scorers: ScorerDesk | None = self.__dict__.pop("scorers", None)
        if scorers is not None:
            scorers.close()
        store = self.__dict__.pop("unchecked_store", None)
        self._checked = None
        if store is not None:
            store.close()
