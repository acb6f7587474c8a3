"""Sequels: what stands in the clauses and labels around a name, and whom it speaks of. Data only.

Every pattern is linear.

The texts they are looked for in are in simple script and lower case.
"""

from __future__ import annotations

import re

PRONOUN_SUBJECT = re.compile(
    r"(?:[^它他她其该这]{0,6})(?:它(?!们)|该(?:品牌|公司|机型|系列|款)|这(?:家|个|款)"
    r"|其(?![他实中次余])|这(?=就?是)|\bit\b|\bthis\b)"
)
"""A clause whose subject is the brand before it."""

PRONOUN_OPENS = re.compile(
    r"[ ]?(?:所以|因此|总之|而且|并且|但是?|不过|so |but )?(?:(?:如果|若|要是|只要)[^，。]{1,16}，(?:那么?|则)?)?"
    r"(?:它(?!们)|这(?:家|个|款)|该(?:品牌|机型|款)|it(?='s| is)\b)"
)
"""A sentence that begins with the brand of the one before it as its subject."""

PRONOUN_OBJECT = re.compile(
    r"(?:推荐|选择?|买|入手|考虑|recommend|choose|pick|buy|get) ?(?:它(?!们)|这(?:个|款|家)|it\b)"
)
"""A cue whose object is the brand before it."""

TRAILING_FOR = re.compile(
    r"(?:也|还|就|更|最|很|非常|十分|比较|挺|都|同样)?"
    r"(?:值得(?:考虑|推荐|买|入手?|信赖|一试|购买|上|去|带|选|拥有|等)|可以?(?:考虑|入手)"
    r"|首[选推]|之选|(?:强烈|优先)推荐|可以?放心(?:选|买|入手?|下手|用|上|冲)|[买选入]就是了|(?<![不非])可选|(?:二|三)选一都(?:行|可以)"
    r"|(?:按|看|根据|依)[^，。]{1,8}(?:挑|选|买)(?:就好|就行|即可|都行|都可以)"
    r"|(?:推荐|建议)[^，。]{0,8}(?:用户|人群|家庭|车主|新手|老人|朋友|党|族)(?:考虑|选择|入手|购买|选|买|试试)"
    r"|我[^，。不]{0,4}推荐的(?:那|这)?(?:家|个|款|牌子|品牌)?|(?:愿意|乐意|会|敢)推荐给[^，。]{1,8}"
    r"|\b(?:both|either|all)(?: of them| three| two)? (?:are|is|would be) "
    r"(?:easy to recommend|worth (?:it|buying)|(?:great|good|solid|safe) (?:choices?|picks?"
    r"|options?))[a-z -]{0,24})"
    r"[ *_]*[。！!；;，.]?$"
)
"""The end of a clause that has no name: it judges the last one before it."""

TRAILING_AGAINST = re.compile(
    r"我[^，。]{0,8}不(?:太|能|敢|大)?(?:同意|认同|赞同|认可|这[么样](?:看|认为|想))|(?:别|不要)(?:听|信)(?:他|她|它|们|这|那|的|了|[。，])"
    r"|(?:我|个人)[^，。]{0,8}(?:却|并|倒|反而|还是)不(?:太|大|怎么|敢)?(?:建议|推荐|看好)"
    r"|我?(?:可|实在|真)?(?:做不到|说不出口|开不了口|办不到)了?(?=[。！!]|$)|\bgrain of salt\b"
    r"|(?:别|不要|千万别)(?:上当|当真)|\bi (?:disagree|don't agree|beg to differ|don't buy that)\b"
    r"|\bdon't (?:believe|listen to) (?:it|them|that)\b|"
    r"\boff (?:my|our|the|this) (?:short)?list\b"
    r"|\b(?:look|go|choose|pick|consider|try|buy|get)\b[^.,;\n]{0,48}\binstead\b"
    r"|\b(?:left|leave|leaving|dropped|dropping|removed|removing|crossed|struck) it (?:out|off|from)\b"
)
"""In a clause that has no name: turns down the last one before it."""

