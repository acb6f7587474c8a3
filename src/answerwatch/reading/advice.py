"""Advice: whether an answer recommends a brand, and at which place."""

from __future__ import annotations

import re
from typing import NamedTuple

from answerwatch.reading.bodies import verdicts
from answerwatch.reading.clauses import clause_ends, gather
from answerwatch.reading.cues import MAY_RETRACT, RETRACTS, UNORDERED
from answerwatch.reading.fold import lower
from answerwatch.reading.items import read_items
from answerwatch.reading.leaning import AGAINST, FOR, SO_SO
from answerwatch.reading.lists import Item, ItemList
from answerwatch.reading.needs import Evidence
from answerwatch.reading.patterns import has_any
from answerwatch.reading.ranks import Rank, candidate_lists, list_ranks, prose_ranks, run_in_ranks, stated_ranks
from answerwatch.reading.records import Match, Polarity
from answerwatch.reading.runin import RunIn, bare_names, label_lines, read_run_in
from answerwatch.reading.tables import Pick

_COMPARE = re.compile(
    r"(?<!性价)比较|对比|区别|还是|谁更|哪个更好|\bvs\b|\bversus\b|\bcompare|\bor\b.*\bbetter\b", re.IGNORECASE
)
_EVALUATE = re.compile(
    r"怎么样|好不好|好吗|如何$|口碑|靠谱吗|值得买吗|介绍|评价|\bis .{1,40} (?:good|worth)|\breviews? of\b",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"推荐|哪|什么(?:牌子|品牌)|(?:选|买|用|吃)什么|怎么选|排行|十大"
    r"|\b(?:best|top|recommend|which|cheap|good|looking for|shopping|under|below)\b",
    re.IGNORECASE,
)


class Advice(NamedTuple):
    """What an answer advises about one brand."""

    is_recommended: bool | None
    polarity: Polarity
    rank: Rank | None = None
    is_top_pick: bool | None = False


class Counsel(NamedTuple):
    """What an answer advises about every mentioned brand, and the items it was read from."""

    by_brand: dict[str, Advice]
    items: list[Item]


def asks_which(scene: str | None, question: str | None) -> bool:
    """Return whether the question asks for candidates, so that the items of a list are recommendations."""
    if scene is not None:
        return scene.upper() == "RECOMMEND"
    if not question:
        return True
    if _COMPARE.search(question) or _EVALUATE.search(question):
        return False
    return bool(_WHICH.search(question))


def advise(text: str, mentions: tuple[Match, ...], *, which: bool) -> Counsel:
    """Weigh lists and clauses; `which` says that the question asks for candidates."""
    if not mentions:
        return Counsel({}, [])
    text = _joined(text, mentions)
    small = lower(text)
    items, rows = read_items(small, mentions)
    evidence = [*gather(small, mentions, clause_ends(text)), *(_from_pick(pick) for row in rows for pick in row.picks)]
    evidence += verdicts(small, items, mentions)
    evidence.sort(key=lambda one: one.position)
    evidence = _without_retracted(small, evidence)
    lists = candidate_lists(items, evidence) if which else []
    run_in = read_run_in(text, mentions) if which and not lists else []
    if which and not (lists or run_in):
        run_in = label_lines(text, mentions) or ([] if evidence else bare_names(text, mentions))
    heads = _heads(lists, run_in)
    for brand in {brand for row in rows for brand in row.turned_down}:
        heads.pop(brand, None)
    warned = {brand for item in items if item.brands and item.owner.is_warning for brand in item.brands}
    ranks = _ranks(small, mentions, items, evidence, list_ranks(lists) if lists else (run_in_ranks(run_in), {}))
    about: dict[str, list[Evidence]] = {match.standard_name: [] for match in mentions}
    for one in evidence:
        about[one.brand].append(one)
    by_brand = {
        brand: _weigh(brand, said, heads.get(brand), warned=brand in warned, ranks=ranks)
        for brand, said in about.items()
    }
    return Counsel(by_brand, items)


