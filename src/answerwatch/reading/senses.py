"""Brand names that are words too: what tells the word from the brand. Data only.

A sense is used for every lexicon; exclude phrases and required phrases of the lexicon come on top of it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sense:
    """Another sense of a word that is also a brand name; all phrases are keys (folded)."""

    before: tuple[str, ...] = ()
    """Directly before the word it is the other sense."""
    after: tuple[str, ...] = ()
    """Directly after the word it is the other sense."""
    near: tuple[str, ...] = ()
    """In the same sentence it speaks for the other sense."""
    against: tuple[str, ...] = ()
    """In the same sentence, or in the question, it speaks for the brand."""


DEVICES = (
    "手机", "电脑", "平板", "系统", "型号", "官网", "机型", "芯片", "旗舰", "品牌", "公司", "汽车", "车型", "拍照",
    "影像", "屏", "笔记本", "耳机", "手表", "售后", "系列", "pro", "max", "ultra", "ios", "phone", "laptop",
)  # fmt: skip
"""Words that speak for a maker of devices."""
_EAT = ("吃", "喝", "煮", "熬", "炖", "种植", "果园", "一斤", "榨")

_WISHED = ("选择", "状态", "方案", "情况", "人选", "效果", "搭配", "答案", "条件", "伴侣", "去处")

SENSES: dict[str, Sense] = {
    "苹果": Sense(
        before=("吃", "啃", "削", "青", "水果", "红富士", "烟台", "个", "斤", "颗", "箱"),
        after=("汁", "派", "醋", "树", "味", "园", "干", "酱", "皮", "核", "肉", "富含", "含有"),
        near=(*_EAT, "维生素", "纤维", "水果", "果汁", "香蕉", "牛奶", "口味", "早餐", "甜"),
        against=DEVICES,
    ),
    "apple": Sense(
        before=("eatan", "greenan"),
        after=("aday", "juice", "pie", "tree", "cider", "sauce", "orchard", "vinegar"),
        near=("fruit", "vitamin", "recipe", "bake"),
        against=DEVICES,
    ),
    "小米": Sense(
        before=("熬", "煮", "淘", "黄"),
        after=("粥", "饭", "椒", "糕", "面粉", "糠", "加步枪"),
        near=(*_EAT, "杂粮", "五谷", "燕麦", "大米", "养胃"),
        against=DEVICES,
    ),
    "联想": Sense(after=("到", "起", "力", "词", "记忆", "学习", "翩翩"), before=("令人", "让人", "使人", "浮想")),
    "荣耀": Sense(before=("王者", "无上的", "祖国的"), after=("感", "时刻", "归于", "属于")),
    "理想": Sense(
        before=("不太", "不够", "很", "最", "较", "较为", "更", "远大", "非常", "比较", "不", "十分"),
        after=(
            *(f"的{thing}" for thing in _WISHED),
            *("化", "主义", "状态", "之选", "信念", "情况", "型", "效果", "抱负", "很丰满"),
        ),
    ),
    "大众": Sense(
        before=("普罗", "社会", "广大", "面向", "服务"),
        after=("化", "点评", "媒体", "传播", "市场", "消费", "口味", "审美", "群众", "文化", "日报", "需求"),
    ),
    "老板": Sense(
        before=("个", "位", "的", "当", "女", "大", "找", "小", "跟", "和"),
        after=("娘", "说", "们"),
        against=("电器", "油烟机", "灶", "厨", "洗碗机", "品牌", "方太"),
    ),
    "三星": Sense(after=("堆", "级", "酒店", "评级"), before=("米其林", "米其林三星")),
    "石头": Sense(before=("块", "颗", "小", "搬", "大"), after=("剪刀", "房", "路", "城"), near=("矿", "岩")),
    "金牌": Sense(
        before=("枚", "块", "奥运", "夺得", "获得"),
        after=("讲师", "教练", "月嫂", "得主", "客服", "设计师", "顾问"),
    ),
    "美的": Sense(
        before=("最", "精", "优", "唯", "健", "甜", "俊", "壮", "华", "秀", "柔"),
        against=("空调", "冰箱", "家电"),
    ),
    "完美": Sense(
        before=("近乎", "十分", "非常", "并不", "不够", "趋于", "追求", "不", "更", "很", "最"),
        after=("地", "无瑕", "主义", "结合", "体验", "解决", "匹配", "适配", "呈现", "诠释", "搭配", "收官", "落幕"),
    ),
    "骆驼": Sense(before=("头", "匹", "只"), after=("奶", "祥子"), near=("沙漠", "驼峰")),
    "长城": Sense(before=("万里", "爬", "登", "游"), after=("脚下",), near=("旅游", "景区", "八达岭")),
    "amazon": Sense(after=("river", "rainforest", "basin", "jungle")),
}  # fmt: skip
"""Key of the name to its other sense."""

COMMON_ENGLISH = frozenset({
    "alliance", "ally", "always", "anchor", "arrow", "atlas", "base", "bear", "beats", "bird", "bliss", "block",
    "blue", "bolt", "boost", "boots", "boss", "brave", "brother", "bull", "burton", "canyon", "carrier",
    "caterpillar", "champion", "charm", "chase", "circle", "citizen", "citizens", "clarion", "clear", "cliff", "coach",
    "compass", "converse", "core", "corona", "cosmos", "craft", "crane", "crest", "cricket", "crown", "cube",
    "dash", "dawn", "delta", "dial", "diesel", "discover", "dove", "drift", "eagle", "echo", "ember", "ensure",
    "escort", "explorer", "express", "fairy", "falcon", "fidelity", "finish", "flash", "flow", "focus",
    "fossil", "fox", "free", "fresh", "frontier", "gain", "gap", "general", "glad", "glow", "gold", "guardian",
    "guess", "halo", "harvest", "hawk", "head", "hero", "hinge", "honest", "horizon", "hornet", "hurricane",
    "hush", "impact", "indeed", "infinity", "iris", "jaguar", "jet", "joy", "jungle", "key", "kind", "lark",
    "lemonade", "level", "lift", "linear", "lime", "lion", "loop", "lotus", "lucid", "lumen", "mango", "mask", "match",
    "maverick", "mercury", "meta", "method", "mini", "mint", "mirror", "monday", "moment", "monsoon", "monster",
    "mustang", "native", "nest", "next", "nimbus", "north", "notion", "nova", "oasis", "offer", "olive",
    "olympus", "on", "open", "opera", "optimum", "orange", "orbit", "orient", "origin", "origins", "outback",
    "pact", "panda", "patriot", "peak", "pebble", "philosophy", "pilot", "pioneer", "pledge", "plum", "polo",
    "prime", "progressive", "prudential", "pulse", "puma", "quest", "quiet", "quip", "radiant", "raid", "ram",
    "ranger", "raven", "rebel", "reserved", "ring", "rise", "rival", "root", "rover", "royal", "ruby", "sage",
    "saturn", "scout", "secret", "seven", "shark", "sharp", "shell", "signal", "silk", "simple", "singer",
    "slack", "sleep", "smart", "snap", "soft", "sonic", "southwest", "spark", "spirit", "splendid", "sport",
    "spot", "sprint", "square", "star", "stitch", "stone", "stream", "stripe", "subway", "summit", "sun",
    "sunrise", "superior", "supreme", "surge", "sweet", "swift", "swing", "tab", "target", "tempo", "thermos",
    "three", "thrive", "tide", "tiger", "timber", "titan", "tonal", "total", "tower", "travelers", "trek",
    "triumph", "true", "trust", "united", "unity", "vanguard", "vans", "vault", "velvet", "venture", "vibrant",
    "victor", "virgin", "visa", "visible", "vision", "vital", "volt", "wave", "well", "whisper", "wild", "wise",
    "wish", "wolf", "wonder", "yield", "zest", "zoom",
})  # fmt: skip
"""Brand names that are English words: without a capital they are only the word."""
