"""Cues: the words by which a clause puts a brand forward or advises against it. Data only; every pattern is linear."""

from __future__ import annotations

import re

POSITIVE = re.compile(
    r"首选|首推|优选|优先|推荐|力荐|安利|值得(?:考虑|推荐|选择|入手|购买|信赖|一试|选购|尝试|拥有|一买)"
    r"|(?:不错|理想|稳妥|合适|很好|较好|更好|最好|最佳|绝佳|明智|可靠|优秀|良好|极佳|安全|好|稳健|靠谱|划算|优质|出色)的?(?:的)?选择"
    r"|之选|更(?:为)?(?:适合|合适)|最(?:为)?(?:适合|合适)|(?:可以|可|建议|不妨|应|应该|会)(?:优先|重点)?(?:考虑|选择|选|入手|试试)"
    r"|就选|还是选|放心(?:买|选|入)|闭眼(?:入|买|选)|(?:^|，|就|，则|那么|那就|直接)选"
    r"|\brecommend|\btop (?:pick|choice|recommendation)|\bbest (?:overall|choice|pick|option|value|bet|for)\b"
    r"|\b(?:great|good|excellent|solid|strong|fantastic|perfect|ideal|safe|smart|worthy|reliable) (?:choice|option|pick|bet|contender)"
    r"|\bgo (?:with|for)\b|\bworth (?:considering|buying|a look|it)\b|\b(?:my|our) (?:pick|choice)\b|\bopt for\b|\bconsider\b"
    r"|\bcan't go wrong\b|\bI'd (?:choose|pick|get|buy)\b",
    re.IGNORECASE,
)
"""Puts forward what the clause speaks of."""
