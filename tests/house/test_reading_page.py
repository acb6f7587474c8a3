"""Every example of `docs/reading.md` is read as the page says, and the page has one of everything that can be read."""

import re
from itertools import chain
from typing import Any

import pytest
import yaml

from answerwatch.domain.answers import Citation, CitationKind, CitationOrigin
from answerwatch.domain.brands import Alias, Brand, LexiconVersion, MatchMode, Rule, RuleKind
from answerwatch.domain.clean_states import InvalidReason
from answerwatch.domain.relevance import Relevance, Thresholds
from answerwatch.domain.urls import canonical_url
from answerwatch.reading import (
    Answer,
    CleanedAnswer,
    Lexicon,
    Match,
    Polarity,
    RankBasis,
    Region,
    extract,
    validate,
)
from answerwatch.reading.matching import RULES
from tests.house.documents import read

FLAGS = {True: "yes", False: "no", None: "unclear"}
WHOLE = ("valid", "truncated", "suspect", "rejected", "citations", "cites", "pronouns")
EXAMPLES: list[dict[str, Any]] = [
    yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 - the base loader makes texts alone, so that `yes` stays a word
    for block in re.findall(r"```yaml\n(.*?)```", read("docs/reading.md"), re.DOTALL)
]
FROM_COLLECTING = {InvalidReason.TIMEOUT}
"""Reasons that the reader never gives: the text alone does not tell."""
SILENT = {Region.CODE, Region.ADDRESS, Region.MARKUP, Region.SOURCES, Region.THINKING, Region.QUESTION}
SILENT |= {Region.FURNITURE}


def lexicon_of(example: dict[str, Any]) -> Lexicon:
    """Return the lexicon of an example: names, and what it says of their modes, phrases and domains."""
    brands = []
    for name, aliases in example["brands"].items():
        rules = [Rule(kind=RuleKind.EXCLUDE, pattern=one) for one in example.get("exclude", {}).get(name, ())]
        rules += [Rule(kind=RuleKind.REQUIRE, pattern=one) for one in example.get("require", {}).get(name, ())]
        modes = example.get("modes", {})
        brands.append(
            Brand(
                brand_id=name,
                standard_name=name,
                aliases=tuple(Alias(text=one, match_mode=MatchMode(modes.get(one, "folded"))) for one in aliases),
                rules=tuple(rules),
                domains=tuple(example.get("domains", {}).get(name, ())),
            )
        )
    return Lexicon.compile(LexiconVersion(version=0, content_hash="", brands=tuple(brands)))


def given(urls: list[str]) -> tuple[Citation, ...]:
    """Return the sources that the platform gave beside the text."""
    known = [(url, canonical_url(url)) for url in urls]
    return tuple(
        Citation(
            position=place,
            url=url,
            canonical_url=found[0],
            domain=found[1],
            kind=CitationKind.LINKED,
            origin=CitationOrigin.PLATFORM,
        )
        for place, (url, found) in enumerate(known, start=1)
        if found is not None
    )


def look(example: dict[str, Any]) -> CleanedAnswer:
    lexicon = lexicon_of(example)
    answer = Answer(
        text=example["answer"],
        question=example.get("question"),
        scene=example.get("scene", "RECOMMEND"),
        finish_reason=example.get("finish_reason"),
        filtered=example.get("filtered") == "yes",
        citations=given(example.get("given", [])),
    )
    relevance = Relevance(float(example["relevance"]), Thresholds(0.35, 0.2)) if "relevance" in example else None
    verdict = validate(answer, lexicon, relevance)
    return CleanedAnswer(verdict=verdict, reading=extract(answer, lexicon) if verdict.is_valid else None)


def rejected(cleaned: CleanedAnswer) -> dict[str, str]:
    """Return why names do not count, each with its reasons in order."""
    assert cleaned.reading is not None
    reasons: dict[str, dict[str, None]] = {}
    for one in cleaned.reading.matches:
        if not one.is_valid_match:
            reasons.setdefault(one.matched_alias, {})[one.reason] = None
    return {alias: ", ".join(found) for alias, found in reasons.items()}


