"""The reader: judge a text, then read it."""

from __future__ import annotations

from typing import NamedTuple

from answerwatch.domain.answers import Citation
from answerwatch.domain.relevance import Relevance
from answerwatch.reading.advice import Advice, Counsel, advise, asks_which
from answerwatch.reading.citations import cited_near, cites, find_citations, is_own_site
from answerwatch.reading.items import region_of
from answerwatch.reading.lexicon import Lexicon
from answerwatch.reading.matching import Text, find_matches
from answerwatch.reading.pronouns import resolve_pronouns
from answerwatch.reading.records import Answer, BrandReading, CleanedAnswer, Match, Reading, Verdict
from answerwatch.reading.thinking import without_thinking
from answerwatch.reading.validity import Draft, judge

READER_VERSION = "r3"
"""Version of the rules; stored with every result, raised whenever a reading may change."""


class _Seen(NamedTuple):
    """A text with its candidates: what judging and reading both need."""

    answer: Answer
    text: Text
    matches: tuple[Match, ...]


def validate(answer: Answer, lexicon: Lexicon, relevance: Relevance | None = None) -> Verdict:
    """Judge whether a text is an answer at all.

    `relevance` is the score of a similarity scorer between question and answer with the thresholds of that scorer;
    without one no text is called irrelevant or suspect. Any text is taken; nothing is raised.
    """
    return _judge(_see(answer, lexicon), relevance)


def extract(answer: Answer, lexicon: Lexicon) -> Reading:
    """Read a valid answer: mentions, recommendations, ranks and citations of every tracked brand."""
    return _read(_see(answer, lexicon), lexicon)


def clean(
    answer: str | Answer,
    *,
    question: str | None = None,
    scene: str | None = None,
    lexicon: Lexicon,
    relevance: Relevance | None = None,
) -> CleanedAnswer:
    """Judge an answer and, where it is valid, read it; `question` and `scene` go with a plain text.

    `relevance` is as for `validate`.
    """
    given = Answer(text=answer, question=question, scene=scene) if isinstance(answer, str) else answer
    seen = _see(given, lexicon)
    verdict = _judge(seen, relevance)
    return CleanedAnswer(verdict=verdict, reading=_read(seen, lexicon) if verdict.is_valid else None)


def _see(answer: Answer, lexicon: Lexicon) -> _Seen:
    text = Text.of(answer.text, answer.question)
    return _Seen(answer, text, find_matches(text, lexicon))


def _judge(seen: _Seen, relevance: Relevance | None) -> Verdict:
    thinking = seen.text.regions.thinking
    pieces, last = [], 0
    for start, end in thinking.spans:
        pieces.append(seen.text.plain[last:start])
        last = end
    body = "".join([*pieces, seen.text.plain[last:]])
    mentions = tuple(match for match in seen.matches if match.is_valid_match)
    return judge(Draft(seen.answer, seen.text.plain, body, thinking, mentions, relevance))


def _read(seen: _Seen, lexicon: Lexicon) -> Reading:
    mentions = tuple(match for match in seen.matches if match.is_valid_match)
    said = without_thinking(seen.text.plain, seen.text.regions.thinking)
    counsel = advise(said, mentions, which=asks_which(seen.answer.scene, seen.answer.question))
    pronouns = resolve_pronouns(seen.text.plain, seen.matches, seen.text.regions)
    citations = find_citations(seen.answer.text, seen.text.regions, seen.answer.citations)
    return Reading(
        brands=_brands(seen, lexicon, citations, counsel),
        matches=tuple(_placed(match, counsel) for match in seen.matches),
        pronouns=tuple(one._replace(region=region_of(counsel.items, one.start)) for one in pronouns),
        has_citation=cites(seen.answer.text, seen.text.regions, citations),
        citations=citations,
    )


def _placed(match: Match, counsel: Counsel) -> Match:
    region = region_of(counsel.items, match.match_position) if match.is_valid_match else match.region
    return match if region is match.region else match._replace(region=region)


def _brands(
    seen: _Seen, lexicon: Lexicon, citations: tuple[Citation, ...], counsel: Counsel
) -> tuple[BrandReading, ...]:
    """Return a reading for every brand with a candidate, the mentioned ones first and in order of first mention."""
    found: dict[str, list[Match]] = {}
    for match in seen.matches:
        found.setdefault(match.standard_name, [])
        if match.is_valid_match:
            found[match.standard_name].append(match)
    near = cited_near(seen.answer.text, seen.text.regions, [match for match in seen.matches if match.is_valid_match])
    ordered = sorted(found.items(), key=lambda pair: pair[1][0].match_position if pair[1] else len(seen.answer.text))
    return tuple(
        _brand(name, counted, order, counsel.by_brand.get(name))._replace(
            own_site_cited=is_own_site(citations, lexicon.domains[name]), cites_near=name in near if counted else None
        )
        for order, (name, counted) in enumerate(ordered, start=1)
    )


def _brand(name: str, counted: list[Match], order: int, advice: Advice | None) -> BrandReading:
    if not counted or advice is None:
        return BrandReading(standard_name=name)
    rank = advice.rank if advice.is_recommended else None
    return BrandReading(
        standard_name=name,
        is_mentioned=True,
        mention_count=len(counted),
        first_position=counted[0].match_position,
        mention_order=order,
        is_recommended=advice.is_recommended,
        polarity=advice.polarity,
        recommendation_rank=rank.place if rank else None,
        rank_basis=rank.basis if rank else None,
        place_in_group=rank.in_group if rank else None,
        is_top_pick=advice.is_top_pick,
    )
