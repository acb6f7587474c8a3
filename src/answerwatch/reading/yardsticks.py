"""Yardsticks: names that a clause only measures another by, likens it to, or excepts. Data only.

Every pattern is linear.

The texts they are looked for in are in simple script and lower case.
"""

from __future__ import annotations

import re

YARDSTICK_BEFORE = re.compile(
    r"(?:比起?(?:[^，。比]{1,4}的)?|相比于?|相较于?|相对于?|较之|不如|不及|胜过|超过|优于|逊于|弱于|高于|低于|好于|媲美|类似于?"
    r"|(?:不|就|更)?像|除了?|除开"
    r"|而不是|而非|与其[^，。]{0,8}?[买选用要去]?|对标|替代"
    r"|\bthan|\bvs\.?|\bversus|\bunlike|\bcompared (?:to|with)|\bbesides"
    r"|\bexcept(?: for)?|\binstead of"
    r"|\bover|\brather than|\balternative to|\brunner-up to|\bsimilar to)(?:[ ]?(?:the|a))?[ *_“\"']*$"
)
"""Directly before a name: it is the yardstick, or the exception."""

LIKENED = re.compile(
    r"(?:类似于?|媲美|对标|(?:就|更)?像|\bsimilar to|\bunlike|\blike|\balternative to)"
    r"(?:[ ]?(?:the|a))?[ *_“\"']*$"
)
"""Directly before a name: the sentence speaks of something else that is likened to it."""

SURPASSED = re.compile(
    r"(?:比起?(?:[^，。比]{1,4}的)?|相比于?|相较于?|较之|胜过|超过|优于|高于|好于|强于|不如|不及|逊于|弱于|低于"
    r"|\bthan|\bcompared (?:to|with)|\bbeats|\bover)"
    r"(?:[ ]?(?:the|a))?[ *_“\"']*$"
)
"""Directly before a name: the sentence sets another thing above it, or below, and goes on to speak of that."""

LIKENESS_AFTER = re.compile(r"[ *_”\"']*-(?:like|style|esque)\b")
"""Directly after a name: something else is like it."""

YARDSTICK_AFTER = re.compile(
    r"[ *_”\"']*(?:-(?:like|style|esque)\b|之外|以外|外，|相比|比较|那样|一样(?!.{0,6}(?:值得|推荐)))"
)
"""Directly after a name: the same."""
