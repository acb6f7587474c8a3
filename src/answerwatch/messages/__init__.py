"""What is said to people, in Chinese and English, kept as data: one TOML file a language.

A message is named by section and key (`batch.created`) and holds places in braces (`{batch_id}`). Code names
messages; which language they come out in is decided once, when a `Messages` is made.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from string import Formatter
from types import MappingProxyType

from answerwatch.domain.said import Said

LANGUAGES = ("en", "zh")
"""Every language that can be chosen; each has its catalogue, `LANGUAGE.toml`."""
FALLBACK = "en"
"""The language in which the code itself speaks, as its errors do."""


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return all messages of a language by their full name."""
    text = files("answerwatch.messages").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return MappingProxyType(dict(_flat(tomllib.loads(text), "")))


def _flat(table: Mapping[str, object], prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        found += _flat(value, f"{name}.") if isinstance(value, dict) else [(name, str(value))]
    return found


@cache
def _pattern(wording: str) -> re.Pattern[str]:
    """Return the pattern of all texts that a message gives, its places as groups."""
    parts = [(re.escape(fixed), place) for fixed, place, _, _ in Formatter().parse(wording)]
    return re.compile("".join(f"{fixed}(?P<{place}>.+)" if place else fixed for fixed, place in parts), re.DOTALL)


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the first of these names that is set asks for, English where we do not speak it."""
    asked = (environment.get(name, "").lower() for name in ("ANSWERWATCH_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    first = next(filter(None, asked), "")
    return next((language for language in LANGUAGES if first.startswith(language)), FALLBACK)


class Messages:
    """The catalogue of one language."""

    def __init__(self, language: str) -> None:
        """Take a language of LANGUAGES; any other falls back to English."""
        self.language = language if language in LANGUAGES else FALLBACK
        self._texts = catalogue(self.language)

    def __call__(self, name: str, /, **facts: object) -> str:
        """Return the message with its places filled; raises KeyError for a name that no catalogue has."""
        return self._texts[name].format_map(facts)

    def translated(self, text: str) -> str:
        """Return a text in this language: itself where nobody has translated it."""
        if not isinstance(text, Said):
            return text
        return self.of_code(text.name, text, text.facts)

    def of_code(self, name: str, text: str, facts: Mapping[str, object]) -> str:
        """Return the translation of an English text that stands in the code, the text itself where there is none."""
        own = {key: self._fact(fact) if isinstance(fact, str) else fact for key, fact in facts.items()}
        with suppress(KeyError):  # raised or said without a fact that the translation speaks of
            return self._texts[name].format_map({"text": text, **own})
        return str(text)

    def _fact(self, fact: str) -> str:
        """Return a fact in this language; what a value must be is told by the libraries that read it."""
        return self.translated(fact) if isinstance(fact, Said) else self.stored(self.recognised("usage", fact))

    def stored(self, reason: str) -> str:
        """Return a reason that was stored in English: ours in this language, what a platform said as it came.

        The kind that may stand before it (`objects_full: ...`) is a word that people look up, and stays.
        """
        kind, _, said = reason.partition(": ")
        if said and (self.has(f"error_type.{kind}") or self.has(f"error.{kind}")):
            return f"{kind}: {self.stored(said)}"
        return self.recognised("failure", reason)

    def recognised(self, section: str, text: str) -> str:
        """Return a text of somebody else's in this language, told by the wording that the section has in English.

        Where no wording fits, the text stays as it came.
        """
        for name, wording in catalogue(FALLBACK).items():
            if name.startswith(f"{section}.") and (found := _pattern(wording).fullmatch(text)):
                return self(name, **{key: self.recognised(section, part) for key, part in found.groupdict().items()})
        return text

    def has(self, name: str) -> bool:
        """Tell whether the catalogue knows the name."""
        return name in self._texts

    def or_same(self, text: str) -> str:
        """Return the message of that name, or the text itself when it names none (words of an open set)."""
        return self._texts.get(text, text)
