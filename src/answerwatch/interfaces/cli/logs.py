"""Where the log of a command goes: standard error, a line an event, so that results on standard output stay clean."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from answerwatch.interfaces.cli.output import printable

_LOGFMT = structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"])


def log_to_stderr() -> None:
    """Send warnings and worse of every room to standard error."""
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso", utc=True), _line],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=_writer,
    )


def _writer(*_names: object) -> structlog.WriteLogger:
    """Write to what standard error is now: it may have been replaced since the log was set up."""
    return structlog.WriteLogger(sys.stderr)


def _line(logger: object, name: str, event: MutableMapping[str, Any]) -> str:
    return printable(_LOGFMT(logger, name, event))
