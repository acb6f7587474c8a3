"""A model with its tokenizer, loaded when the first text comes: a plan needs no more than its facts."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Encoding

from answerwatch.errors import ConfigurationError
from answerwatch.scorers.onnx.config import Config, Head
from answerwatch.scorers.onnx.folder import ModelFolder
from answerwatch.scorers.onnx.preparing import Graph, head_of
from answerwatch.scorers.onnx.session import Rows, Session
from answerwatch.scorers.onnx.tokenizing import read_tokenizer
from answerwatch.similarity.scorer import Floats

TOKENS = 512
"""Of a text, or of both of a pair, at most, unless more is asked for; BERT has positions for so many."""
_TOGETHER = 4_096
"""Texts that are sorted by length together: enough that batches are even, few enough to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How a model is to be run."""

    path: Path
    model: str | None = None
    head: Head | None = None
    int8: bool = False
    tokens: int | None = None
    budget: int | None = None
    threads: int | None = None


class Model:
    """A folder with a model that is run as it is wanted."""

    def __init__(self, wanted: Wanted) -> None:
        """Look through the folder; raises ConfigurationError where something is missing or does not fit together."""
        self.folder = ModelFolder(wanted.path, wanted.model)
        self.head = head_of(self.folder, wanted.head)
        self.is_int8 = wanted.int8 or self.config.is_int8
        self.tokens = self._tokens(wanted.tokens)
        self.revision = self.folder.revision()
        self._wanted = wanted
        self._tokenizer = read_tokenizer(self.folder.path)
        self._special = self._tokenizer.num_special_tokens_to_add(self.head is Head.PAIR)
        self._tokenizer.enable_truncation(self.tokens, strategy="longest_first")
        self._lock = threading.Lock()
        self._loaded: tuple[Graph, Session] | None = None

    @property
    def config(self) -> Config:
        """Return what `config.json` says."""
        return self.folder.config

    @property
    def longest(self) -> int:
        """Return how many characters always fit: no character becomes more than one token."""
        return self.tokens - self._special

    def session(self) -> Session:
        """Return the loaded model; raises ConfigurationError where it cannot be loaded."""
        with self._lock:
            if self._loaded is None:
                graph = Graph(self.folder, self.head, int8=self._wanted.int8 and not self.config.is_int8)
                self._loaded = (graph, self._opened(graph))
            return self._loaded[1]

    def rows(self, texts: Sequence[str] | Sequence[tuple[str, str]], make: Rows, width: int) -> Floats:
        """Return a row of the model for every text or pair, in their order; raises ScorerTrouble when it fails."""
        session = self.session()
        found = np.empty((len(texts), width), dtype=np.float32)
        for start in range(0, len(texts), _TOGETHER):
            some = slice(start, start + _TOGETHER)
            encoded: list[Encoding] = self._tokenizer.encode_batch_fast(list(texts[some]))
            found[some] = session.rows(encoded, make, width)
        return found

    def close(self) -> None:
        """Let go of the model; what runs ends with ScorerTrouble."""
        loaded = self._loaded
        if loaded is not None:
            loaded[1].close()
            loaded[0].close()

    def _opened(self, graph: Graph) -> Session:
        wanted = self._wanted
        try:
            return Session(graph.path, threads=wanted.threads, budget=wanted.budget, pad=self.config.pad)
        except BaseException:
            graph.close()
            raise

    def _tokens(self, wanted: int | None) -> int:
        most = self.config.tokens
        if wanted is not None and most is not None and wanted > most:
            folder = str(self.folder.path)
            text = f"The model in {folder} has positions for {most} tokens, not for {wanted}; lower max_tokens."
            raise ConfigurationError("onnx_tokens", text, folder=folder, most=most, wanted=wanted)
        return wanted or min(TOKENS, most or TOKENS)