def _from_pick(pick: Pick) -> Evidence:
    return Evidence(brand=pick.brand, position=pick.position, leaning=FOR, first=pick.first, group=-1)


def _without_retracted(text: str, evidence: list[Evidence]) -> list[Evidence]:
    """Return the evidence without what was said for brands before the text took it back, and put others forward."""
    if not evidence or not has_any(text, MAY_RETRACT):
        return evidence
    retracts = RETRACTS.search(text)
    if retracts is None:
        return evidence
    kept = {one.brand for one in evidence if one.leaning is FOR and one.position > retracts.start()}
    return [
        one
        for one in evidence
        if not kept or one.leaning is not FOR or one.brand in kept or one.position > retracts.start()
    ]


def _joined(text: str, mentions: tuple[Match, ...]) -> str:
    """Return the text, same length, with the line breaks inside names made blanks: no clause ends within a name."""
    pieces, last = [], 0
    for match in mentions:
        if "\n" in (name := text[match.match_position : match.end]):
            pieces += [text[last : match.match_position], name.replace("\n", " ")]
            last = match.end
    return "".join([*pieces, text[last:]]) if pieces else text


def _heads(lists: list[ItemList], run_in: list[RunIn]) -> dict[str, int]:
    """Return where each brand first is the head of a candidate item."""
    found: dict[str, int] = {}
    for group in lists:
        for item in group.items:
            for brand in item.brands:
                found.setdefault(brand, item.start)
    for one in run_in:
        for brand in one.brands:
            found.setdefault(brand, one.start)
    return found


class _Ranks(NamedTuple):
    """Places by what they were read from, the strongest ground first."""

    stated: dict[str, Rank]
    firm: dict[str, Rank]
    listed: dict[str, Rank]
    loose: dict[str, Rank]
    further: dict[str, Rank]

    def of(self, brand: str) -> Rank | None:
        """Return the place of a brand from the strongest ground there is."""
        return next((ground[brand] for ground in self if brand in ground), None)


def _ranks(
    text: str,
    mentions: tuple[Match, ...],
    items: list[Item],
    evidence: list[Evidence],
    listed: tuple[dict[str, Rank], dict[str, Rank]],
) -> _Ranks:
    firm, loose = prose_ranks(evidence)
    stated = stated_ranks(text, mentions, items)
    if _is_unordered(text):
        return _Ranks(stated, firm, {}, {}, {})
    return _Ranks(stated, firm, listed[0], loose, listed[1])


def _is_unordered(text: str) -> bool:
    return has_any(text, ("不分", "先后", " order")) and UNORDERED.search(text) is not None


def _weigh(brand: str, about: list[Evidence], head: int | None, *, warned: bool, ranks: _Ranks) -> Advice:
    """Return the advice about one brand: the last explicit word counts, then the list, then a weak word."""
    explicit = [one for one in about if one.leaning is not SO_SO]
    last = explicit[-1] if explicit else None
    if last is not None and last.leaning is AGAINST and (head is None or last.position >= head):
        return Advice(is_recommended=False, polarity=Polarity.DISCOURAGED)
    if last is not None and last.leaning is FOR:
        unconditional = head is not None or any(one.leaning is FOR and not one.conditional for one in explicit)
        polarity = Polarity.RECOMMENDED if unconditional else Polarity.CONDITIONAL
        top = any(one.first and not one.conditional and one.leaning is FOR for one in explicit)
        return Advice(is_recommended=True, polarity=polarity, rank=ranks.of(brand), is_top_pick=top)
    if head is not None or brand in ranks.stated:
        return Advice(is_recommended=True, polarity=Polarity.RECOMMENDED, rank=ranks.of(brand))
    if warned:
        return Advice(is_recommended=False, polarity=Polarity.WARNED)
    weak = any(one.leaning is SO_SO for one in about)
    return Advice(
        is_recommended=None if weak else False, polarity=Polarity.NEUTRAL, is_top_pick=None if weak else False
    )
