"""Titles: what stands over lists and begins their items, and what it makes of them. Data only; every pattern is linear.

The texts they are looked for in are in simple script and lower case.
"""

from __future__ import annotations

import re

ORDER_TITLE = re.compile(
    r"(?:推荐|优先|排名|排序|选择|购买|综合)[^，。：:]{0,6}(?:顺序|排序|排名|排行|次序|级)|\brank(?:ing"
    r"|ed)?\b|\border\b"
)
"""Announces a stated order."""

TOP_TITLE = re.compile(
    r"综合推荐|最终推荐|推荐(?:清单|榜单?|名单|排名|排序|顺序|排行)|总推荐|\b(?:our |my )?top picks?\b"
    r"|final recommendation|\bmy (?:shortlist|picks|recommendations|choices)\b|\bour picks\b"
    r"|\b(?:my|our|final|overall) (?:final |overall |own |personal )?(?:ranking|order|list)\b"
    r"|(?:我的|最终|综合)排[名序]"
    r"|我的(?:建议|推荐|选择|清单)"
    r"|真正值得|更适合[^，。]{0,8}的?(?:选择|品牌)|不会后悔"
)
"""Stands over the list that states the recommendation of the whole answer."""

NEGATIVE_TITLE = re.compile(
    r"避雷|避坑|踩雷|踩坑|慎选|慎买|劝退|避开|远离|警惕|当心|不(?:太)?(?:推荐|建议|适合|值得)|别买|黑榜|雷区|划掉|(?:没有|没能|未|没)(?:能)?(?:入选|列入|上榜|选上)|落选|一律别|别(?:碰|带|选|入)|缺点|不足|劣势|短板|槽点"
    r"|\bavoid\b|\bskip\b|\bcons\b|\bdrawbacks?\b|\bnot recommended\b|\bstay away\b|\bsteer clear\b"
    r"|\bleave (?:these|them|those|it)\b|\bwould(?:n't| not)? leave\b|\bleft (?:out|off)\b|\breturned\b"
    r"|\bcomplaints?\b|\b(?:cautious|careful|wary)\b|\bthink twice\b|谨慎(?:选|购|考虑|对待)"
    r"|\b(?:didn't|did not) make\b|\bpassed on\b|\bnot to buy\b|\bdon't buy\b|\bnever buy\b"
)
"""Stands over a list of warnings or drawbacks."""

TURNED_DOWN = re.compile(
    r"[ *_❌✖✗×🚫👎]*(?:(?:不太?|暂不)(?:推荐|建议)|慎[选买入]|避[雷坑开]|劝退|别买"
    r"|avoid|skip|not recommended)[ *_❌！!。]*"
)
"""The whole of a cell that turns its row down."""

KNOWN_TITLE = re.compile(
    r"(?:常见|主流|热门|知名|市面上)[^，。：:推荐]{0,10}(?:品牌|牌子|产品|有|机型|厂商|公司)"
    r"|\b(?:well-known|common|major|popular) (?:brands|names)"
)
"""Stands over a list of what there is: no recommendation where the answer puts something else forward."""

COMPARING_TITLE = re.compile(r"对比|比较|分析|区别|大战|\bpk\b|\bvs\b|\bversus\b|\bcompar")
"""Stands over what is said of each of the brands that it names."""

PICK_TITLE = re.compile(
    r"首[选推]|之选|最佳|最推荐|推荐(?:选择|机型|品牌|款)?$|\b(?:best|top)\b|\b(?:pick|choice|winner)\b|\brunner-?up\b"
)
"""A title whose pick is named in the line below it."""

POPULARITY_TITLE = re.compile(r"销量|热销|热度|人气榜|热搜|\bbest-?sell(?:er|ers|ing)\b|\bmost (?:popular|searched)\b")
"""Stands over a list of what sells or is searched for: no recommendation where the answer has a list of those."""

ASKING_HEAD = re.compile(r"(?:what about|how about|why not)\b|[^?？]*[?？]$")
"""The head of an item that asks about a brand."""

STEP_TITLE = re.compile(r"步骤|流程|第[一二三]步|操作(?:方法|指南)|如何(?:选择|挑选|判断|操作)|\bsteps?\b|\bhow to\b")
"""Stands over a list of steps."""

ASPECT_TITLE = re.compile(
    r"选购(?:要点|指南|攻略|技巧|建议|因素|标准)|要点|须知|误区|怎么选|如何选|怎样选|看什么"
    r"|优点|缺点|优势|劣势|特点|亮点|特色|擅长|主营|注意(?:事项|点|以下)|考虑因素|关键(?:点|因素|考察)|维度|标准|理由"
    r"|原因|价格|配置|参数|适合(?:人群|谁)"
    r"|\bpros\b|\bcons\b|\bprices?\b|\bwhy\b|\bfeatures?\b|\bfactors\b|\btips?\b|\bbonus\b|\bnotes?\b"
    r"|\bspecs\b|\bhighlights?\b|\bwhere to (?:buy|find|get)\b|购买渠道|哪里买"
    r"|\bwhat to (?:look|consider)|\bthings to\b|\bbest for\b(?! \w)"
)
"""Stands over, or is the label of, properties of one thing."""

CONDITION_LABEL = re.compile(
    r"[“\"*_ ]*(?:若|如果|如您|如你|想|追求|注重|看重|重视|预算|需要|偏好|偏爱|喜欢|对于|适合|for\b|if\b|when\b)"
)
"""Begins the label of an item that is keyed by a need."""

NOT_AN_ITEM = re.compile(
    r"^(?:其他|其它|总结|小结|结语|综合|建议|选购|购买|注意|如何|提示|温馨|补充|市场|概述|背景|结论"
    r"|最后|honou?rable|conclusion|summary"
    r"|final|tl\b|in short|bottom line|quick|tips?|how|what|note|other|things|bonus|key|overview|factors|why)"
)
"""Heads that name no candidate."""

STEP_HEAD = re.compile(r"(?:先|再|然后|接着|首先|其次|最后)(?!进)|\b(?:first|then|next),", re.ASCII)
"""Begins an item that is a step, not a candidate."""
