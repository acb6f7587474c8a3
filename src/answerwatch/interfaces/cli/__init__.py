"""The command line: `answerwatch ...`."""

from answerwatch.interfaces.cli.entry import main

__all__ = ["main"]
