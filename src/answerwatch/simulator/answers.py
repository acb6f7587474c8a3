"""Composes answers from phrases, layouts and brands, decided by dice and nothing else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from answerwatch.simulator.dice import Dice
from answerwatch.simulator.settings import BrandOdds, Language, Settings
from answerwatch.simulator.shapes import EN_SHAPES, ZH_SHAPES, Item, Shape
from answerwatch.simulator.texts import Phrasebook, Source
from answerwatch.simulator.texts_en import EN
from answerwatch.simulator.texts_zh import ZH

BOOKS: Mapping[Language, Phrasebook] = {Language.ZH: ZH, Language.EN: EN}
_SHAPES: Mapping[Language, tuple[Shape, ...]] = {Language.ZH: ZH_SHAPES, Language.EN: EN_SHAPES}
_CHINESE = re.compile("[\u3400-\u9fff]")
# The likeliest and the least likely brand of a list without probabilities.
_HIGHEST, _LOWEST = 0.85, 0.15
_CAUTION_SHARE = 0.15
_MAX_LISTED = 10


@dataclass(frozen=True, slots=True)
class Citation:
    """A source with the place of its marker in the text, in code points."""

    source: Source
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A composed text, the brands it names in order of rank, and the sources it cites."""

    text: str
    brands: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an answer depends on: profile, question and its language, the settings, and the dice of this answer."""

    seed: int
    profile: str
    question: str
    language: Language
    settings: Settings
    dice: Dice

    @property
    def book(self) -> Phrasebook:
        """Return the phrases of the language."""
        return BOOKS[self.language]


def answer_language(settings: Settings, question: str) -> Language:
    """Return the language to answer in: the one that is set, or else the question's."""
    if settings.language is not Language.AUTO:
        return settings.language
    return Language.ZH if _CHINESE.search(question) else Language.EN


def compose(prompt: Prompt, *, cite: bool | None = None) -> Answer:
    """Return the answer; `cite` forces or forbids sources, None leaves it to the settings."""
    dice, book = prompt.dice, prompt.book
    brands = _named_brands(prompt)
    if not brands:
        return Answer(dice.pick("nameless", book.nameless))
    warned = len(brands) > 2 and dice.chance("warn", _CAUTION_SHARE)
    items = _items(brands[:-1] if warned else brands, prompt)
    body = dice.pick("shape", _SHAPES[prompt.language])(items, book)
    parts = [dice.pick("opening", book.openings), body]
    if warned:
        parts.append(dice.pick("caution", book.cautions).format(brand=brands[-1]))
    parts.append(dice.pick("closing", book.closings))
    text = "\n\n".join(parts)
    if cite is None:
        cite = dice.chance("cite", prompt.settings.sources_share)
    return _with_sources(text, brands, prompt) if cite else Answer(text, brands)


def brand_odds(prompt: Prompt) -> tuple[BrandOdds, ...]:
    """Return the brands that the profile knows for the question, each with a probability."""
    listed = prompt.settings.brands.get(prompt.language)
    if listed is None:
        listed = _topic_brands(prompt.language, prompt.question)
    return _filled_odds(listed, prompt.profile)


@lru_cache(maxsize=4096)
def _topic_brands(language: Language, question: str) -> tuple[BrandOdds, ...]:
    """Return the invented brands of the market that the question is about, of any market when it does not say."""
    topics = tuple(BOOKS[language].topics.values())
    lowered = question.lower()
    about = next((topic for topic in topics if any(cue in lowered for cue in topic.cues)), None)
    return tuple(BrandOdds(name) for name in (about or Dice(question).pick("topic", topics)).brands)


@lru_cache(maxsize=512)
def _filled_odds(listed: tuple[BrandOdds, ...], profile: str) -> tuple[BrandOdds, ...]:
    """Give brands without a probability one that falls along the list and differs between profiles."""
    step = (_HIGHEST - _LOWEST) / max(1, len(listed) - 1)
    filled = []
    for place, brand in enumerate(listed):
        guess = _HIGHEST - step * place + 0.3 * (Dice(profile).fraction(brand.name) - 0.5)
        filled.append(BrandOdds(brand.name, guess if brand.probability is None else brand.probability))
    return tuple(filled)


@lru_cache(maxsize=4096)
def _shifted_odds(odds: tuple[BrandOdds, ...], spread: float, habit: Dice) -> tuple[tuple[str, float, float], ...]:
    """Return name, probability and probability for one question, which the habit shifts by at most the spread."""
    shifted = []
    for brand, habitual in zip(odds, habit.fractions("habit", len(odds)), strict=True):
        base = brand.probability or 0.0
        # The shift is cut so that it averages to nothing: over many questions the planted probability comes out.
        room = min(spread, base, 1 - base)
        shifted.append((brand.name, base, base + room * (2 * habitual - 1)))
    return tuple(shifted)


def _named_brands(prompt: Prompt) -> tuple[str, ...]:
    """Return the brands of this answer, best first: the probable ones mostly before the others."""
    habit = Dice(f"{prompt.seed}|{prompt.profile}|{prompt.question}")
    odds = _shifted_odds(brand_odds(prompt), prompt.settings.question_spread, habit)
    ranked = []
    for (name, base, chance), draw in zip(odds, prompt.dice.fractions("named", len(odds)), strict=True):
        if draw < chance:
            # Below the chance the draw is evenly spread, so it serves the rank as a second one.
            ranked.append((base + 0.5 * draw / chance, name))
    ranked.sort(reverse=True)
    return tuple(name for _, name in ranked[:_MAX_LISTED])


def _items(brands: tuple[str, ...], prompt: Prompt) -> list[Item]:
    """Return the brands with what is said about each; one draw decides reason and detail."""
    reasons, details = prompt.book.reasons, prompt.book.details
    items = []
    for brand, draw in zip(brands, prompt.dice.fractions("said", len(brands)), strict=True):
        reason, detail = divmod(int(draw * len(reasons) * len(details)), len(details))
        items.append(Item(brand, reasons[reason], details[detail]))
    return items


def _with_sources(text: str, brands: tuple[str, ...], prompt: Prompt) -> Answer:
    """Append one marker per source, and the links that some answers show."""
    dice, book = prompt.dice, prompt.book
    count = 1 + int(dice.fraction("sources") * 3)
    first = int(dice.fraction("first source") * len(book.sources))
    sources = [book.sources[(first + step) % len(book.sources)] for step in range(count)]
    citations = []
    for number, source in enumerate(sources, 1):
        marker = f"[{number}]"
        citations.append(Citation(source, len(text), len(text) + len(marker)))
        text += marker
    if dice.chance("show links", 0.5):
        text += "\n\n" + "\n".join(f"- [{source.title}]({source.url})" for source in sources)
    return Answer(text, brands, tuple(citations))
