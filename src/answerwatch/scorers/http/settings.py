"""What every kind of server can be told in `scorers.toml`."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from answerwatch.platforms.reach import is_loopback, is_private

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

AtLeastOne = Annotated[int, Field(ge=1)]
Model = Annotated[str, Field(min_length=1, max_length=150)]
"""As the server calls it; stands in the scorer's id."""
Seconds = Annotated[float, Field(gt=0, le=3600)]


class ServerSettings(BaseModel):
    """A server, and how much it is asked at once."""

    # What is refused is not shown: somebody may have written a key where its variable belongs.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    base_url: str
    """Address before the paths of the protocol; nothing else is ever called."""
    key_env: str | None = None
    """Environment variable that holds the key; None: the server wants none."""
    allow_private: bool = False
    """The address may be one of a private network, and plain http."""
    texts: AtLeastOne = 32
    """Texts or pairs in one call at most; a server that takes fewer says so, and that is remembered."""
    chars: AtLeastOne = 60_000
    """Characters in one call at most."""
    longest: AtLeastOne | None = None
    """Characters of a text (of a pair: of both) that the server takes; None: it says so itself."""
    in_flight: Annotated[int, Field(ge=1, le=64)] = 4
    """Calls at once at most; fewer as long as the server says that we are too fast."""
    timeout_s: Seconds = 60.0
    """From sending a call to the last byte of its reply."""
    patience_s: Seconds = 120.0
    """How long a server that asks us to wait is waited for, before the work goes back to its queue."""
    revision_header: str | None = None
    """Header of replies that names the revision of the model."""
    revision_field: str | None = None
    """Place in replies that names it, `system_fingerprint` or `meta.revision`."""
    price: Annotated[float, Field(ge=0)] | None = None
    """Of a million tokens, in whatever currency you count; plans tell what a job costs by it. None: unknown."""

    @model_validator(mode="after")
    def _may_be_called(self) -> ServerSettings:
        parts = urlsplit(self.base_url)
        host = parts.hostname or ""
        if parts.scheme not in ("http", "https") or not host:
            raise ValueError("base_url must begin with https:// or http:// and name a host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("base_url must hold no user, password, query or fragment; keys come by key_env")
        if self.key_env is not None and not _VARIABLE.fullmatch(self.key_env):
            raise ValueError("key_env must be the name of an environment variable, not the key")
        if is_loopback(host) or self.allow_private:
            return self
        if parts.scheme == "http":
            raise ValueError("base_url sends key and texts in the clear; use https, or allow_private = true")
        if is_private(host):
            raise ValueError("base_url is an address of a private network; say allow_private = true if meant")
        return self

    @property
    def root(self) -> str:
        """Return the address without a slash at its end."""
        return self.base_url.rstrip("/")
