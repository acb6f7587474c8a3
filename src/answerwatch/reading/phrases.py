"""Phrases that tell a text from an answer: errors, refusals, questions back. Data only; every pattern is linear.

Each quantifier over a class is bounded, so that no text can make a search slow.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from answerwatch.domain.clean_states import InvalidReason
from answerwatch.reading.patterns import any_of


class Notice(NamedTuple):
    """What a short text says outside of quotes when it is no answer, and puts no tracked brand forward."""

    reason: InvalidReason
    pattern: re.Pattern[str]
    longest: int
    """Most characters of such a text."""


NOTHING = frozenset({"null", "undefined", "none", "nil", "nan", "{}", "[]", '""', "''", "n/a", "...", "……", "…", "。"})
"""Texts that programs leave where there was no answer."""

ERROR_PAGE = re.compile(r"\s{0,99}(?:<!doctype html|<html|<\?xml|<head|<body)", re.IGNORECASE)
"""How an HTML or XML page begins."""

ERROR_NOTICE = re.compile(
    r"(?:服务器?|系统|模型|网络|上游|接口|当前|通道|线路)[^，。！\n]{0,12}(?:繁忙|拥挤|过载|饱和|异常"
    r"|超时|故障|不可用|维护)"
    r"|请(?:稍后|稍候|过一会儿?)?(?:再试|重试)|稍后(?:再试|重试)|请求(?:过于频繁|失败|超时|过多)"
    r"|网络(?:错误|异常|连接失败)"
    r"|(?:余额|额度|配额|次数)(?:不足|已用完|用尽|已达上限)|请(?:先)?登录|(?:usage|message|quota) limit|out of credits"
    r"|upstream|bad gateway|gateway time-?out|internal server error"
    r"|service (?:is )?(?:temporarily )?"
    r"unavailable|no healthy|too many requests|rate limit (?:exceeded|reached)|(?:server|model|service|system) is "
    r"(?:currently )?(?:busy|overloaded|at capacity)|over(?:loaded| capacity)|connection (?:refused"
    r"|reset|error|timed out)"
    r"|request (?:timed out|failed)|something went wrong|an? (?:unexpected )?error (?:has )?occurred"
    r"|please (?:try again|retry)(?: later)?|^\W{0,9}(?:\w{1,20} ?)?error\b ?:|^\W{0,9}(?:\d{3} )?(?:错误|报错)[：:]",
    re.IGNORECASE,
)
"""What a notice of trouble says."""

NOTICES = (Notice(InvalidReason.ERROR, ERROR_NOTICE, longest=240),)
"""Notices in their order; a reason that fixed words tell is one line more."""

FILTER_NOTICE = re.compile(
    r"我还没有学会|还没学会(?:回答|如何)|(?:让)?我们(?:换|聊)[个一]?[^，。\n]{0,4}(?:别的|其他)?话题|换个话题"
    r"|(?:暂不|暂时不|不)支持(?:讨论|回答|该话题|此类)|内容(?:不合规|涉及敏感|存在不?安全|违规)|(?:已)?停止生成|暂时(?:无法|不能|没法)回答|该(?:内容"
    r"|回复)(?:无法|不能)显示"
    r"|(?:违反|不符合)[^，。\n]{0,10}(?:使用规范|使用政策|内容政策|社区规定|相关规定"
    r"|安全规范)[^，。\n]{0,8}(?:无法|不能|请)"
    r"|content (?:was )?(?:filtered|blocked)|violates? (?:our|the) (?:usage|content) polic"
)
"""Fixed texts of content filters."""

_INABILITY = (
    r"(?:无法|不能|不便|(?<!会)不会(?!不)|没法|没有立场|没有资格"
    r"|没办法|没有办法|难以|不可以|无权|未能|不提供|恕不|拒绝)"
)
_SAYING = (
    r"(?:回答|提供|推荐|评价|讨论|协助|帮助|帮您|帮你|满足|处理|回应|解答|给出|介绍|评论|生成|教你|教您"
    r"|教|虚构|透露|支持|告诉"
    r"|发表|作答|答复)"
)

REFUSAL = re.compile(
    rf"(?:我们?|作为[^，。\n]{{0,16}}(?:模型|助手|助理|AI|人工智能)|抱歉|对不起|很遗憾|不好意思|本(?:助手|模型|平台))"
    rf"[^。！？\n]{{0,40}}?{_INABILITY}[^。！？\n]{{0,24}}?{_SAYING}"
    r"|(?:我|我们|暂时|目前|这个?问题)[^。！？\n]{0,12}(?:回答|解答|评价)不了"
    r"|超出了?(?:我|本)[^，。！？\n]{0,16}(?:回答|讨论|服务|能力)[^，。！？\n]{0,6}范围"
    rf"|(?:^|[，。；：\n])\s{{0,9}}(?:因此|所以|暂时|目前|故)?(?:无法|不能|不便)(?:就|对|为"
    rf"|向)?[^，。\n]{{0,16}}{_SAYING}"
    r"|\bI(?:'m| am)? (?:so |very |really )?(?:sorry|afraid)\b[^.!?\n]{0,60}?\b(?:can't|cannot|can not"
    r"|unable|not able|won't)\b"
    r"|\bI(?:'m| am)? ?(?:just )?(?:can't|cannot|can not|unable to|not able to|won't|not allowed to"
    r"|not permitted to|"
    r"must decline|have to decline|decline to|'d rather not"
    r"|would rather not|prefer not to)\b[^.!?\n]{0,40}?\b(?:help|assist|recommend|provide"
    r"|answer|comply|discuss|"
    r"name|rank|single out|advise|"
    r"share|fulfill|give|suggest|offer|engage|continue|create|generate|endorse|do that|that)\b"
    r"|\b(?:as an ai|my guidelines|my programming)\b[^.!?\n]{0,60}?\b(?:can't|cannot|unable|not able"
    r"|don't|do not|prevent)",
    re.IGNORECASE,
)
"""A clause in which the speaker says that they will not or cannot answer."""

OPINION = re.compile(
    r"不会[^。！？\n]{0,6}(?:推荐|支持|评价)(?!任何|具体|某|哪)|\b(?:can't|cannot) recommend\b"
    r"[^.\n]{0,40}\b(?:enough|any ?more"
    r"|any longer|because|since|until|unless)\b",
    re.IGNORECASE,
)
"""Speaks of a brand, not of what the speaker can do."""

MAY_REFUSE = any_of(
    *(
        "学会",
        "话题",
        "不合规",
        "敏感",
        "安全",
        "违规",
        "停止生成",
        "暂时",
        "显示",
        "违反",
        "不符合",
        "无法",
        "不能",
        "不便",
        "不会",
    ),
    *(
        "没办法",
        "没法",
        "没有立场",
        "没有资格",
        "超出",
        "支持",
        "不了",
        "没有办法",
        "难以",
        "不可以",
        "无权",
        "未能",
        "不提供",
        "恕不",
        "拒绝",
        "filtered",
        "blocked",
        "violate",
    ),
    *("can't", "cannot", "can not", "unable", "not able", "won't", "not allowed", "not permitted", "decline"),
    *("don't", "do not", "prevent", "rather not", "prefer not"),
)
"""Finds something, in lower case, in every text in which one of the patterns above does."""

SMALL_LIMIT = re.compile(
    r"(?:实时|最新|即时|联网|具体价格|准确价格|报价|库存|百分之百|完全保证|保证|real-?time|current|live"
    r"|up-to-date|latest|exact)",
    re.IGNORECASE,
)
"""Objects of an inability that leave the answer whole: live prices, guarantees."""

TURN = re.compile(
    r"但|不过|然而|可以(?:给|为|向|帮|提供|推荐)|\b(?:but|however|instead|here (?:are|is)|that said)\b", re.IGNORECASE
)
"""Where a text goes on after a limit."""

ASKS_BACK = re.compile(
    r"[?？][\s*_”\"'）)😊🙂]{0,9}$|feel free to ask\W{0,4}$|(?:告诉我|请提供|补充)[^。\n]{0,40}[。！!]?\W{0,4}$",
    re.IGNORECASE,
)
"""The end of a text that asks its reader."""

ASKS_FIRST = re.compile(
    r"(?:请|麻烦)?(?:您|你)?先(?:告诉我|回答|提供|说明|补充)[^。！]{0,120}[?？]\W{0,4}$"
    r"|\b(?:before I can|first,? (?:tell me|could you|let me know))\b[^.!]{0,160}\?\W{0,4}$",
    re.IGNORECASE | re.DOTALL,
)
"""A text that answers only once its reader has."""

FILLER = frozenset(
    {"嗯", "嗯嗯", "好", "好的", "好吧", "收到", "明白", "明白了", "知道了", "ok", "okay", "sure", "gotit"}
)
"""Words that only tell that something was heard."""

PROMISE = re.compile(
    r"请稍等|稍等片刻|正在为[您你]|\b(?:let me (?:search|check|look)|one moment|please wait|searching for)\b",
    re.IGNORECASE,
)
"""Only a promise to answer."""

WANTS_TO_KNOW = re.compile(
    r"(?:告诉我|提供|补充|说明|回答|分享|了解)[^。\n]{0,20}[:：][ \t*_]{0,9}$"
    r"|\b(?:tell me|let me know|share|need to know)\b[^.\n]{0,40}:[ \t*_]{0,9}$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that announces what the reader is asked to tell."""

OPEN_COLON = re.compile(r"[:：][ \t*_]{0,9}$", re.MULTILINE)
"""A line that announces something."""
