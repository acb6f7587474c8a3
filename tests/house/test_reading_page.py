"""Every example of `docs/reading.md` is read as the page says."""

import re
from typing import Any

import pytest
import yaml

from answerwatch.reading import CleanedAnswer, Lexicon, clean
from tests.house.documents import read

FLAGS = {True: "yes", False: "no", None: "unclear"}
WHOLE = ("valid", "truncated", "rejected", "citations", "cites", "pronouns")
EXAMPLES: list[dict[str, Any]] = [
    yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 - the base loader makes texts alone, so that `yes` stays a word
    for block in re.findall(r"```yaml\n(.*?)```", read("docs/reading.md"), re.DOTALL)
]


def look(example: dict[str, Any]) -> CleanedAnswer:
    lexicon = Lexicon.of(example["brands"], exclude=example.get("exclude"))
    scene = example.get("scene", "RECOMMEND")
    return clean(example["answer"], question=example.get("question"), scene=scene, lexicon=lexicon)


def whole(cleaned: CleanedAnswer, name: str) -> object:
    """Return what is read of an answer as a whole, in the words of the page."""
    reading = cleaned.reading
    if name == "valid":
        return "true" if cleaned.is_valid else str(cleaned.invalid_reason)
    if name == "truncated":
        return str(cleaned.truncated).lower()
    assert reading is not None
    if name == "citations":
        return [one.canonical_url for one in reading.citations if one.canonical_url]
    if name == "cites":
        return str(reading.has_citation).lower()
    if name == "pronouns":
        return {one.text: one.standard_name for one in reading.pronouns}
    return {one.matched_alias: one.reason for one in reading.matches if not one.is_valid_match}


def of_brand(cleaned: CleanedAnswer, brand: str, wanted: dict[str, str]) -> dict[str, str]:
    """Return what is read of a brand, as far as the page speaks of it."""
    found = cleaned.of(brand)
    assert found is not None
    told = {
        "mentions": str(found.mention_count),
        "recommended": FLAGS[found.is_recommended],
        "rank": "none" if found.recommendation_rank is None else str(found.recommendation_rank),
        "basis": str(found.rank_basis),
        "polarity": str(found.polarity),
        "top": FLAGS[found.is_top_pick],
    }
    return {name: told[name] for name in wanted}


@pytest.mark.parametrize("example", EXAMPLES, ids=[one["answer"][:24] for one in EXAMPLES])
def test_an_example_is_read_as_the_page_says(example: dict[str, Any]) -> None:
    cleaned = look(example)
    wanted = example["reads"]

    found = {
        name: whole(cleaned, name) if name in WHOLE else of_brand(cleaned, name, value)
        for name, value in wanted.items()
    }

    assert found == wanted
