"""Where the log of a command goes: standard error, a line an event, so that results on standard output stay clean.

The engine and the stages log, nobody else, so only commands that run them set it up: loading structlog takes longer
than most other commands.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

from answerwatch.interfaces.cli.output import printable

if TYPE_CHECKING:
    import structlog


def log_to_stderr() -> None:
    """Send warnings and worse of every room to standard error."""
    import structlog  # noqa: PLC0415 - see above

    logfmt = structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"])

    def line(logger: object, name: str, event: MutableMapping[str, Any]) -> str:
        return printable(logfmt(logger, name, event))

    def writer(*_names: object) -> structlog.WriteLogger:
        """Write to what standard error is now: it may have been replaced since the log was set up."""
        return structlog.WriteLogger(sys.stderr)

    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso", utc=True), line],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=writer,
    )
