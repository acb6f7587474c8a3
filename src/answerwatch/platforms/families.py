"""The protocol families that can be collected, one adapter each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from answerwatch.platforms import chat
from answerwatch.platforms.records import PlatformAdapter

ADAPTERS: Mapping[str, PlatformAdapter] = MappingProxyType({"chat": chat})
"""Adapter of each `Surface.family`; a family that is missing here cannot be collected yet."""
