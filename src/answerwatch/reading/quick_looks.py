"""A quick look: whether a clause may hold a cue at all, before its patterns are asked. Data only."""

from __future__ import annotations

from answerwatch.reading.patterns import any_of

SPEAKS = any_of(
    "最优解", "拿", "送", "sweet", "is the one", "is what", "money", "its ", "hesitation", "no contest",
    "no question", "划算", "合算", "靠谱", "稳妥", "放心", "decent", "reasonable", "respectable", "没", "未",
    "left", "didn't", "second", "third", "next ", "another", "runner", "the one to", "rent ", "直接", "闭眼",
    "无脑", "果断", "大胆", "number one", "hard", "help but", "cannot but", "不", "别", "选", "荐", "推", "买",
    "入", "考", "试", "适", "看", "避", "踩", "慎", "退", "排", "值", "哪", "优先", "安利", "倾向", "可关注",
    "可了解", "可进一步", "可以关注", "可以了解", "主流", "常见", "知名", "是否", "能否", "怎么", "如何",
    "whether", "get", "buy", "choos", "pick", "recommend", "top ", "best", "choice", "option", "bet",
    "contender", "go w", "go f", "'d go", "would go", "worth", "opt ", "consider", "avoid", "steer", "stay",
    "skip", "popular", "not un", "种草", "青睐", "用", "上", "冲", "投", "碰", "拉黑", "淘汰", "grab", "take",
    "beat", "favo", "vote", "suggest", "stick", "settle", "lean", "pass on", "rule out", "think twice", "均可",
    "均行", "都可", "都行", "才是", "除", "it is", "don't", "no reason", "no excuse", "disagree", "beg to",
    "谁", "挑", "off ", "instead", "dropp", "remov", "crossed it", "struck it", "leav",
    "anymore", "any more", "顺序", "建议", "'ll go", "will go", "票给", "还得", "还要", "当属", "莫属", "我站",
    "我押", "就", "只有", "只剩", "结论", "答案", "移出", "踢出", "跌出", "掉出", "it'd", "it would", "point",
    "nudge", "push", "my nod", "our nod", "the edge", "the nod", "most sense", "作为", "当作", "喜欢", "偏爱",
    "中意", "also g", "also e", "i'd ", "i would", "answer", "win", "worst", "preference", "order", "verdict",
    "bottom", "conclusion", "away from", "换", "改", "留", "来", "hands down", "salt", "not that", "send ",
)  # fmt: skip
"""Finds something in every clause in which a pattern of `cues` or `sequels` does (a test holds it to that); the others
need no second look."""
