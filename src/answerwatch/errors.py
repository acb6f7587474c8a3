"""The errors of answerwatch: each has a class, the facts and a next step.

```
AnswerwatchError
├── UsageError            wrong use: a bad value, an unknown name              exit code 2
├── ConfigurationError    a setting is missing or cannot be read               exit code 3
├── ServiceError          a store, folder or server cannot be used             exit code 3
│   ├── StoreBusy         another process held the database for too long
│   └── StoreFull         no space is left for the database or the objects
└── WorkError             the work itself failed                               exit code 1
```

`code` names the message in the catalogues (`messages/*.toml`, section `error`), `facts` fill its places.
`str(error)` is the English text, so that a log line is readable without a catalogue.
"""

from __future__ import annotations

from typing import ClassVar


class AnswerwatchError(Exception):
    """Base of all errors that answerwatch raises on purpose."""

    exit_code: ClassVar[int] = 1

    def __init__(self, code: str, text: str, **facts: object) -> None:
        """Keep the catalogue `code`, the English `text` and the `facts` that both speak of."""
        super().__init__(text)
        self.code = code
        self.text = text
        self.facts = facts


class UsageError(AnswerwatchError):
    """The caller asked for something that cannot be: a bad value, an unknown name, an impossible move."""

    exit_code = 2


class ConfigurationError(AnswerwatchError):
    """A setting is missing, contradictory or cannot be read."""

    exit_code = 3


class ServiceError(AnswerwatchError):
    """A database, folder or server that is needed cannot be used."""

    exit_code = 3


class StoreBusy(ServiceError):
    """Another process held the database for longer than the time-out; the work can be tried again."""


class StoreFull(ServiceError):
    """No space is left on the device that holds the database or the objects."""


class WorkError(AnswerwatchError):
    """The work was done as asked and failed."""