BARE_AGAINST = re.compile(
    r"[ ]?(?:但是?|不过|却|因此|所以|故|但也)?(?:单独)?(?:买|入手)?(?:并|就|实在)不(?:太|怎么)?(?:划算|值)"
    r"|[ ]?(?:却|但)?不值(?![得钱])"
)
"""A clause without a subject that says of the brand before it that it does not pay."""

BARE_VERDICT = re.compile(
    r"[ ]?(?:但是?|不过|却|因此|所以|故|但也)?(?:我|个人|也|并|可|真的){0,3}"
    r"(?:不(?:太|大|怎么)?(?:建议|推荐|赞同|认同|认可|看好)|(?:很|非常|十分)?值得(?:推荐|考虑|购买|入手|买)"
    r"|(?:更|最|还是|也)(?:很)?值得(?:推荐|考虑|购买|入手|买)"
    r"|(?:放心|闭眼|大胆)(?:买|入|冲|选|用)|(?:but )?not any ?more"
    r"|(?:强烈|首先|优先)?推荐(?:入手|购买|考虑|选择)?(?=[。！，,!；]|$)"
    r"|(?:without (?:hesitation|a doubt|question)|hands down|no contest))"
)
"""A clause without a subject that judges the brand before it."""

RETORT = re.compile(
    r"[ ]?(?:但是?|不过|可是?|然而)?我[^，。]{0,10}不(?:太|能|敢|大)?(?:同意|认同|赞同|认可|这[么样](?:看|认为|想))"
    r"|[ ]?(?:but )?i (?:disagree|don't agree|beg to differ)\b|[ ]?i(?:'d| would) take (?:that|this)\b"
)
"""A sentence that contradicts the one before it."""

REPORTED = re.compile(
    r"(?:很多|不少|大多数?|有的?|有些|许多|多数)(?:人|网友|博主|用户|朋友|评测|媒体|文章)|大家|网上|网友|销售|店员|导购|商家|广告|博主|别人"
    r"|\b(?:people|everyone|reviewers|forums|salespeople|friends|others|most|many)\b"
)
"""Others say it."""

OWN_TURN = re.compile(
    r"[ ]?(?:但是?|不过|可是?|然而)?我(?:个人|自己|们)?(?:却|更|还是|会|反而|倾向|宁|实测)"
    r"|[ ]?(?:但是?|不过|可是|然而)"
    r"|[ ]?but i(?:'d| would| prefer|'m)?\b"
)
"""Begins the clause in which the speaker prefers another."""

ANSWERED_YES = re.compile(
    r"[ ]?(?:当然|绝对|肯定|很|非常|完全)?(?:要|值得|值|可以|推荐|会|是的?|没问题|能)"
    r"(?:的|买|入手|考虑|推荐)?[。！!，,]"
    r"|[ ]?(?:我的)?(?:回答|答案|建议)(?:是|：|:)(?:值|该|要|买|入|会|可以|肯定|应该)|[^。？]{0,24}，[买入上]就是了"
    r"|[ ]?(?:yes|absolutely|definitely|sure|of course)\b(?! not)"
)

ANSWERED_NO = re.compile(
    r"[ ]?(?:我的)?(?:答案是|个人|真的|当然|绝对|完全)?(?:不(?!错|止)|否|没必要|别)"
    r"|[ ]?(?:no\b|(?:absolutely|definitely) not|not really|hardly)"
)
"""Behind a question about a brand: its answer."""

COUNTED_OUT = re.compile(
    r"[ ]?(?:依次|分别|先后|顺序)?(?:是|为|就是|分别是|依次是|依次为)?(?:依次|分别)?(?:是|为)?[：: *_]*"
)
"""Between a clause that recommends and the names that it announced (推荐三款，依次是A、B)."""

