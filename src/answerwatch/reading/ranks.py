"""Ranks: the place that an answer gives to a brand, and what it was read from."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from answerwatch.reading.cues import PLACES
from answerwatch.reading.leaning import FOR
from answerwatch.reading.lines import ROW, Kind
from answerwatch.reading.lists import Item, ItemList
from answerwatch.reading.needs import Evidence
from answerwatch.reading.order import orders
from answerwatch.reading.patterns import any_of, has_any
from answerwatch.reading.records import Match, RankBasis
from answerwatch.reading.runin import RunIn
from answerwatch.reading.titles import ASPECT_TITLE, NOT_AN_ITEM, ORDER_TITLE

_LONGEST_ASPECT = 6
"""Characters of a label that says no more than a property."""
_CHAIN = re.compile(r"[>＞≻]=?|≥")
_CHAINED = tuple(">＞≻≥")
_TAG = re.compile(r"</?[a-z][^<>\n]{0,200}>", re.IGNORECASE)
"""A mark of HTML, whose bracket states no order."""
_CONCLUDES = re.compile(
    r"(?:结论|总结|综合|整体|总体|倾向|选择|优先级|个人(?:看法|意见)?|推荐|建议|overall|verdict)[^，。：:]{0,4}$"
    r"|^[ *_]*(?:我的|个人|最终|大致|整体)?(?:排序|排名|顺序)(?:如下|是|为)?$"
)
"""The label of a chain that orders the candidates themselves, not one property of them."""
_CHAIN_END = re.compile("[。；;！!？?]")
_NAMES_END = re.compile(r"[（(，。,；;!！\n]|\.(?=\s)")
_ORDER = re.compile(r"推荐(?:顺序|排序|优先级)(?:为|是|如下)?[*]{0,2}[：:][*]{0,2}[ ]*([^\n。>＞]{2,80})")
_COLON = re.compile("[：:]")
_PLACE_WORDS = any_of(
    *("首选", "次选", "备选", "首推", "其次", "再次", "最后", "第一", "第二", "第三", "1st", "2nd", "3rd", "runner"),
    *("first choice", "second choice", "third choice", "followed by"),
)
"""Stands in every label that states a place."""
_CHAIN_LINE = re.compile(r"[^\n]{0,200}[>＞≻≥][^\n]{0,200}")
_RANK_COLUMN = re.compile(r"排名|名次|排序|序号|\brank(?:ing)?\b|^\s*#\s*$", re.IGNORECASE)
_PLACE_CELL = re.compile(r"(?:第|top|no\.?|#)?\s?(\d{1,3})\s?(?:名|位)?$", re.IGNORECASE)
_BASIS = {
    Kind.HEADING: RankBasis.HEADINGS,
    Kind.TITLE: RankBasis.HEADINGS,
    Kind.NUMBERED: RankBasis.ORDERED_LIST,
    Kind.BULLET: RankBasis.BULLETS,
    Kind.PROSE: RankBasis.HEADINGS,
    Kind.ROW: RankBasis.TABLE,
}


@dataclass(frozen=True, slots=True)
class Rank:
    """The place of one brand."""

    place: int
    basis: RankBasis
    in_group: int | None = None


def candidate_lists(items: list[Item], evidence: list[Evidence]) -> list[ItemList]:
    """Return the lists of candidates, in order.

    Each has a tracked brand at the head of an item, or is a sibling of such a list. What only sells, or is known, is no
    candidate where the answer puts something forward elsewhere.
    """
    lists = list({id(item.owner): item.owner for item in items}.values())
    for item in items:
        if item.stands_over_its_brands():
            item.brands = ()
    chosen: dict[int, ItemList] = {}
    for here in lists:
        inside = here.parent is not None and id(here.parent.owner) in chosen and bool(here.parent.brands)
        if not inside and any(item.brands for item in here.items) and here.may_hold_candidates():
            chosen[id(here)] = here
    has_top = any(one.is_top() for one in chosen.values())
    put_forward = [told.position for told in evidence if told.leaning is FOR]
    aside = {key for key, one in chosen.items() if _is_set_aside(one, put_forward, has_top=has_top)}
    shapes = {_shape(one) for key, one in chosen.items() if key not in aside}
    return [
        here
        for here in lists
        if id(here) not in aside and (id(here) in chosen or (_shape(here) in shapes and _is_sibling(here)))
    ]


def _is_set_aside(one: ItemList, put_forward: list[int], *, has_top: bool) -> bool:
    """Return whether a list tells what sells or is known, and something is put forward outside of it."""
    if has_top and one.is_popular():
        return True
    if not (one.is_popular() or one.only_tells_what_there_is()):
        return False
    return bool(put_forward) and (put_forward[0] < one.items[0].start or put_forward[-1] >= one.items[-1].line.end)


def _is_sibling(here: ItemList) -> bool:
    """Return whether a list without a tracked brand may be one more group of candidates."""
    return here.parent is not None and here.may_hold_candidates() and _looks_like_names(here)


def _shape(one: ItemList) -> tuple[int, str, int]:
    return one.depth, one.style, id(one.parent.owner) if one.parent else 0


def _looks_like_names(one: ItemList) -> bool:
    return all(len(item.label) <= 24 and not ASPECT_TITLE.search(item.label) for item in one.items)


def list_ranks(lists: list[ItemList]) -> tuple[dict[str, Rank], dict[str, Rank]]:
    """Return the places by running number over all candidate lists; the written number counts in the first list.

    Where a list states the recommendation of the whole answer, the places in others run on behind it and come apart.
    """
    top = [one for one in lists if one.is_top()]
    summing_up, known = {id(one) for one in top}, {id(one) for one in lists}
    ranks: dict[str, Rank] = {}
    further_ranks: dict[str, Rank] = {}
    heads: dict[tuple[str, tuple[str, ...]], int] = {}
    running = 0
    for one in sorted(lists, key=lambda other: id(other) not in summing_up):
        for in_group, item in enumerate(_counted(one, known), start=1):
            head = item.label.casefold(), item.brands
            place = heads.get(head, 0) if item.brands else 0
            if not place:
                written = item.line.number if (item.line.stated or not running or one is (top or lists)[0]) else None
                place = running = 1 if _counts_to(item) else written or running + 1
                heads[head] = place
            apart = len(one.items) == 1 or item.counts_out  # its names are an enumeration
            for extra, brand in enumerate(item.brands):
                into = ranks if not top or id(one) in summing_up else further_ranks
                into.setdefault(brand, Rank(place + extra * apart, _BASIS[one.kind], in_group))
    return ranks, further_ranks


def _counts_to(item: Item) -> bool:
    """Return whether the number of an item is that of the names in it: Top 3: A, B, C."""
    return len(item.brands) > 1 and item.line.number == len(item.brands) and item.owner.style.endswith("place")


def run_in_ranks(run_in: list[RunIn]) -> dict[str, Rank]:
    """Return the places by order in a run-in list."""
    ranks: dict[str, Rank] = {}
    for place, one in enumerate(run_in, start=1):
        for brand in one.brands:
            ranks.setdefault(brand, Rank(place, RankBasis.PROSE))
    return ranks


def _is_an_aspect(item: Item) -> bool:
    """Return whether an item only tells one property of the one before it (✅ 优点：…)."""
    return len(item.label) <= _LONGEST_ASPECT and ASPECT_TITLE.search(item.label) is not None


def _counted(one: ItemList, lists: set[int]) -> Iterator[Item]:
    """Yield the items that take a number: no titles of groups (`lists`, by identity), no closing words."""
    for item in one.items:
        groups = any(id(child) in lists for child in item.children)
        if item.brands or not (groups or NOT_AN_ITEM.match(item.label) or _is_an_aspect(item)):
            yield item


def stated_ranks(text: str, mentions: tuple[Match, ...], items: list[Item]) -> dict[str, Rank]:
    """Return the places that the answer states: A > B > C, 推荐顺序, 首选 and 次选 as labels, a rank column."""
    ranks: dict[str, Rank] = {}
    for found in (
        _from_chains(text, mentions),
        _from_labels(text, mentions, items),
        _from_columns(text, items),
        orders(text, mentions),
    ):
        for brand, place in found:
            ranks.setdefault(brand, Rank(place, RankBasis.EXPLICIT_ORDER))
    return ranks


def _from_chains(text: str, mentions: tuple[Match, ...]) -> Iterator[tuple[str, int]]:
    if not has_any(text, _CHAINED):
        return
    if "<" in text:
        text = _TAG.sub(lambda tag: " " * len(tag[0]), text)
    for line in _CHAIN_LINE.finditer(text):
        segments = _CHAIN.split(line[0].lstrip("> \t"))
        label = re.split(r"[：:]", segments[0])[0] if re.search(r"[：:]", segments[0]) else ""
        if (
            len(segments) < 2
            or any(len(part) > 60 for part in segments[1:-1])
            or (label and not (ORDER_TITLE.search(label) or _CONCLUDES.search(label)))
        ):
            continue
        at = line.end() - len(line[0].lstrip("> \t"))
        for place, segment in enumerate(segments, start=1):
            begin = text.find(segment, at)
            at = begin + len(segment)
            stop = _CHAIN_END.search(segment) if place == len(segments) else None
            for match in _between(mentions, begin, begin + stop.start() if stop else at):
                yield match.standard_name, place


def _from_labels(text: str, mentions: tuple[Match, ...], items: list[Item]) -> Iterator[tuple[str, int]]:
    for item in items:
        colon = _COLON.search(text, item.start, min(item.line.end, item.start + 200))
        if colon is None or not _PLACE_WORDS.search(text, item.start, colon.start()):
            continue
        label = text[item.start : colon.start()].strip(" *_")
        if len(label) > 12:
            continue
        stop = _NAMES_END.search(text, colon.end(), item.line.end)
        named = _between(mentions, colon.end(), stop.start() if stop else item.line.end)
        for place, words in PLACES:
            if words.search(label):
                yield from ((match.standard_name, place) for match in named)
    for order in _ORDER.finditer(text) if "推荐" in text else ():
        seen: dict[str, int] = {}
        for match in _between(mentions, order.start(1), order.end(1)):
            seen.setdefault(match.standard_name, len(seen) + 1)
        if len(seen) > 1:
            yield from seen.items()


def _from_columns(text: str, items: list[Item]) -> Iterator[tuple[str, int]]:
    columns: dict[int, list[int]] = {}
    for item in items:
        if item.line.kind is not ROW or not item.brands:
            continue
        if id(item.owner) not in columns:
            titles = enumerate(_cells(item.owner.header))
            columns[id(item.owner)] = [at for at, title in titles if _RANK_COLUMN.search(title)]
        cells = _cells(text[item.line.body : item.line.end]) if columns[id(item.owner)] else []
        for at in columns[id(item.owner)]:
            if at >= len(cells):
                break
            if number := _PLACE_CELL.match(cells[at]):
                yield from ((brand, int(number[1])) for brand in item.brands)


def _cells(row: str) -> list[str]:
    return [cell.strip(" *") for cell in row.strip().strip("|").split("|")]


def _between(mentions: tuple[Match, ...], start: int, end: int) -> tuple[Match, ...]:
    low = bisect_left(mentions, start, key=lambda match: match.match_position)
    return mentions[low : bisect_left(mentions, end, key=lambda match: match.match_position)]


def _lead(loose: dict[str, Rank], put_forward: list[Evidence], second: Evidence) -> None:
    """Give the first place to the brand that a stated second place follows."""
    before = bisect_left(put_forward, second.position, key=lambda one: one.position)
    if before and second.place == 2:
        loose.setdefault(put_forward[before - 1].brand, Rank(1, RankBasis.PROSE))


def prose_ranks(evidence: list[Evidence]) -> tuple[dict[str, Rank], dict[str, Rank]]:
    """Return the places that sentences give: those of an unconditional 首选 or 其次, and those of an enumeration."""
    firm: dict[str, Rank] = {}
    loose: dict[str, Rank] = {}
    groups: dict[int, list[str]] = {}
    put_forward = [one for one in evidence if one.leaning is FOR]
    for one in put_forward:
        if one.first:
            (loose if one.conditional else firm).setdefault(one.brand, Rank(1, RankBasis.PROSE))
        if one.place is not None:
            loose.setdefault(one.brand, Rank(one.place, RankBasis.PROSE))
            _lead(loose, put_forward, one)
        if one.cue_before and one.group >= 0:
            groups.setdefault(one.group, []).append(one.brand)
    for names in groups.values():
        different = list(dict.fromkeys(names))
        if len(different) > 1:
            for place, brand in enumerate(different, start=1):
                loose.setdefault(brand, Rank(place, RankBasis.PROSE))
    return firm, loose
