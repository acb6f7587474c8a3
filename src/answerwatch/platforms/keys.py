"""Where the key of a platform comes from, for those who look whether it is there without sending anything."""

from __future__ import annotations

from collections.abc import Mapping

from answerwatch.errors import ConfigurationError
from answerwatch.platforms.records import Surface


class MissingKey(ConfigurationError):
    """The environment variable that should hold a platform's key is not set, or its value cannot be a key."""


def find_key(surface: Surface, environ: Mapping[str, str]) -> str | None:
    """Return the surface's key, None for a server without one.

    Raises MissingKey naming the variable; batches call it before they start.
    """
    if surface.key_env is None:
        return None
    key = environ.get(surface.key_env, "").strip()
    if not key:
        text = f"The key of platform {surface.name} is missing; set the environment variable {surface.key_env}."
        raise MissingKey("platform_key_missing", text, platform=surface.name, variable=surface.key_env)
    if not key.isascii() or not key.isprintable() or " " in key:
        text = f"{surface.key_env} of platform {surface.name} holds blanks or special characters; copy the key again."
        raise MissingKey("platform_key_unusable", text, platform=surface.name, variable=surface.key_env)
    return key