KEYED_LABEL = re.compile(
    r"(?:党|族|控|用户|人群|家庭|玩家|爱好者|老人|长辈|学生|孩子|宝宝|新手|女生|男生|预算|场景|需求|优先|为主|通勤|入门|进阶|高端|中端|百元"
    r"|千元|性价比|拍照|游戏|续航|办公|省心|便宜)[^：:\n]{0,8}[：:]"
    r"|\b(?:for(?= [a-z])|budget|premium|value|beginners?|families|travel|gaming)\b[^:\n]{0,16}:"
)
"""A label that names a need or those who have it."""

NEED_LABEL = re.compile(r"[^：:\n]{2,40}[：:]")
"""Before a name in its line: a label that may name a need (拍照：首选A)."""

CONCLUDING_LABEL = re.compile(
    r"结论|总结|小结|建议|推荐|综合|总体|整体|首选|答案|看法|观点|意见|一句话|最后|简单说|个人|先说"
    r"|\b(?:verdict|bottom line|recommend|picks?|overall|summary|conclusion|tl;?dr|short answer|takeaway|best"
    r"|winner)"
)
"""A label that names none."""

LABELLED = re.compile(r"(?:推荐|首选|\brecommend(?:ation|ed|s)?\b|\bpicks?\b|\bshortlist\b)[^：:，。,.\n]{0,10}[：:]")
"""A label behind which names are put forward."""

FOR_SOMETHING = re.compile(r"[ *_”\"']*[a-z0-9 +-]{0,24} (?:for|if|when|as)\b")
"""Directly after a name behind such a label."""

ELSE = re.compile(r"否则|不然|反之|\b(?:otherwise|else|if not)\b")
"""Names what meets the other case (否则B)."""

WISH_BEFORE = re.compile(
    r"[ ]?(?:如果|要是|若)?(?:不?(?:想|要|爱|喜欢|追求|差|缺|在意|在乎)|预算|图|求|怕|够|有钱|没钱)"
    r"[^，。：:]{0,10}(?:就|那就|则)[ *_“\"]*"
)
"""Before a name in its clause: a wish that it meets (爱折腾就A)."""

FOR_OPENS = re.compile(r"[\s*_]{0,3}for [a-z][a-z -]{2,30},")
"""Begins a sentence that says for whom (For beginners, A)."""

NOTHING_BEFORE = re.compile(
    r"[ *_“\"'「《]*(?:那|那么|那?就是|就|则|否则|不然|反之|then|get|it's|otherwise|else|if not)?[ *_“\"'「《]*"
)

MODEL_AFTER = re.compile(
    r"[ *_”\"'」》]*[a-z0-9+ -]{0,24}[ *_”\"'」》]*(?:系列)?"
    r"(?:[（(][^（）()\n]{0,20}[)）])?[ *_。.，,；;！!\n]*"
)
"""Around a name in a clause that says nothing else than the name, its model after it."""

ALSO = re.compile(
    r"[^，。]{0,8}也(?:很|挺|相当|是|非常)?(?:不错|可以|行|好|值得)|[^,.]{0,40}\bis also (?:great|good"
    r"|solid|excellent)"
)
"""After a brand: joins it to the recommendation before."""

SECOND_AFTER = re.compile(r"[ *_”\"]*(?:则|就)?(?:次之|紧[随跟]其后)")
"""Directly after a name: it comes behind the one before."""

LATTER_ELSE = re.compile(r"the latter (?:if|for|when)\b|后者(?:则|就)?(?:适合|给|留给)")
"""Behind the former that was put forward: so is the latter, for another need."""

CHOSEN_IS = re.compile(
    r"[ ]?(?:其实|当然|无疑|反而|反倒|我觉得|可能|应该|还|恰恰|倒){0,2}(?:是|要数|当属|非)[^，。：:]{0,14}"
)
"""Between a clause that ends with what is put forward (更值得买的，) and its name."""

LATTER = re.compile(r"后者|the latter")

FORMER = re.compile(r"前者|the former")
