"""Exit codes of the command line; those of errors stand with their classes in `answerwatch.errors`."""

DONE = 0
FAILED = 1
"""The work was done as asked, and some of it failed."""
WRONG_USE = 2
NOT_REACHABLE = 3
"""Configuration, a service or the operating system stands in the way."""
INTERRUPTED = 130
"""Ctrl-C or SIGTERM."""
BROKEN_PIPE = 141
"""The reader of our output went away."""