def whole(cleaned: CleanedAnswer, name: str) -> object:
    """Return what is read of an answer as a whole, in the words of the page."""
    reading = cleaned.reading
    if name == "valid":
        return "true" if cleaned.is_valid else str(cleaned.invalid_reason)
    if name in ("suspect", "truncated"):
        return str(getattr(cleaned.verdict, name)).lower()
    assert reading is not None
    if name == "citations":
        return [one.canonical_url for one in reading.citations if one.canonical_url]
    if name == "cites":
        return str(reading.has_citation).lower()
    if name == "pronouns":
        return {one.text: str(one.standard_name or "none") for one in reading.pronouns}
    return rejected(cleaned)


def counted(cleaned: CleanedAnswer, brand: str) -> list[Match]:
    assert cleaned.reading is not None
    return [match for match in cleaned.reading.matches if match.counts and match.standard_name == brand]


def of_brand(cleaned: CleanedAnswer, brand: str, wanted: dict[str, str]) -> dict[str, str]:
    """Return what is read of a brand, as far as the page speaks of it."""
    found = cleaned.of(brand)
    assert found is not None
    told = {
        "mentions": str(found.mention_count),
        "at": ", ".join(f"{match.match_position}-{match.end}" for match in counted(cleaned, brand)),
        "order": str(found.mention_order).lower(),
        "region": ", ".join(dict.fromkeys(match.region for match in counted(cleaned, brand))),
        "recommended": FLAGS[found.is_recommended],
        "rank": "none" if found.recommendation_rank is None else str(found.recommendation_rank),
        "basis": str(found.rank_basis),
        "in_group": str(found.place_in_group),
        "polarity": str(found.polarity),
        "top": FLAGS[found.is_top_pick],
        "own_site": "unknown" if found.own_site_cited is None else FLAGS[found.own_site_cited],
        "near": "unknown" if found.cites_near is None else FLAGS[found.cites_near],
    }
    return {name: told[name] for name in wanted}


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{number}-{one['answer'][:24]}" for number, one in enumerate(EXAMPLES)]
)
def test_an_example_is_read_as_the_page_says(example: dict[str, Any]) -> None:
    cleaned = look(example)
    wanted = example["reads"]

    found = {
        name: whole(cleaned, name) if name in WHOLE else of_brand(cleaned, name, value)
        for name, value in wanted.items()
    }

    assert found == wanted


def told(name: str) -> set[str]:
    """Return what the examples say under a name, of answers and of brands."""
    values = [one["reads"].get(name) for one in EXAMPLES]
    values += [of[name] for one in EXAMPLES for of in one["reads"].values() if isinstance(of, dict) and name in of]
    return {str(value) for value in values if value is not None}


def test_the_page_has_every_reason_for_which_a_text_is_no_answer() -> None:
    assert {str(reason) for reason in InvalidReason} - told("valid") == {str(reason) for reason in FROM_COLLECTING}


def test_the_page_has_every_reason_for_which_a_name_does_not_count() -> None:
    reasons = set(chain.from_iterable(str(why).split(", ") for one in EXAMPLES for why in reasons_of(one)))

    assert set(RULES) - {"accepted", "stands_for"} | {f"region:{region}" for region in SILENT} == reasons


def reasons_of(example: dict[str, Any]) -> list[str]:
    return list(example["reads"].get("rejected", {}).values())


def test_the_page_has_every_polarity_and_every_ground_of_a_rank() -> None:
    assert {str(polarity) for polarity in Polarity} == told("polarity")
    assert {str(basis) for basis in RankBasis} == told("basis")


def test_the_page_has_every_part_of_an_answer_in_which_names_count() -> None:
    parts = set(chain.from_iterable(value.split(", ") for value in told("region")))

    assert {str(region) for region in Region} - {str(region) for region in SILENT} == parts
