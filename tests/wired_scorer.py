"""A scorer in another process whose every call arrives at the test, which sees its texts and lets it end."""

from __future__ import annotations

import queue
import threading
from collections.abc import Collection, Sequence
from contextlib import suppress
from multiprocessing.connection import Client, Connection, Listener
from types import TracebackType
from typing import NamedTuple, Self

from answerwatch.similarity.scorer import Encoded, Role
from tests.scripted_scorers import Scripted

PATIENCE_S = 60.0
"""More than anything here takes."""


class Call(NamedTuple):
    """A call that waits for its end."""

    texts: tuple[str, ...]
    connection: Connection

    def end(self) -> None:
        """Let it end; whoever made it may be gone."""
        with suppress(OSError):
            self.connection.send("go on")


class Wire:
    """Where calls arrive, one after the other."""

    def __init__(self) -> None:
        self._listener = Listener(("127.0.0.1", 0))
        self._calls: queue.Queue[Call] = queue.Queue()
        self.port = int(self._listener.address[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def call(self) -> Call:
        """The next call; it goes on when its `end` is called."""
        return self._calls.get(timeout=PATIENCE_S)

    def is_quiet(self) -> bool:
        """Whether no call waits to be seen."""
        return self._calls.empty()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection = self._listener.accept()
                threading.Thread(target=self._hear, args=(connection,), daemon=True).start()

    def _hear(self, connection: Connection) -> None:
        with suppress(OSError, EOFError):
            while True:
                self._calls.put(Call(connection.recv(), connection))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()


class Wired(Scripted):
    """The scorer of the other process: `Scripted`, after the test has let the call end."""

    def __init__(self, port: int, *, never: Collection[str] = ()) -> None:
        super().__init__(never=never)
        self._connection = Client(("127.0.0.1", port))

    def encode(self, texts: Sequence[str], role: Role = Role.SAME) -> Encoded:
        self._connection.send(tuple(texts))
        self._connection.recv()
        return super().encode(texts, role)
