"""Orders told in words: A居首，B次之，C垫底; 先看A，再看B; first A, then B; A takes second place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from answerwatch.reading.lines import number_of
from answerwatch.reading.patterns import any_of
from answerwatch.reading.records import Match

_LAST = 99
"""Stands for the place behind all others until these are known."""
_SPEAKS = any_of(
    *(
        "第",
        "首",
        "居首",
        "榜首",
        "头筹",
        "夺冠",
        "冠军",
        "亚军",
        "季军",
        "领跑",
        "最前",
        "次之",
        "其后",
        "其次",
        "随后",
        "往后",
        "再后",
        "在前",
        "次席",
        "次选",
    ),
    *("居次", "垫底", "垫后", "殿后", "末位", "排在最后", "先", "再", "然后", "接着", "之后", "最后"),
    *(
        "first",
        "then",
        "second",
        "third",
        "on top",
        "winner",
        "top",
        "no.",
        "last",
        "final",
        "next",
        "after ",
        "runner",
        "choice",
        "start with",
        "begin with",
    ),
)
"""Finds something in every text in which a pattern below does."""
_NUMBER = r"(?P<number>[一二三四五六七八九十]{1,3}|\d{1,2})"
_AFTER = re.compile(
    r"[ *_”\"」]*(?:(?:[^，。；、,;\n第]{0,8}(?=[排放列]在?第))?"
    r"[ ]?(?:则|就|会|应该?|暂|也)?(?:排名?|放|位列|位居|名列|列|居|是|稳居|屈居|拿下|拿到)?在?(?:并列)?"
    rf"第[ ]?{_NUMBER}(?:名|位)?(?=[，。、；,;.!！（(\s]|$)"
    r"|(?:则|就|依然|依旧|还是|稳)?(?:"
    r"(?P<first>(?:排|位)?(?:在|居|列)?(?:首位|首席|榜首|最前面?)|在前|居首|拔得头筹|夺冠|领跑|(?:是|拿下|获得)?冠军)"
    r"|(?P<third>再次之|再往后|再后|(?:是|获得)?季军)"
    r"|(?P<second>次之|居次|其次|随后|紧[随跟]其后|(?:排|位|屈)?(?:在|居|列)?次席|(?:是|获得)?亚军)"
    r"|(?P<last>垫底|垫后|殿后|(?:排|位)(?:在|居|列|于)(?:最后面?|末位|末尾)))"
    r"(?=[，。、；,;.!！（(\s的也]|$)"
    r"|[ ](?:(?P<first_en>(?:comes|came)(?: out)? (?:on top|in first|first)"
    r"|(?:takes|gets|earns) (?:the )?(?:first|top)(?: place| spot)?\b"
    r"|is (?:my |the )?(?:first|number one)\b(?! (?:to|of|brand|time)))"
    r"|(?P<choice_first_en>(?:is|would be|remains) (?:my|our) (?:first |top )?(?:choice|pick)\b)"
    r"|(?P<second_en>(?:is |as )?a (?:close|strong|distant) second"
    r"|(?:comes|came) (?:in )?(?:a close )?second|(?:takes|gets|earns) second"
    r"|is (?:my |a |the )?(?:close )?second\b)"
    r"|(?P<third_en>(?:comes|came) (?:in )?third|(?:takes|gets|earns) third"
    r"|is (?:my |a |the )?(?:distant )?third\b)))"
)
"""Directly after a name: its place."""
_GIVES = (
    r"(?:的)?(?:毫无悬念地?|毫无疑问|无疑|当然|自然|肯定|必须)?"
    r"(?:则|就|仍|还)?(?:是|为|当属|给了?|归|属于|要数|轮到|留给)?[ *_“\"「：:，,]{0,3}$"
)
_BEFORE = re.compile(
    rf"(?:(?P<first>(?:居|列|排|位|排名)(?:在|居)?(?:首位?|榜首|第一|最前面?)(?:名|位)?|冠军|第一(?:名|(?=[，,：:]))){_GIVES}"
    r"|\b(?:top|no\.?) ?(?P<counted>\d{1,2})[：: *_]{0,4}$"
    rf"|(?P<second>次席|亚军|(?:居|列|排|位)(?:在|居)?(?:次位|第二)(?:名|位)?|第二名?|其后|紧[随跟]其后){_GIVES}"
    rf"|(?P<third>季军|(?:居|列|排|位)(?:在|居)?第三(?:名|位)?|第三名?){_GIVES}"
    rf"|(?P<last>垫底|殿后|(?:排|居|位)(?:在|于|居)(?:最后|末位)){_GIVES}"
    rf"|(?P<choice_first>首[选推]){_GIVES}|(?P<choice_second>次选|第二选择){_GIVES}"
    r"|(?<![领优率首预事原])(?P<step_first>(?:首?先)(?:去)?(?:看看?|考虑|试试?|选|问|联系|买)?)[ *_“\"「]{0,3}$"
    r"|(?P<step_next>(?:再|然后|接着|之后)(?:去|再|是)?(?:看看?|考虑|试试?|选|问|联系|买)?)[ *_“\"「]{0,3}$"
    r"|(?P<step_last>最后(?:再|才|是|去)?(?:看看?|考虑|试试?|选|问|联系|买)?)[ *_“\"「]{0,3}$"
    r"|\b(?P<step_first_en>first(?: up| choice| pick)?(?: is| would be| place goes to| comes| of all)?[,:]?"
    r"(?: i'd (?:look at|try|check|pick|buy))?|(?:start|begin) with)"
    r"(?: (?:the|an?))?[ *_“\"]{0,3}$"
    r"|\b(?P<winner>winner)(?: is|:)[ *_]{0,3}(?:the )?$"
    r"|\b(?P<second_en>second(?: place| choice)?(?: goes to| is| would be| comes)?"
    r"|runner-up(?: is)?)[,:]?(?: (?:the|an?))?[ *_“\"]{0,3}$"
    r"|\b(?P<third_en>third(?: place| choice)?(?: goes to| is| would be| comes)?)[,:]?(?: (?:the"
    r"|an?))?[ *_“\"]{0,3}$"
    r"|\b(?P<step_next_en>then(?: (?:look at|try|check|consider|go to))?|next(?: up)?"
    r"|after (?:that|it|them))(?: is| comes)?,?(?: (?:the|an?))?[ *_“\"]{0,3}$"
    r"|\b(?P<step_last_en>(?:and )?(?:finally|last(?:ly)?))(?: is| comes)?,?(?: (?:the|an?))?[ *_“\"]{0,3}$)"
)
"""Directly before a name: its place."""
_ERRAND = re.compile(
    r"[ *_”\"」]*(?:的?(?:官方|官网|旗舰店|专柜|门店|专卖店|体验店)|(?:'s )?(?:official )?(?:site|website|store|app)\b)"
)
"""Directly after a name: the step is an errand, not a choice."""
_REACH = 48
_PLACES = {"first": 1, "winner": 1, "second": 2, "third": 3, "last": _LAST, "step_first": 1, "step_last": _LAST}
"""Place by the sort of words; _LAST where it depends on the others."""
_PLACES |= {"choice_first": 1, "choice_second": 2}
_NOT_ADVICE = re.compile(
    r"销量|销售额|份额|市占|出货|营收|市值|规模|热度|人气|声量|搜索|下载量|投诉|涨幅|价格最?[高低贵]|用户数"
    r"|market share|\bsales\b|revenue|shipments?|downloads|most searched|complaints"
)
"""In the sentence: the order is one of facts."""
_SENTENCE = re.compile(r"[。！？!?\n]|\.(?=\s)")
_AND = frozenset({"和", "与", "、", "及", "and", "&"})


def orders(text: str, mentions: tuple[Match, ...]) -> Iterator[tuple[str, int]]:
    """Yield brands with their places where a text (lower case) gives them to at least two, the first among them.

    An order of facts (sales, shares) is none.
    """
    if not mentions or not _SPEAKS.search(text):
        return
    placed: dict[str, int] = {}
    highest, told = 0, False
    for number, match in enumerate(mentions):
        following = mentions[number + 1] if number + 1 < len(mentions) else None
        before = mentions[number - 1].end if number else 0
        place, by_choice = _place(text, match, before, following, highest)
        if place and match.standard_name not in placed and not _is_of_facts(text, match.match_position):
            placed[match.standard_name] = len(placed) + 1 if place == _LAST else place
            highest = max(highest, placed[match.standard_name])
            told = told or not by_choice
    if told and len(placed) > 1 and 1 in placed.values():
        yield from placed.items()


def _place(text: str, match: Match, before: int, following: Match | None, highest: int) -> tuple[int | None, bool]:
    """Return the place that the words around a name state, and whether they only call it a choice (首选, 次选).

    `highest` is the highest place that was given before.
    """
    found = _AFTER.match(text, match.end)
    if found is None and following is not None and text[match.end : following.match_position].strip() in _AND:
        tied = _AFTER.match(text, following.end)
        found = tied if tied and "并列" in tied[0] else None
    start = max(before, match.match_position - _REACH)
    if found is None and _SPEAKS.search(text, start, match.match_position):
        found = _BEFORE.search(text[start : match.match_position])
    if found is None:
        return None, False
    sort = (found.lastgroup or "").removesuffix("_en")
    if sort in {"number", "counted"}:
        return number_of(found[sort]), False
    if not sort.startswith("step"):
        return _PLACES[sort], sort.startswith("choice")
    if _ERRAND.match(text, match.end) or not (highest or sort == "step_first"):
        return None, False
    return (highest + 1 if sort == "step_next" else _PLACES[sort]), False


def _is_of_facts(text: str, position: int) -> bool:
    edges = [found.end() for found in _SENTENCE.finditer(text, max(0, position - 80), position)]
    return _NOT_ADVICE.search(text, edges[-1] if edges else max(0, position - 80), position) is not None
