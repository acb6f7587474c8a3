"""Short ways to write rows of answers in tests of figures."""

from collections.abc import Iterable, Sequence

from answerwatch.figures.observations import Observation
from answerwatch.figures.records import Planned, SurfaceCapabilities, Versions
from answerwatch.figures.report import BrandReport, brand_report

VERSIONS = Versions(question_bank=("3",), lexicon=("7",), cleaner=("1",))
SHOWS_CITATIONS = SurfaceCapabilities(exposes_citations=True)


def answer(
    question: str = "Q1",
    platform: str = "kimi",
    scene: str = "RECOMMEND",
    *,
    rank: int | None = None,
    mentioned: int | None = None,
    recommended: int | None = None,
    cited: int | None = 0,
    tracked: int | None = None,
    truncated: int | None = 0,
    round_: int = 1,
) -> Observation:
    """Return a valid answer; a rank alone means mentioned and recommended."""
    seen = int(rank is not None) if mentioned is None else mentioned
    return Observation(
        question_id=question,
        platform=platform,
        scene_type=scene,
        round=round_,
        is_valid=1,
        is_mentioned=seen,
        is_recommended=int(rank is not None) if recommended is None else recommended,
        recommendation_rank=rank,
        has_citation=cited,
        truncated=truncated,
        tracked_mentions=tracked,
    )


def invalid(
    question: str = "Q1", platform: str = "kimi", scene: str = "RECOMMEND", *, reason: str | None = "refused"
) -> Observation:
    """Return an answer that is not valid: nothing else is known of it."""
    return Observation(
        question_id=question, platform=platform, scene_type=scene, round=1, is_valid=0, invalid_reason=reason
    )


def stored(rows: Iterable[Observation]) -> list[Planned]:
    """Return the plan in which every answer, and nothing else, was planned and stored."""
    return [
        Planned(question_id=row.question_id, platform=row.platform, scene_type=row.scene_type, count=1) for row in rows
    ]


def report(
    rows: Sequence[Observation],
    *,
    lost: Sequence[Planned] = (),
    capabilities: dict[str, SurfaceCapabilities] | None = None,
) -> BrandReport:
    """Return the report of these answers and of these planned samples that never came."""
    shown = {row.platform: SHOWS_CITATIONS for row in rows} if capabilities is None else capabilities
    return brand_report("华为", rows, [*stored(rows), *lost], capabilities=shown, versions=VERSIONS)
